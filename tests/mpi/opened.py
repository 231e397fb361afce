# SPDX-License-Identifier: BSD-3-Clause
"""An MPI program that opens the MPI library by ctypes: opened.py LIBRARY global|local CALLS [NUMBERS]. Rank 0
sends as many numbers to rank 1."""
import ctypes
import os
import sys

library, how, calls, numbers = (*sys.argv[1:], "0")[:4]
mpi = ctypes.CDLL(library, ctypes.RTLD_GLOBAL if how == "global" else ctypes.RTLD_LOCAL)
if "mpich" in library:
    world, number, maximum = ctypes.c_int(0x44000000), ctypes.c_int(0x4c000405), ctypes.c_int(0x58000001)
else:
    world, number, maximum = (ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, name)))
                              for name in ("ompi_mpi_comm_world", "ompi_mpi_int", "ompi_mpi_op_max"))
rank, ranks = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
mpi.MPI_Comm_size(world, ctypes.byref(ranks))
for call in range(int(calls)):
    own = (ctypes.c_int * 64)(*(rank.value * 100 + call + i for i in range(64)))
    most = (ctypes.c_int * 64)()
    mpi.MPI_Allreduce(own, most, 64, number, maximum, world)
    if list(most) != [(ranks.value - 1) * 100 + call + i for i in range(64)]:
        print(f"FAILED: rank {rank.value}, call {call}", file=sys.stderr)
if int(numbers) and rank.value < 2:
    data, status = (ctypes.c_int * int(numbers))(), (ctypes.c_int * 64)()
    if rank.value == 0:
        mpi.MPI_Send(data, int(numbers), number, 1, 0, world)
    else:
        mpi.MPI_Recv(data, int(numbers), number, 0, 0, world, status)
if rank.value == 0:
    os.write(1, f"{calls} calls, the last: {most[0]} to {most[63]}\n".encode())  # at once: lines of ranks do not mix
mpi.MPI_Finalize()
