! SPDX-License-Identifier: BSD-3-Clause
! A program's own functions, with `use startune`: of two, which tell what they took, the faster is chosen,
! attributes reach the functions, one that fails is reported, and handles that were never made are refused.
module own_functions
    use, intrinsic :: iso_c_binding, only: c_int
    use mpi_f08
    use startune
    implicit none
    integer :: slow_runs = 0, fast_runs = 0, waits = 0, seen(3) = 0
contains
    subroutine slow(request, error) bind(C)
        type(STAR_Request), intent(in) :: request
        integer(c_int), intent(inout) :: error
        type(MPI_Comm) :: comm
        integer :: rank, ranks
        call STAR_Request_get_comm(request, comm, rank, ranks, error)
        call MPI_Barrier(comm)
        call STAR_Request_update(request, 2d0, error)
        slow_runs = slow_runs + 1
    end subroutine

    subroutine fast(request, error) bind(C)
        type(STAR_Request), intent(in) :: request
        integer(c_int), intent(inout) :: error
        type(MPI_Comm) :: comm
        integer :: rank, ranks
        call STAR_Request_get_comm(request, comm, rank, ranks, error)
        call MPI_Barrier(comm)
        call STAR_Request_update(request, 1d0, error)
        fast_runs = fast_runs + 1
    end subroutine

    subroutine look(request, error) bind(C)
        type(STAR_Request), intent(in) :: request
        integer(c_int), intent(inout) :: error
        integer :: first, second
        call STAR_Request_get_value(request, 1, first, error)
        if (error == 0) call STAR_Request_get_value(request, 2, second, error)
        if (first == 10 .and. second == 20) seen(1) = seen(1) + 1
        if (first == 10 .and. second == 21) seen(2) = seen(2) + 1
        if (first == 11 .and. second == 20) seen(3) = seen(3) + 1
    end subroutine

    subroutine done(request, error) bind(C)
        type(STAR_Request), intent(in) :: request
        integer(c_int), intent(inout) :: error
        if (request%handle == 0) error = 1
        waits = waits + 1
    end subroutine

    subroutine fail(request, error) bind(C)
        type(STAR_Request), intent(in) :: request
        integer(c_int), intent(inout) :: error
        if (request%handle /= 0) error = 42
    end subroutine
end module

program functions
    use mpi_f08
    use startune
    use own_functions
    implicit none
    type(STAR_Topology) :: topology
    integer :: error, wrong = 0
    call MPI_Init()
    call STAR_Topology_create(MPI_COMM_WORLD, topology)
    call choose
    call combine
    call refuse
    call STAR_Topology_free(topology)
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (wrong > 0) error stop 'wrong'
contains
    subroutine choose
        type(STAR_Function) :: both(2)
        type(STAR_Fnctset) :: fnctset
        type(STAR_Request) :: request
        character(10) :: name
        integer :: i, count, current, attributes
        call STAR_Function_create(slow, STAR_ATTRSET_NULL, [0], 'slow', both(1), error)
        call expect('slow', error)
        call STAR_Function_create(fast, STAR_ATTRSET_NULL, [0], 'fast  ', both(2), error)
        call expect('fast', error)
        call STAR_Fnctset_create(2, both, 'two', fnctset, error)
        call expect('both', error)
        call STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, request, error)
        call expect('their request', error)
        do i = 1, 400
            call STAR_Request_run(request, error)
            call expect('a run', error)
        end do
        call STAR_Request_get_functions(request, count, current, error)
        call STAR_Request_get_function(request, current, name, attributes, error)
        if (count /= 2 .or. name /= 'fast' .or. attributes /= 0) call expect('another choice than fast: '//name, 1)
        if (slow_runs < 1 .or. slow_runs > 100 .or. slow_runs + fast_runs /= 400) call expect('runs', slow_runs)
        call STAR_Request_free(request)
        call STAR_Fnctset_free(fnctset)
        do i = 1, 2
            call STAR_Function_free(both(i), error)
            call expect('freeing a function', error)
        end do
    end subroutine

    ! All combinations but the one that is left out.
    subroutine combine
        type(STAR_Attribute) :: two(2)
        type(STAR_Attrset) :: attrset
        type(STAR_Fnctset) :: fnctset
        type(STAR_Request) :: request
        integer :: i
        call STAR_Attribute_create(2, [10, 11], 'first', two(1), error)
        call STAR_Attribute_create(2, [20, 21], 'second', two(2), error)
        call STAR_Attrset_create(2, two, attrset, error)
        call expect('attributes', error)
        call STAR_Fnctset_create_single(look, done, attrset, 'look', [11, 21], 1, fnctset, error)
        call expect('combinations', error)
        call STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, request, error)
        do i = 1, 400
            call STAR_Request_begin(request, error)
            call STAR_Request_wait(request, error)
            call expect('a run of combinations', error)
        end do
        if (any(seen == 0) .or. sum(seen) /= 400 .or. waits /= 400) &
            call expect('combinations that ran', 1)
        call STAR_Request_free(request)
        call STAR_Fnctset_free(fnctset)
        call STAR_Attrset_free(attrset)
        call STAR_Attribute_free(two(1))
        call STAR_Attribute_free(two(2))
    end subroutine

    subroutine refuse
        type(STAR_Request) :: never, failing
        type(STAR_Function) :: function
        type(STAR_Fnctset) :: fnctset
        type(STAR_Vmap) :: vmap
        call STAR_Request_run(never, error)
        if (error /= STAR_ERR_REQUEST) call expect('a request that was never made', 1)
        call STAR_Request_free(request_of(-5), error)
        if (error /= STAR_ERR_REQUEST) call expect('a negative handle', 1)
        call STAR_Vmap_free(vmap, error)
        if (error /= STAR_ERR_VMAP .or. vmap%handle /= 0) call expect('a map that was never made', 1)
        call STAR_Function_create(fail, STAR_ATTRSET_NULL, [0], 'fails', function)
        call STAR_Fnctset_create(1, [function], 'failures', fnctset)
        call STAR_Request_create(STAR_VECTOR_NULL, topology, fnctset, failing)
        call STAR_Request_run(failing, error)
        if (error /= STAR_ERR_USER) call expect('a function that fails', 1)
        call STAR_Request_free(failing)
        call STAR_Fnctset_free(fnctset)
        call STAR_Function_free(function)
    end subroutine

    function request_of(number) result(pointed)
        integer, intent(in) :: number
        type(STAR_Request), pointer :: pointed
        type(STAR_Request), target, save :: request
        request%handle = number
        pointed => request
    end function

    subroutine expect(what, error)
        character(*), intent(in) :: what
        integer, intent(in) :: error
        if (error == STAR_SUCCESS) return
        print *, what, error
        wrong = wrong + 1
    end subroutine
end program
