! SPDX-License-Identifier: BSD-3-Clause
! STAR_Info_get with `use startune`: settings as the test's environment has them, and what has been counted.
program information
    use mpi_f08
    use startune
    implicit none
    type(MPI_Info) :: info
    integer :: i, value = 1, total, error, ranks, keys, wrong = 0
    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    do i = 1, 43 ! the world is tuned from the first one on
        call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    end do
    call STAR_Info_get(info, error)
    if (error /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 1)
    call expect('strategy', 'exhaustive')
    call expect('iter', '2')
    call expect('force', '') ! it has no value
    call expect('now.active', '1')
    call expect('now.calls', merge('0 ', '43', ranks == 1))
    call MPI_Info_free(info)
    call STAR_Info_get(info) ! without ierror
    call MPI_Info_get_nkeys(info, keys)
    if (keys < 30) call fail('so few keys', '')
    call MPI_Info_free(info)
    call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (total > 0) stop 1
contains
    subroutine expect(key, word)
        character(*), intent(in) :: key, word
        character(MPI_MAX_INFO_VAL) :: found
        logical :: there
        found = ''
        call MPI_Info_get(info, key, MPI_MAX_INFO_VAL, found, there)
        if ((there .neqv. word /= '') .or. found /= word) call fail(key, trim(found))
    end subroutine

    subroutine fail(what, found)
        character(*), intent(in) :: what, found
        print *, 'FAILED: ', what, ' is "', found, '"'
        wrong = wrong + 1
    end subroutine
end program
