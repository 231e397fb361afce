! SPDX-License-Identifier: BSD-3-Clause
! ADCL's Fortran: integers for all handles, external subroutines, in the manner of its own tests.
program adcl
    implicit none
    include 'ADCL.inc'
    integer :: ierror, wrong, all_wrong
    wrong = 0
    call MPI_Init(ierror)
    call ADCL_Init(ierror)
    call exchange(wrong)
    call reduce(wrong)
    call choose(wrong)
    call refuse(wrong)
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

! A plane without periods; each block holds its rank, and what lies outside of the plane stays as it was.
subroutine exchange(wrong)
    implicit none
    include 'ADCL.inc'
    integer :: wrong, ierror, ranks, cart, vmap, vec, topo, request, i, left, right, down, up
    integer :: grid(2), dims(2)
    logical :: periods(2)
    integer, parameter :: first = 4, second = 9
    double precision, allocatable :: data(:, :)
    double precision :: me
    grid = 0
    periods = .false.
    dims = (/ first + 2, second + 2 /)
    allocate (data(0:first + 1, 0:second + 1))
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Dims_create(ranks, 2, grid, ierror)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periods, .false., cart, ierror)
    call MPI_Comm_rank(cart, i, ierror)
    me = i
    call MPI_Cart_shift(cart, 0, 1, left, right, ierror)
    call MPI_Cart_shift(cart, 1, 1, down, up, ierror)
    call ADCL_Vmap_halo_allocate(1, vmap, ierror)
    call expect('map', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Vector_register_generic(2, dims, 0, vmap, MPI_DOUBLE_PRECISION, data, vec, ierror)
    call expect('vector', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Topology_create(cart, topo, ierror)
    call expect('topology', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Request_create(vec, topo, ADCL_FNCTSET_NEIGHBORHOOD, request, ierror)
    call expect('request', ierror == ADCL_SUCCESS, wrong)
    do i = 1, 300
        data = -7
        data(1:first, 1:second) = me
        call ADCL_Request_start(request, ierror)
        call expect('start', ierror == ADCL_SUCCESS, wrong)
        call expect('left', all(data(0, 1:second) == merge(-7, left, left < 0)), wrong)
        call expect('right', all(data(first + 1, 1:second) == merge(-7, right, right < 0)), wrong)
        call expect('down', all(data(1:first, 0) == merge(-7, down, down < 0)), wrong)
        call expect('up', all(data(1:first, second + 1) == merge(-7, up, up < 0)), wrong)
        call expect('inside', all(data(1:first, 1:second) == me), wrong)
    end do
    call ADCL_Request_free(request, ierror)
    call expect('freed', ierror == ADCL_SUCCESS .and. request == ADCL_REQUEST_NULL, wrong)
    call ADCL_Topology_free(topo, ierror)
    call ADCL_Vector_deregister(vec, ierror)
    call ADCL_Vmap_free(vmap, ierror)
    call MPI_Comm_free(cart, ierror)
end subroutine

! In place, which the map says: MPI_IN_PLACE of mpif.h is no address that C knows.
subroutine reduce(wrong)
    implicit none
    include 'ADCL.inc'
    integer :: wrong, ierror, rank, ranks, send_map, receive_map, send, receive, topo, request, i
    integer :: data(3)
    common /sums/ data ! for the compiler: it is changed behind its back
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call ADCL_Topology_create(MPI_COMM_WORLD, topo, ierror)
    call ADCL_Vmap_inplace_allocate(send_map, ierror)
    call ADCL_Vmap_allreduce_allocate(MPI_SUM, receive_map, ierror)
    call expect('maps', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Vector_register_generic(0, 0, 0, send_map, MPI_DATATYPE_NULL, MPI_IN_PLACE, send, ierror)
    call expect('in place', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Vector_register_generic(1, 3, 0, receive_map, MPI_INTEGER, data, receive, ierror)
    call ADCL_Request_create_generic(send, receive, topo, ADCL_FNCTSET_ALLREDUCE, request, ierror)
    call expect('reduction', ierror == ADCL_SUCCESS, wrong)
    do i = 1, 10
        data = (/ 1, rank, i /)
        call ADCL_Request_start(request, ierror)
        call expect('sums', all(data == (/ ranks, ranks * (ranks - 1) / 2, ranks * i /)), wrong)
    end do
    call ADCL_Request_free(request, ierror)
    call ADCL_Vector_deregister(send, ierror)
    call ADCL_Vector_deregister(receive, ierror)
    call ADCL_Vmap_free(send_map, ierror)
    call ADCL_Vmap_free(receive_map, ierror)
    call ADCL_Topology_free(topo, ierror)
end subroutine

subroutine choose(wrong)
    implicit none
    include 'ADCL.inc'
    external :: slow, fast
    integer :: wrong, ierror, topo, request, functions(2), fnctset, i, slow_runs, fast_runs
    common /runs/ slow_runs, fast_runs
    slow_runs = 0
    fast_runs = 0
    call ADCL_Topology_create(MPI_COMM_WORLD, topo, ierror)
    call ADCL_Function_create(slow, ADCL_ATTRSET_NULL, 0, 'slow', functions(1), ierror)
    call expect('slow', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Function_create(fast, ADCL_ATTRSET_NULL, 0, 'fast', functions(2), ierror)
    call ADCL_Fnctset_create(2, functions, 'slow and fast', fnctset, ierror)
    call expect('function-set', ierror == ADCL_SUCCESS, wrong)
    call ADCL_Request_create(ADCL_VECTOR_NULL, topo, fnctset, request, ierror)
    do i = 1, 400
        call ADCL_Request_start(request, ierror)
    end do
    call expect('runs', slow_runs > 0 .and. slow_runs < 100 .and. slow_runs + fast_runs == 400, wrong)
    call ADCL_Request_free(request, ierror)
    call ADCL_Fnctset_free(fnctset, ierror)
    call ADCL_Function_free(functions(1), ierror)
    call ADCL_Function_free(functions(2), ierror)
    call ADCL_Topology_free(topo, ierror)
end subroutine

! What they took they tell themselves, so that no busy machine makes the fast one slow.
subroutine slow(request)
    implicit none
    include 'ADCL.inc'
    integer :: request, comm, rank, ranks, ierror, slow_runs, fast_runs
    common /runs/ slow_runs, fast_runs
    call ADCL_Request_get_comm(request, comm, rank, ranks, ierror)
    call MPI_Barrier(comm, ierror)
    call ADCL_Request_update(request, 2d0, ierror)
    slow_runs = slow_runs + 1
end subroutine

subroutine fast(request)
    implicit none
    include 'ADCL.inc'
    integer :: request, comm, rank, ranks, ierror, slow_runs, fast_runs
    common /runs/ slow_runs, fast_runs
    call ADCL_Request_get_comm(request, comm, rank, ranks, ierror)
    call MPI_Barrier(comm, ierror)
    call ADCL_Request_update(request, 1d0, ierror)
    fast_runs = fast_runs + 1
end subroutine

! Integers that no subroutine gave.
subroutine refuse(wrong)
    implicit none
    include 'ADCL.inc'
    integer :: wrong, ierror, request, topo, handle, i
    integer, parameter :: never(4) = (/ 0, -3, 77, 2147483647 /)
    call ADCL_Topology_create(MPI_COMM_WORLD, topo, ierror)
    do i = 1, 4
        handle = never(i)
        call ADCL_Request_start(handle, ierror)
        call expect('a request never made', ierror == ADCL_INVALID_REQUEST, wrong)
        call ADCL_Vector_deregister(handle, ierror)
        call expect('a vector never made', ierror == ADCL_INVALID_VECTOR .and. handle == never(i), wrong)
        call ADCL_Request_create(handle, topo, ADCL_FNCTSET_NEIGHBORHOOD, request, ierror)
        call expect('a request of it', ierror == ADCL_INVALID_VECTOR, wrong)
        call ADCL_Timer_start(handle, ierror)
        call expect('a timer never made', ierror == ADCL_INVALID_TIMER, wrong)
    end do
    call ADCL_Topology_free(topo, ierror)
end subroutine
