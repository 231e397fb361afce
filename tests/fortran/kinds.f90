! SPDX-License-Identifier: BSD-3-Clause
! An ordinary program: reductions on the types that MPI_Type_create_f90_real and the like return, as codes with
! selectable precision have them.
program kinds
    use mpi
    implicit none
    integer, parameter :: double = selected_real_kind(15, 307), single = selected_real_kind(6, 37)
    integer, parameter :: whole = selected_int_kind(9)
    integer :: double_type, single_type, complex_type, whole_type
    integer :: rank, ranks, round, root, error, wrong, all
    real(double) :: x(50), y(50)
    real(single) :: s(9), t(9)
    integer(whole) :: i(7), j(7)
    complex(double) :: c(5), d(5)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Type_create_f90_real(15, 307, double_type, error)
    call MPI_Type_create_f90_real(6, 37, single_type, error)
    call MPI_Type_create_f90_complex(15, 307, complex_type, error)
    call MPI_Type_create_f90_integer(9, whole_type, error)
    wrong = 0
    do round = 1, 60
        root = mod(round, ranks)
        x = rank + round
        s = rank + round
        i = rank + round
        c = cmplx(rank, round, double)
        call MPI_Allreduce(x, y, 50, double_type, MPI_SUM, MPI_COMM_WORLD, error)
        if (any(nint(y) /= ranks * round + ranks * (ranks - 1) / 2)) wrong = wrong + 1
        call MPI_Allreduce(s, t, 9, single_type, MPI_MAX, MPI_COMM_WORLD, error)
        if (any(nint(t) /= ranks - 1 + round)) wrong = wrong + 1
        call MPI_Allreduce(c, d, 5, complex_type, MPI_SUM, MPI_COMM_WORLD, error)
        if (any(nint(real(d)) /= ranks * (ranks - 1) / 2) .or. any(nint(aimag(d)) /= ranks * round)) wrong = wrong + 1
        call MPI_Reduce(i, j, 7, whole_type, MPI_MIN, root, MPI_COMM_WORLD, error)
        if (rank == root .and. any(j /= round)) wrong = wrong + 1
        call MPI_Allreduce(MPI_IN_PLACE, x, 50, double_type, MPI_MAX, MPI_COMM_WORLD, error)
        if (any(nint(x) /= ranks - 1 + round)) wrong = wrong + 1
        y = x + rank
        call MPI_Bcast(y, 50, double_type, root, MPI_COMM_WORLD, error)
        if (any(nint(y) /= ranks - 1 + round + root)) wrong = wrong + 1
    end do
    call MPI_Reduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a, i0, a)', 'kinds: ', all, ' wrong'
    call MPI_Finalize(error)
end program
