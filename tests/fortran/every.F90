! SPDX-License-Identifier: BSD-3-Clause
! Every collective operation from Fortran, by each of its three ways to MPI: mpif.h, use mpi (-DWITH_MODULE) and
! use mpi_f08 (-DWITH_F08). Prints a number for each operation that follows from all data received, to be
! compared with another run's, and how many calls there were that can be tuned.
#if defined(WITH_F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define OPERATOR type(MPI_Op)
#define STATUS type(MPI_Status) :: s
#elif defined(WITH_MODULE)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#if !defined(WITH_F08)
#define COMM integer
#define DATATYPE integer
#define OPERATOR integer
#define STATUS integer :: s(MPI_STATUS_SIZE)
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

! Here and not in the program: MPI_BOTTOM reaches them without naming them.
module buffers
    integer, parameter :: most = 4000
    integer, asynchronous :: out(most), in(most)
end module

program every
    USE_MPI
    use operators
    use buffers
    implicit none
    INCLUDE_MPI
    integer, parameter :: operations = 17, n = 5
    character(20), parameter :: names(operations) = [character(20) :: 'alltoall', 'alltoallv', 'allgather', &
        'allgatherv', 'allreduce', 'bcast', 'reduce', 'reduce_scatter_block', 'reduce_scatter', 'gather', &
        'gatherv', 'scatter', 'scatterv', 'scan', 'exscan', 'barrier', 'alltoallw']
    integer(8) :: numbers(operations) = 0
    integer :: calls(operations) = 0
    integer :: rank, size_, root, round, rounds, error, i
    integer, allocatable :: counts(:), places(:), sent(:), sent_at(:)
    character(20) :: word
    COMM :: world
    DATATYPE :: pair, spread_, sent_type, received_type
    OPERATOR :: composition

    call MPI_Init(error)
    call MPI_Comm_dup(MPI_COMM_WORLD, world, error)
    call MPI_Comm_rank(world, rank, error)
    call MPI_Comm_size(world, size_, error)
    rounds = 10
    if (command_argument_count() > 0) then
        call get_command_argument(1, word)
        read (word, *) rounds
    end if
    allocate (counts(size_), places(size_), sent(size_), sent_at(size_))
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, error)
    call MPI_Type_commit(pair, error)
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, spread_, error)
    call MPI_Type_commit(spread_, error)
    call MPI_Op_create(compose, .false., composition, error)
    call from_absolute_address(out, sent_type)
    call from_absolute_address(in, received_type)
    do round = 0, rounds - 1
        root = modulo(round, size_)
        call everyone_alike
        call with_counts
        call with_roots
        call reductions
        call from_bottom
        call MPI_Barrier(world, error)
        call note(16)
    end do
    do i = 1, operations
        call say(names(i), numbers(i))
        if (rank == 0) print '(a, a, 1x, i0)', 'calls ', trim(names(i)), calls(i)
    end do
    call MPI_Type_free(pair, error)
    call MPI_Type_free(spread_, error)
    call MPI_Type_free(sent_type, error)
    call MPI_Type_free(received_type, error)
    call MPI_Op_free(composition, error)
    call MPI_Comm_free(world, error)
    call MPI_Finalize(error)

contains

subroutine from_absolute_address(array, made)
    integer, asynchronous :: array(*)
    DATATYPE :: made
    integer(MPI_ADDRESS_KIND) :: address(1)
    integer :: length(1)
    call MPI_Get_address(array(1), address(1), error)
    length = n
    call MPI_Type_create_hindexed(1, length, address, MPI_INTEGER, made, error)
    call MPI_Type_commit(made, error)
end subroutine

! What is sent, and what stands where something is to be received.
subroutine fill
    integer :: k
    do k = 1, most
        out(k) = modulo(k * 131 + rank * 1009 + round * 17, 9973)
        in(k) = modulo(k * 37 + rank * 503 + round * 11, 9973)
    end do
end subroutine

subroutine note(which)
    integer, intent(in) :: which
    integer :: k
    do k = 1, most
        numbers(which) = modulo(numbers(which) * 31 + in(k) + 1, 1000000007_8)
    end do
    calls(which) = calls(which) + 1
    call fill
end subroutine

subroutine everyone_alike
    call fill
    call MPI_Alltoall(out, n, MPI_INTEGER, in, n, MPI_INTEGER, world, error)
    call note(1)
    call MPI_Alltoall(out, n, spread_, in, n, MPI_INTEGER, world, error)
    call note(1)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, in, n, MPI_INTEGER, world, error)
    call note(1)
    call MPI_Allgather(out, n, MPI_INTEGER, in, n, MPI_INTEGER, world, error)
    call note(3)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, in, n, MPI_INTEGER, world, error)
    call note(3)
    call MPI_Bcast(in, n, MPI_INTEGER, root, world, error)
    call note(6)
    call MPI_Bcast(in, 3, pair, root, world, error)
    call note(6)
end subroutine

