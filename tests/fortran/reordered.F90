! SPDX-License-Identifier: BSD-3-Clause
! Communicators with a topology whose ranks are reordered, from Fortran, by each of its three ways to MPI: mpif.h,
! use mpi (-DWITH_MODULE) and use mpi_f08 (-DWITH_F08). On 6 ranks; other ranks than natively are asked for.
#if defined(WITH_F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM type(MPI_Comm)
#elif defined(WITH_MODULE)
#define USE_MPI use mpi
#define INCLUDE_MPI
#define COMM integer
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#define COMM integer
#endif

program reordered
    USE_MPI
    implicit none
    INCLUDE_MPI
    integer :: wrong, all, moved, ierror
    call MPI_Init(ierror)
    wrong = 0
    moved = 0
    call grid()
    call graph()
    call edges(.true.)
    call edges(.false.)
    call MPI_Allreduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Allreduce(MPI_IN_PLACE, moved, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (all > 0 .or. moved == 0) then
        print *, 'wrong', all, 'moved', moved
        stop 1
    end if

contains

subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    wrong = wrong + 1
    print *, 'FAILED: ', what
end subroutine

subroutine compare(made, rank)
    COMM, intent(in) :: made
    integer, intent(out) :: rank
    integer :: before, ierror
    call MPI_Comm_rank(MPI_COMM_WORLD, before, ierror)
    call MPI_Comm_rank(made, rank, ierror)
    if (rank /= before) moved = moved + 1
end subroutine

! Two rows, of three columns that wrap.
subroutine grid()
    COMM :: made
    integer :: rank, coordinates(2), from, to, told, ierror
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 3], [.false., .true.], .true., made, ierror)
    call compare(made, rank)
    call MPI_Cart_coords(made, rank, 2, coordinates, ierror)
    call check(rank == 3 * coordinates(1) + coordinates(2), 'MPI_Cart_coords')
    call MPI_Cart_shift(made, 1, 1, from, to, ierror)
    call check(to == 3 * coordinates(1) + modulo(coordinates(2) + 1, 3), 'MPI_Cart_shift')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, to, 1, told, 1, MPI_INTEGER, from, 1, made, MPI_STATUS_IGNORE, ierror)
    call check(told == from, 'MPI_Sendrecv')
    call MPI_Comm_free(made, ierror)
end subroutine

! A line.
subroutine graph()
    COMM :: made
    integer :: rank, count, neighbors(2), ierror
    call MPI_Graph_create(MPI_COMM_WORLD, 6, [1, 3, 5, 7, 9, 10], [1, 0, 2, 1, 3, 2, 4, 3, 5, 4], .true., made, ierror)
    call compare(made, rank)
    call MPI_Graph_neighbors_count(made, rank, count, ierror)
    call check(count == merge(1, 2, rank == 0 .or. rank == 5), 'MPI_Graph_neighbors_count')
    call MPI_Graph_neighbors(made, rank, count, neighbors, ierror)
    call check(neighbors(count) == merge(4, rank + 1, rank == 5), 'MPI_Graph_neighbors')
    call MPI_Comm_free(made, ierror)
end subroutine

! A ring, which each rank tells of at its own place.
subroutine edges(weighted)
    logical, intent(in) :: weighted
    COMM :: made
    logical :: has_weights
    integer :: rank, old, before(1), behind(1), in, out, sources(1), destinations(1), in_weight(1), out_weight(1), told(1), ierror
    call MPI_Comm_rank(MPI_COMM_WORLD, old, ierror)
    before = modulo(old + 5, 6)
    behind = modulo(old + 1, 6)
    if (weighted) then
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, [10 + before(1)], 1, behind, [10 + old], MPI_INFO_NULL, &
                                            .true., made, ierror)
    else
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, MPI_UNWEIGHTED, 1, behind, MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                            .true., made, ierror)
    end if
    call compare(made, rank)
    call MPI_Dist_graph_neighbors_count(made, in, out, has_weights, ierror)
    call check(in == 1 .and. out == 1 .and. (has_weights .eqv. weighted), 'MPI_Dist_graph_neighbors_count')
    call MPI_Dist_graph_neighbors(made, 1, sources, in_weight, 1, destinations, out_weight, ierror)
    call check(sources(1) == modulo(rank + 5, 6) .and. destinations(1) == modulo(rank + 1, 6), 'MPI_Dist_graph_neighbors')
    if (weighted) call check(in_weight(1) == 10 + sources(1) .and. out_weight(1) == 10 + rank, 'weights')
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, told, 1, MPI_INTEGER, made, ierror)
    call check(told(1) == sources(1), 'MPI_Neighbor_allgather')
    call MPI_Comm_free(made, ierror)
end subroutine
end program
