/* SPDX-License-Identifier: BSD-3-Clause
 * Devices: buffers in a GPU's memory must not be touched by the host. Whether a buffer is one, a rank knows
 * of its own buffers alone; so where there may be any, the ranks leave a communicator to the MPI library, all
 * together, when it would become tuned. There may be any where the MPI library takes them and the machine has
 * a device, though the program may load the device's libraries only later. */
#include "runtime/device.h"

#include <mpi.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

static int is_device_library(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const libraries[] = {"libcuda.so", "libcudart.so", "libamdhip64.so",
                                            "libze_loader.so"};
    (void)size, (void)context;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
            return 1;
    return 0;
}

/* What MPI libraries offer to be asked: Open MPI and MPICH by kind of device, each function where it is. */
static bool mpi_takes_device_buffers(void)
{
    static const char *const questions[] = {"MPIX_Query_cuda_support", "MPIX_Query_rocm_support",
                                            "MPIX_Query_hip_support", "MPIX_Query_ze_support"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        int (*ask)(void);
        *(void **)&ask = dlsym(RTLD_DEFAULT, questions[i]);
        if (ask != NULL && ask() == 1)
            return true;
    }
    int (*ask_kind)(int kind, int *is_supported), supported = 0;
    *(void **)&ask_kind = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support");
    for (int kind = 0; ask_kind != NULL && kind < 3; kind++)
        if (ask_kind(kind, &supported) == MPI_SUCCESS && supported)
            return true;
    return false;
}

static bool machine_has_device(void)
{
    static const char *const devices[] = {"/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD128"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (access(devices[i], F_OK) == 0)
            return true;
    return false;
}

bool star_device_possible(void)
{
    return mpi_takes_device_buffers() &&
           (dl_iterate_phdr(is_device_library, NULL) != 0 || machine_has_device());
}
