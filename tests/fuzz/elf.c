/* SPDX-License-Identifier: BSD-3-Clause
 * Programs, which startune run looks at before it starts them. */
#include "cli/commands/run/program.h"
#include "dialect/dialect.h"
#include "expect.h"
#include "targets.h"
#include "util/why.h"

int fuzz_elf(const char *text, size_t length, struct star_why *why)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const char *mpi = NULL;
    enum cli_binary binary = cli_read_elf(bytes, length, &mpi);
    const char *loader = cli_listing_loader(bytes, length);
    assert_true(mpi == NULL || star_dialect_of_build(mpi)->build == mpi);
    assert_true(loader == NULL || (binary == CLI_DYNAMIC && strlen(loader) < length));
    return binary == CLI_DYNAMIC ? 0 : star_because(why, STAR_EINPUT, "fuzz: no program with libraries");
}
