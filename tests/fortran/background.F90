! SPDX-License-Identifier: BSD-3-Clause
! Nonblocking collectives from Fortran, by each of its three ways to MPI: mpif.h, use mpi (-DWITH_MODULE) and
! use mpi_f08 (-DWITH_F08). All data received are compared with what they must be.
#if defined(WITH_F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define REQUEST type(MPI_Request)
#define COMM type(MPI_Comm)
#define OPERATOR type(MPI_Op)
#define STATUSES(n) type(MPI_Status) :: statuses(n)
#elif defined(WITH_MODULE)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#if !defined(WITH_F08)
#define REQUEST integer
#define COMM integer
#define OPERATOR integer
#define STATUSES(n) integer :: statuses(MPI_STATUS_SIZE, n)
#endif

module operators
contains
! x -> ax + b, of pairs (a, b): associative, but the order counts.
#if defined(WITH_F08)
subroutine compose(left, right, length, datatype_)
    use mpi_f08
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: left, right
    integer :: length
    type(MPI_Datatype) :: datatype_
    integer, pointer :: f(:), g(:)
    integer :: i
    call c_f_pointer(left, f, [2 * length])
    call c_f_pointer(right, g, [2 * length])
#else
subroutine compose(f, g, length, datatype_)
    integer :: f(*), g(*), length, datatype_
    integer :: i
#endif
    do i = 1, 2 * length, 2
        g(i + 1) = modulo(f(i) * g(i + 1) + f(i + 1), 9973)
        g(i) = modulo(f(i) * g(i), 9973)
    end do
end subroutine
end module

! Here and not in the program: calls that are under way reach them.
module buffers
    integer, parameter :: most = 500
    integer, asynchronous :: out(most), sum_(most), told(most), own(most), root_sum(most)
    double precision, asynchronous :: numbers(most), total(most)
    logical, asynchronous :: truth(2), all_true(2)
    double precision, asynchronous :: located(2), least(2)
end module

program background
    USE_MPI
    use operators
    use buffers
    implicit none
    INCLUDE_MPI
    integer :: rank, ranks, error, round, wrong = 0, all_wrong
    COMM :: other
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Comm_dup(MPI_COMM_WORLD, other, error)
    do round = 1, 200
        call one_at_a_time(1 + modulo(round * 7, 40))
        call all_at_a_time(1 + modulo(round * 13, most))
        call of_other_types
    end do
    call in_order
    call MPI_Comm_free(other, error)
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0) print '(i0,a)', all_wrong, ' wrong'
    call MPI_Finalize(error)
    if (all_wrong > 0) error stop 'wrong'
contains
    subroutine expect(right, what)
        logical, intent(in) :: right
        character(*), intent(in) :: what
        if (right) return
        wrong = wrong + 1
        if (wrong <= 10) print *, 'FAILED: rank ', rank, what, round
    end subroutine

    subroutine fill(n, root)
        integer, intent(in) :: n, root
        integer :: i
        out(1:n) = [(rank * 10 + i + round, i = 1, n)]
        own(1:n) = out(1:n)
        sum_ = -1
        root_sum = -1
        told = -1
        if (rank == root) told(1:n) = [(round * 3 + i, i = 1, n)]
    end subroutine

    subroutine check(n, root)
        integer, intent(in) :: n, root
        integer :: i, right(n)
        right = [(10 * ranks * (ranks - 1) / 2 + ranks * (i + round), i = 1, n)]
        call expect(all(sum_(1:n) == right) .and. all(sum_(n + 1:) == -1), 'MPI_Iallreduce')
        call expect(all(own(1:n) == right), 'MPI_Iallreduce in place')
        call expect(all(told(1:n) == [(round * 3 + i, i = 1, n)]) .and. all(told(n + 1:) == -1), 'MPI_Ibcast')
        if (rank == root) call expect(all(root_sum(1:n) == right), 'MPI_Ireduce')
        if (rank /= root) call expect(all(root_sum == -1), 'MPI_Ireduce elsewhere')
        call expect(all(out(1:n) == [(rank * 10 + i + round, i = 1, n)]), 'a send buffer')
    end subroutine

    subroutine one_at_a_time(n)
        integer, intent(in) :: n
        integer :: root
        logical :: done
        REQUEST :: request_
        STATUSES(1)
        root = modulo(round, ranks)
        call fill(n, root)
        call MPI_Iallreduce(out, sum_, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request_, error)
