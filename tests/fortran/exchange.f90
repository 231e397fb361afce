! SPDX-License-Identifier: BSD-3-Clause
! Halos in Fortran's order, with `use startune`: after an exchange each point holds the number of its place in
! the whole, periodic plane. Along the two dimensions blocks differ in size, halos in nothing.
program exchange
    use mpi_f08
    use startune
    implicit none
    integer, parameter :: width = 2
    integer :: ranks, rank, error, grid(2) = 0, place(2), run, wrong = 0
    integer, parameter :: block(2) = [5, 7]
    type(MPI_Comm) :: cart

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Dims_create(ranks, 2, grid)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, grid, [.true., .true.], .false., cart)
    call MPI_Comm_rank(cart, rank)
    call MPI_Cart_coords(cart, rank, 2, place)
    call exchange_planes(0)
    call exchange_planes(3)
    call refuse_gaps
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Comm_free(cart)
    call MPI_Finalize()
    if (wrong > 0) error stop 'wrong points'
contains
    ! The number of point (i, j), counted from 1 in this rank's block, in plane K of this run.
    pure integer function number(i, j, k)
        integer, intent(in) :: i, j, k
        integer :: whole(2), at(2)
        whole = block * grid
        at = modulo(place * block + [i, j] - 1, whole)
        number = at(1) + whole(1) * (at(2) + whole(2) * (k + 10 * run))
    end function

    subroutine exchange_planes(values)
        integer, intent(in) :: values
        integer, asynchronous :: plane(1 - width:block(1) + width, 1 - width:block(2) + width, max(values, 1))
        type(STAR_Vmap) :: vmap
        type(STAR_Vector) :: vector
        type(STAR_Topology) :: topology
        type(STAR_Request) :: request
        integer :: i, j, k
        call STAR_Vmap_halo_allocate(width, vmap, error)
        call expect('a map', error)
        call STAR_Vector_register_generic(2, block + 2 * width, values, vmap, MPI_INTEGER, plane, vector, error)
        call expect('a vector', error)
        call STAR_Topology_create(cart, topology)
        call STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, request, error)
        call expect('a request', error)
        do run = 1, 100
            plane = -1
            do concurrent (i = 1:block(1), j = 1:block(2), k = 1:size(plane, 3))
                plane(i, j, k) = number(i, j, k)
            end do
            call STAR_Request_run(request, error)
            call expect('a start', error)
            call check(plane)
        end do
        call STAR_Request_free(request, error)
        call expect('the end of a request', error)
        if (request%handle /= STAR_REQUEST_NULL%handle) call expect('a null handle', 1)
        call STAR_Topology_free(topology)
        call STAR_Vector_deregister(vector)
        call STAR_Vmap_free(vmap)
    end subroutine

    ! All points but the corners, which neighbours along dimensions do not reach.
    subroutine check(plane)
        integer, intent(in) :: plane(1 - width:, 1 - width:, :)
        integer :: i, j, k
        do k = 1, size(plane, 3)
            do j = 1 - width, block(2) + width
                do i = 1 - width, block(1) + width
                    if ((i < 1 .or. i > block(1)) .and. (j < 1 .or. j > block(2))) cycle
                    if (plane(i, j, k) /= number(i, j, k)) wrong = wrong + 1
                end do
            end do
        end do
    end subroutine

    ! What a compiler would copy, requests could not reach later.
    subroutine refuse_gaps
        integer, asynchronous :: plane(12, 12)
        type(STAR_Vector) :: vector
        call STAR_Vector_register(2, [6, 12], 1, MPI_INTEGER, plane(1:12:2, :), vector, error)
        call expect('an array with gaps', merge(0, 1, error == STAR_ERR_DATA .and. vector%handle == 0))
    end subroutine

    subroutine expect(what, error)
        character(*), intent(in) :: what
        integer, intent(in) :: error
        if (error == STAR_SUCCESS) return
        print *, 'rank', rank, ': ', what, error
        wrong = wrong + 1
    end subroutine
end program
