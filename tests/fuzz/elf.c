/* SPDX-License-Identifier: BSD-3-Clause
 * Programs, which startune run looks at before it starts them. */
#include "cli/commands/run/program.h"
#include "expect.h"
#include "targets.h"
#include "util/why.h"

int fuzz_elf(const char *text, size_t length, struct star_why *why)
{
    const unsigned char *bytes = (const unsigned char *)text;
    enum cli_mpi mpi = CLI_MPI_NONE;
    enum cli_binary binary = cli_read_elf(bytes, length, &mpi);
    const char *loader = cli_listing_loader(bytes, length);
    assert_in_range(mpi, CLI_MPI_NONE, CLI_MPI_MPICH);
    assert_true(loader == NULL || (binary == CLI_DYNAMIC && strlen(loader) < length));
    return binary == CLI_DYNAMIC ? 0 : star_because(why, STAR_EINPUT, "fuzz: no program with libraries");
}