! Rank k - 1 has k elements, with a gap behind them.
subroutine with_counts
    integer :: k
    DATATYPE :: types(size_)
    types = MPI_INTEGER
    do k = 1, size_
        counts(k) = k
        places(k) = 2 * k * size_
        sent(k) = rank + 1
        sent_at(k) = (k - 1) * (rank + 2)
    end do
    call fill
    call MPI_Alltoallv(out, sent, sent_at, MPI_INTEGER, in, counts, places, MPI_INTEGER, world, error)
    call note(2)
    call MPI_Alltoallw(out, sent, 4 * sent_at, types, in, counts, 4 * places, types, world, error) ! in bytes
    call note(17)
    do k = 1, size_
        sent(k) = 2
        sent_at(k) = 3 * k
    end do
    call MPI_Alltoallv(MPI_IN_PLACE, sent, sent_at, MPI_INTEGER, in, sent, sent_at, MPI_INTEGER, world, error)
    call note(2)
    calls(2) = calls(2) - 1 ! it is the MPI library's
    call MPI_Allgatherv(out, rank + 1, spread_, in, counts, places, MPI_INTEGER, world, error)
    call note(4)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, in, counts, places, MPI_INTEGER, world, error)
    call note(4)
    call MPI_Gatherv(out, rank + 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, root, world, error)
    call note(11)
    call MPI_Scatterv(out, counts, places, MPI_INTEGER, in, rank + 1, MPI_INTEGER, root, world, error)
    call note(13)
    if (rank == root) then
        call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, in, counts, places, MPI_INTEGER, root, world, error)
        call note(11)
        call MPI_Scatterv(out, counts, places, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, root, world, error)
    else
        call MPI_Gatherv(out, rank + 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, root, world, error)
        call note(11)
        call MPI_Scatterv(out, counts, places, MPI_INTEGER, in, rank + 1, MPI_INTEGER, root, world, error)
    end if
    call note(13)
end subroutine

subroutine with_roots
    call fill
    call MPI_Gather(out, n, MPI_INTEGER, in, n, MPI_INTEGER, root, world, error)
    call note(10)
    call MPI_Scatter(out, n, MPI_INTEGER, in, n, MPI_INTEGER, root, world, error)
    call note(12)
    if (rank == root) then
        call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, in, n, MPI_INTEGER, root, world, error)
        call note(10)
        call MPI_Scatter(out, n, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, root, world, error)
    else
        call MPI_Gather(out, n, MPI_INTEGER, in, n, MPI_INTEGER, root, world, error)
        call note(10)
        call MPI_Scatter(out, n, MPI_INTEGER, in, n, MPI_INTEGER, root, world, error)
    end if
    call note(12)
end subroutine

subroutine reductions
    integer :: k
    do k = 1, size_
        counts(k) = k
    end do
    call fill
    call MPI_Allreduce(out, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note(5)
    call MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_MAX, world, error)
    call note(5)
    call MPI_Allreduce(out, in, n, pair, composition, world, error)
    call note(5)
    call MPI_Reduce(out, in, n, MPI_INTEGER, MPI_SUM, root, world, error)
    call note(7)
    call MPI_Reduce(out, in, n, pair, composition, root, world, error)
    call note(7)
    if (rank == root) then
        call MPI_Reduce(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_SUM, root, world, error)
    else
        call MPI_Reduce(out, in, n, MPI_INTEGER, MPI_SUM, root, world, error)
    end if
    call note(7)
    call MPI_Reduce_scatter_block(out, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note(8)
    call MPI_Reduce_scatter_block(out, in, n, pair, composition, world, error)
    call note(8)
    call MPI_Reduce_scatter_block(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note(8)
    call MPI_Reduce_scatter(out, in, counts, MPI_INTEGER, MPI_SUM, world, error)
    call note(9)
    call MPI_Reduce_scatter(out, in, counts, pair, composition, world, error)
    call note(9)
    call MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INTEGER, MPI_SUM, world, error)
    call note(9)
    call MPI_Scan(out, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note(14)
    call MPI_Scan(out, in, n, pair, composition, world, error)
    call note(14)
    call MPI_Scan(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note(14)
    call MPI_Exscan(out, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note_exscan
    call MPI_Exscan(out, in, n, pair, composition, world, error)
    call note_exscan
    call MPI_Exscan(MPI_IN_PLACE, in, n, MPI_INTEGER, MPI_SUM, world, error)
    call note_exscan
end subroutine

! Rank 0 receives nothing that is defined.
subroutine note_exscan
    if (rank == 0) in(1:2 * n) = 0
    call note(15)
end subroutine

subroutine from_bottom
    call fill
    call MPI_Alltoall(MPI_BOTTOM, 1, sent_type, MPI_BOTTOM, 1, received_type, world, error)
    call note(1)
    call MPI_Allgather(MPI_BOTTOM, 1, sent_type, MPI_BOTTOM, 1, received_type, world, error)
    call note(3)
    call MPI_Bcast(MPI_BOTTOM, 1, received_type, root, world, error)
    call note(6)
    call MPI_Gather(MPI_BOTTOM, 1, sent_type, MPI_BOTTOM, 1, received_type, root, world, error)
    call note(10)
    call MPI_Scatter(MPI_BOTTOM, 1, sent_type, MPI_BOTTOM, 1, received_type, root, world, error)
    call note(12)
end subroutine

! Rank 0 prints WHAT and all ranks' numbers, as one.
subroutine say(what, number)
    character(*), intent(in) :: what
    integer(8), intent(in) :: number
    integer(8) :: all, other
    integer :: from
    STATUS
    if (rank /= 0) then
        call MPI_Send(number, 1, MPI_INTEGER8, 0, 7, world, error)
        return
    end if
    all = number
    do from = 1, size_ - 1
        call MPI_Recv(other, 1, MPI_INTEGER8, from, 7, world, s, error)
        all = modulo(all * 31 + other, 1000000007_8)
    end do
    print '(a, a, i0)', trim(what), ': ', all
end subroutine
end program
