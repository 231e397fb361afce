/* SPDX-License-Identifier: BSD-3-Clause
 * Devices: buffers in a GPU's memory must not be touched by the host. The device's runtime tells which ones
 * are there. It is asked at each call that a method of startune's serves: memory may be freed, and come again
 * as another kind, and nobody says so. A program may load the runtime at any time. */
#include "runtime/device.h"

#include <mpi.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Numbered as MPIX_GPU_query_support has it. A runtime is asked in its first library: the driver's, of CUDA,
 * whose questions leave no error behind. Level Zero answers for the program's own contexts alone, which are
 * not known. */
enum { CUDA, ZE, HIP, KINDS };
static const struct {
    const char *library[2], *takes[2], *query, *file;
} kinds[KINDS] = {
    [CUDA] = {{"libcuda.so", "libcudart.so"},
              {"MPIX_Query_cuda_support"},
              "cuPointerGetAttribute",
              "/dev/nvidiactl"},
    [ZE] = {{"libze_loader.so"}, {"MPIX_Query_ze_support"}, NULL, "/dev/dri/renderD128"},
    [HIP] = {{"libamdhip64.so"},
             {"MPIX_Query_hip_support", "MPIX_Query_rocm_support"},
             "hipPointerGetAttributes",
             "/dev/kfd"},
};

struct looking {
    const char *library;
    char path[4096]; /* of what was found: who unloads it frees its name */
};

static int is_library(struct dl_phdr_info *info, size_t size, void *context)
{
    struct looking *looking = context;
    (void)size;
    if (strncmp(basename(info->dlpi_name), looking->library, strlen(looking->library)) != 0)
        return 0;
    snprintf(looking->path, sizeof looking->path, "%s", info->dlpi_name);
    return 1;
}

static bool is_loaded(const char *library)
{
    struct looking looking = {.library = library};
    return library != NULL && dl_iterate_phdr(is_library, &looking) != 0;
}

/* What MPI libraries offer to be asked: each function where it is. */
static bool mpi_takes(int kind)
{
    for (int i = 0; i < 2 && kinds[kind].takes[i] != NULL; i++) {
        int (*ask)(void);
        *(void **)&ask = dlsym(RTLD_DEFAULT, kinds[kind].takes[i]);
        if (ask != NULL && ask() == 1)
            return true;
    }
    int (*ask_kind)(int kind, int *is_supported), supported = 0;
    *(void **)&ask_kind = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support");
    return ask_kind != NULL && ask_kind(kind, &supported) == MPI_SUCCESS && supported;
}

bool star_device_taken(void)
{
    enum { UNKNOWN, NONE, SOME };
    static atomic_int known = UNKNOWN;
    int takes = atomic_load_explicit(&known, memory_order_relaxed);
    if (takes != UNKNOWN)
        return takes == SOME;
    takes = mpi_takes(CUDA) || mpi_takes(ZE) || mpi_takes(HIP) ? SOME : NONE;
    atomic_store_explicit(&known, takes, memory_order_relaxed);
    return takes == SOME;
}

/* The program may load the device's libraries only later. */
static bool may_be_there(int kind)
{
    return is_loaded(kinds[kind].library[0]) || is_loaded(kinds[kind].library[1]) ||
           access(kinds[kind].file, F_OK) == 0;
}

bool star_device_possible(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (mpi_takes(kind) && may_be_there(kind))
            return true;
    return false;
}

/* The function NAME of the runtime's library, which then stays loaded: it may be no global one. */
static void *function_of(int kind, const char *name)
{
    struct looking looking = {.library = kinds[kind].library[0]};
    bool found = dl_iterate_phdr(is_library, &looking) != 0;
    void *opened = found ? dlopen(looking.path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return opened != NULL ? dlsym(opened, name) : NULL;
}

/* Before version 6 the host's memory was kind 0; now that is memory which HIP knows nothing of, and 1 is the
 * host's. */
static int hosts_of_hip(void)
{
    enum { VERSION_6 = 60000000 };
    int (*ask)(int *version), version = 0;
    *(void **)&ask = function_of(HIP, "hipRuntimeGetVersion");
    return ask != NULL && ask(&version) == 0 && version >= VERSION_6 ? 2 : 1;
}

/* Of the kinds that the MPI library takes: no others may come to it. */
static struct star_device find(void)
{
    struct star_device device = {0};
    bool cuda = mpi_takes(CUDA), hip = mpi_takes(HIP);
    if (cuda)
        *(void **)&device.cuda = function_of(CUDA, kinds[CUDA].query);
    if (hip) {
        *(void **)&device.hip = function_of(HIP, kinds[HIP].query);
        *(void **)&device.hip_forget = function_of(HIP, "hipGetLastError");
    }
    if (device.hip != NULL)
        device.hip_hosts = hosts_of_hip();
    device.silent = (cuda && device.cuda == NULL && is_loaded(kinds[CUDA].library[0])) ||
                    (hip && device.hip == NULL && is_loaded(kinds[HIP].library[0]));
    device.all = (!cuda || device.cuda != NULL) && (!hip || device.hip != NULL);
    return device;
}

/* Tells how many libraries were loaded so far, and stops. */
static int count_loaded(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

struct star_device star_device_now(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct star_device known;
    static unsigned long long looked;
    unsigned long long now = 0;
    struct star_device device = {0};
    if (!star_device_taken())
        return device;
    pthread_mutex_lock(&lock);
    device = known;
    unsigned long long then = looked;
    pthread_mutex_unlock(&lock);
    if (device.all)
        return device;
    dl_iterate_phdr(count_loaded, &now);
    if (now == then)
        return device;
    /* Outside of the lock: finding awaits a thread that opens a library, which may itself come here. */
    device = find();
    pthread_mutex_lock(&lock);
    known = device;
    looked = now;
    pthread_mutex_unlock(&lock);
    return device;
}

bool star_device_unknowable(void)
{
    return (mpi_takes(ZE) && may_be_there(ZE)) || star_device_now().silent;
}

/* An error: the driver knows nothing of the address, or there is no device in use. */
static bool is_cudas(const struct star_device *device, const void *address)
{
    enum { MEMORY_TYPE = 2, HOST = 1 };
    unsigned type = HOST;
    return device->cuda(&type, MEMORY_TYPE, (uintptr_t)address) == 0 && type != HOST && type != 0;
}

static bool is_hips(const struct star_device *device, const void *address)
{
    int answer[64] = {0}; /* hipPointerAttribute_t begins with the kind of memory; none is as long */
    if (device->hip(answer, address) == 0)
        return answer[0] >= device->hip_hosts;
    if (device->hip_forget != NULL)
        device->hip_forget();
    return false;
}

bool star_device_holds(const struct star_device *device, const void *address)
{
    return device->silent || (device->cuda != NULL && is_cudas(device, address)) ||
           (device->hip != NULL && is_hips(device, address));
}