#if defined(WITH_F08)
        call MPI_Wait(request_, statuses(1), error)
#else
        call MPI_Wait(request_, statuses(:, 1), error)
#endif
        call expect(request_ == MPI_REQUEST_NULL, 'the request after MPI_Wait')
        call MPI_Ibcast(told, n, MPI_INTEGER, root, MPI_COMM_WORLD, request_, error)
        call MPI_Wait(request_, MPI_STATUS_IGNORE, error)
        call MPI_Iallreduce(MPI_IN_PLACE, own, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request_, error)
        call MPI_Wait(request_, MPI_STATUS_IGNORE, error)
        call MPI_Ireduce(out, root_sum, n, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, request_, error)
        call MPI_Wait(request_, MPI_STATUS_IGNORE, error)
        call MPI_Ibarrier(MPI_COMM_WORLD, request_, error)
        done = .false.
        do while (.not. done)
            call MPI_Test(request_, done, MPI_STATUS_IGNORE, error)
        end do
        call check(n, root)
    end subroutine

    subroutine all_at_a_time(n)
        integer, intent(in) :: n
        integer :: root, message, from, to
        REQUEST :: requests(8)
        STATUSES(8)
        root = modulo(round * 5, ranks)
        to = modulo(rank + 1, ranks)
        from = modulo(rank + ranks - 1, ranks)
        message = -1
        call fill(n, root)
        call MPI_Iallreduce(out, sum_, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
        call MPI_Irecv(message, 1, MPI_INTEGER, from, 4, MPI_COMM_WORLD, requests(5), error)
        call MPI_Ibcast(told, n, MPI_INTEGER, root, other, requests(2), error)
        call MPI_Ibarrier(MPI_COMM_WORLD, requests(3), error)
        call MPI_Iallreduce(MPI_IN_PLACE, own, n, MPI_INTEGER, MPI_SUM, other, requests(4), error)
        call MPI_Isend(out, 1, MPI_INTEGER, to, 4, MPI_COMM_WORLD, requests(6), error)
        call MPI_Ireduce(out, root_sum, n, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, requests(7), error)
        requests(8) = MPI_REQUEST_NULL
        if (modulo(round, 2) == 0) then
            call MPI_Waitall(8, requests, statuses, error)
        else
            call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, error)
        end if
        call touch(message)
        call expect(message == from * 10 + 1 + round, 'a message beside')
        call check(n, root)
    end subroutine

    subroutine touch(value_)
        integer, asynchronous :: value_
    end subroutine

    subroutine of_other_types
        REQUEST :: requests(3)
        numbers(1:9) = rank + round
        truth = [rank /= modulo(round, ranks), .true.]
        located = [dble(modulo(rank + round, ranks)), dble(rank)]
        call MPI_Iallreduce(numbers, total, 9, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
        call MPI_Iallreduce(truth, all_true, 2, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, requests(2), error)
        call MPI_Iallreduce(located, least, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, requests(3), error)
        call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
        call expect(all(total(1:9) == ranks * (ranks - 1) / 2 + ranks * round), 'numbers of double precision')
        call expect((.not. all_true(1)) .and. all_true(2), 'logical values')
        call expect(least(1) == 0 .and. nint(least(2)) == modulo(ranks - modulo(round, ranks), ranks), 'MPI_MINLOC')
    end subroutine

    ! An operator of the program's own, in the order of ranks.
    subroutine in_order
        OPERATOR :: op
        REQUEST :: requests(20)
        integer, asynchronous :: maps(2, 20), results(2, 20)
        integer :: i, r, right(2), next(2)
        call MPI_Op_create(compose, .false., op, error)
        do i = 1, 20
            maps(:, i) = [rank * 7 + i, rank + 3 * i]
            call MPI_Iallreduce(maps(:, i:i), results(:, i:i), 1, MPI_2INTEGER, op, MPI_COMM_WORLD, requests(i), error)
        end do
        call MPI_Waitall(20, requests, MPI_STATUSES_IGNORE, error)
        do i = 1, 20
            right = [i, 3 * i]
            do r = 1, ranks - 1
                next = [r * 7 + i, r + 3 * i]
                right = [modulo(right(1) * next(1), 9973), modulo(right(1) * next(2) + right(2), 9973)]
            end do
            call expect(all(results(:, i) == right), 'an operator of the program''s own')
        end do
        call MPI_Op_free(op, error)
    end subroutine
end program
