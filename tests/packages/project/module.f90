! SPDX-License-Identifier: BSD-3-Clause
! Compiles with the module startune, and knows its numbers.
program module
    use startune
    implicit none
    print *, STAR_FNCTSET_NEIGHBORHOOD%handle /= 0
end program
