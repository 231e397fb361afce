! SPDX-License-Identifier: BSD-3-Clause
! ADCL's Fortran in the manner of its own tests, further: three dimensions with several values a point, an all-to-all, and one
! subroutine for all combinations of attributes.
program adcl_grids
    implicit none
    include 'ADCL.inc'
    integer :: ierror, wrong, all_wrong
    wrong = 0
    call MPI_Init(ierror)
    call ADCL_Init(ierror)
    call three_dim(wrong)
    call alltoall(wrong)
    call single(wrong)
    call ADCL_Finalize(ierror)
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (all_wrong > 0) error stop 'wrong'
end program

subroutine expect(what, good, wrong)
    implicit none
    character(*) :: what
    logical :: good
    integer :: wrong
    if (good) return
    print *, what
    wrong = wrong + 1
end subroutine

! A body that wraps in its second dimension; two values a point, the rank and its square.
subroutine three_dim(wrong)
    implicit none
    include 'ADCL.inc'
    integer :: wrong, ierror, ranks, me, cart, vmap, vec, topo, request, i, d, beside(2, 3), dims(4), grid(3)
    logical :: periods(3)
    integer, parameter :: n = 3, w = 2
    double precision, allocatable :: data(:, :, :, :)
    grid = 0
    periods = (/ .false., .true., .false. /)
    dims = (/ n + 2 * w, n + 1 + 2 * w, n + 2 + 2 * w, 2 /)
    allocate (data(dims(1), dims(2), dims(3), 2))
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Dims_create(ranks, 3, grid, ierror)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, grid, periods, .false., cart, ierror)
    call MPI_Comm_rank(cart, me, ierror)
    do d = 1, 3
        call MPI_Cart_shift(cart, d - 1, 1, beside(1, d), beside(2, d), ierror)
    end do
    call ADCL_Vmap_halo_allocate(w, vmap, ierror)
    call ADCL_Vector_register_generic(3, dims, 2, vmap, MPI_DOUBLE_PRECISION, data, vec, ierror)
    call expect('vector', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Topology_create(cart, topo, ierror)
    call ADCL_Request_create(vec, topo, ADCL_FNCTSET_NEIGHBORHOOD, request, ierror)
    call expect('request', ierror == ADCL_SUCCESS, wrong)
    do i = 1, 100
        data = -7
        data(w + 1:w + n, w + 1:w + n + 1, w + 1:w + n + 2, 1) = me
        data(w + 1:w + n, w + 1:w + n + 1, w + 1:w + n + 2, 2) = me * me
        call ADCL_Request_start(request, ierror)
        call expect('start', ierror == ADCL_SUCCESS, wrong)
        call side(data(1:w, w + 1:w + n + 1, w + 1:w + n + 2, :), beside(1, 1))
        call side(data(w + n + 1:, w + 1:w + n + 1, w + 1:w + n + 2, :), beside(2, 1))
        call side(data(w + 1:w + n, 1:w, w + 1:w + n + 2, :), beside(1, 2))
        call side(data(w + 1:w + n, w + n + 2:, w + 1:w + n + 2, :), beside(2, 2))
        call side(data(w + 1:w + n, w + 1:w + n + 1, 1:w, :), beside(1, 3))
        call side(data(w + 1:w + n, w + 1:w + n + 1, w + n + 3:, :), beside(2, 3))
        call expect('corner', all(data(1:w, 1:w, 1:w, :) == -7), wrong)
    end do
    call ADCL_Request_free(request, ierror)
    call ADCL_Topology_free(topo, ierror)
    call ADCL_Vector_deregister(vec, ierror)
    call ADCL_Vmap_free(vmap, ierror)
    call MPI_Comm_free(cart, ierror)
contains
    subroutine side(halo, there)
        double precision, intent(in) :: halo(:, :, :, :)
        integer, intent(in) :: there
        call expect('first value', all(halo(:, :, :, 1) == merge(-7, there, there < 0)), wrong)
        call expect('second value', all(halo(:, :, :, 2) == merge(-7, there * there, there < 0)), wrong)
    end subroutine
end subroutine

subroutine alltoall(wrong)
    implicit none
    include 'ADCL.inc'
    integer :: wrong, ierror, ranks, me, vmap, topo, request, i, j, send, receive
    integer, parameter :: n = 4
    integer, allocatable, asynchronous :: from(:), into(:)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
    allocate (from(n * ranks), into(n * ranks))
    call ADCL_Topology_create(MPI_COMM_WORLD, topo, ierror)
    call ADCL_Vmap_alltoall_allocate(n, n, vmap, ierror)
    call expect('map', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Vector_register_generic(1, n * ranks, 0, vmap, MPI_INTEGER, from, send, ierror)
    call ADCL_Vector_register_generic(1, n * ranks, 0, vmap, MPI_INTEGER, into, receive, ierror)
    call ADCL_Request_create_generic(send, receive, topo, ADCL_FNCTSET_ALLTOALL, request, ierror)
    call expect('request', ierror == ADCL_SUCCESS, wrong)
    do i = 1, 20
        from = (/ (1000 * me + j + i, j = 0, n * ranks - 1) /)
        into = -1
        call ADCL_Request_start(request, ierror)
        call expect('blocks', all(into == (/ (1000 * (j / n) + n * me + mod(j, n) + i, j = 0, n * ranks - 1) /)), wrong)
    end do
    call ADCL_Request_free(request, ierror)
    call ADCL_Vector_deregister(send, ierror)
    call ADCL_Vector_deregister(receive, ierror)
    call ADCL_Vmap_free(vmap, ierror)
    call ADCL_Topology_free(topo, ierror)
end subroutine

subroutine single(wrong)
    implicit none
    include 'ADCL.inc'
    external :: begin, finish
    integer :: wrong, ierror, topo, request, attributes(2), attrset, fnctset, i, begun, finished
    common /halves/ begun, finished
    begun = 0
    finished = 0
    call ADCL_Attribute_create(2, (/ 10, 11 /), attributes(1), ierror)
    call ADCL_Attribute_create(2, (/ 20, 21 /), attributes(2), ierror)
    call expect('attribute', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Attrset_create(2, attributes, attrset, ierror)
    call ADCL_Fnctset_create_single(begin, finish, attrset, 'all', 0, 0, fnctset, ierror)
    call expect('single', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Topology_create_generic(0, 0, 0, 0, 0, 0, ADCL_DIRECTION_BOTH, MPI_COMM_WORLD, topo, ierror)
    call expect('topology', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, request, ierror)
    call expect('request', ierror == ADCL_SUCCESS, wrong)
    do i = 1, 60
        call ADCL_Request_start(request, ierror)
    end do
    call expect('halves', begun == 60 .and. finished == 60, wrong)
    call ADCL_Request_free(request, ierror)
    call ADCL_Topology_free(topo, ierror)
    call ADCL_Fnctset_free(fnctset, ierror)
    call ADCL_Attrset_free(attrset, ierror)
    call ADCL_Attribute_free(attributes(1), ierror)
    call ADCL_Attribute_free(attributes(2), ierror)
end subroutine

subroutine begin(request)
    implicit none
    include 'ADCL.inc'
    integer :: request, comm, rank, ranks, ierror, begun, finished
    common /halves/ begun, finished
    call ADCL_Request_get_comm(request, comm, rank, ranks, ierror)
    call MPI_Barrier(comm, ierror)
    begun = begun + 1
end subroutine

subroutine finish(request)
    implicit none
    integer :: request, begun, finished
    common /halves/ begun, finished
    if (request /= 0) finished = finished + 1
end subroutine
