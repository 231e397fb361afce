# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation in a cube, solved thrice with DOLFINx: exchanges among neighbours, and sparse ones that end with a
nonblocking barrier."""
from mpi4py import MPI
from petsc4py import PETSc
import dolfinx
from dolfinx import fem, mesh
from dolfinx.fem.petsc import LinearProblem
import numpy
import ufl

cube = mesh.create_unit_cube(MPI.COMM_WORLD, 12, 12, 12)
space = fem.FunctionSpace(cube, ("Lagrange", 1))
trial, test, x = ufl.TrialFunction(space), ufl.TestFunction(space), ufl.SpatialCoordinate(cube)
source = 10 * ufl.exp(-((x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2) / 0.02)
sides = mesh.locate_entities_boundary(cube, 2, lambda at: numpy.isclose(at[0], 0) | numpy.isclose(at[0], 1))
fixed = fem.dirichletbc(PETSc.ScalarType(0), fem.locate_dofs_topological(space, 2, sides), space)
problem = LinearProblem(ufl.inner(ufl.grad(trial), ufl.grad(test)) * ufl.dx, source * test * ufl.dx, bcs=[fixed],
                        petsc_options={"ksp_type": "cg", "pc_type": "jacobi", "ksp_rtol": 1e-8})
for _ in range(3):
    solution = problem.solve()
    for _ in range(20):
        solution.x.scatter_forward()
square = MPI.COMM_WORLD.allreduce(fem.assemble_scalar(fem.form(solution * solution * ufl.dx)))
with dolfinx.io.XDMFFile(cube.comm, "solution.xdmf", "w") as file:
    file.write_mesh(cube)
    file.write_function(solution)
if MPI.COMM_WORLD.rank == 0:
    print(f"square {square:.12e} iterations {problem.solver.getIterationNumber()}")
