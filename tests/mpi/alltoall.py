# SPDX-License-Identifier: BSD-3-Clause
# An ordinary mpi4py program: Alltoall of numpy arrays, several types and sizes, in place too; prints a digest.
import hashlib

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
digest = hashlib.sha256()
generator = numpy.random.default_rng(rank)
for turn in range(40):
    for count, kind in ((1, "f8"), (3, "i4"), (1000, "f8"), (17, "i1"), (40, "c16")):
        out = generator.integers(0, 100, size * count).astype(kind)
        into = numpy.zeros_like(out)
        comm.Alltoall(out, into)
        digest.update(into.tobytes())
        if turn % 4 == 3:
            again = out.copy()
            comm.Alltoall(MPI.IN_PLACE, again)
            assert (again == into).all(), (rank, count, kind)
    half = comm.Split(rank % 2)
    sums = numpy.zeros(half.size)
    half.Alltoall(numpy.full(half.size, float(rank)), sums)
    digest.update(sums.tobytes())
    half.Free()
digests = comm.gather(digest.hexdigest())
if rank == 0:
    print("alltoall.py:", hashlib.sha256("".join(digests).encode()).hexdigest())
