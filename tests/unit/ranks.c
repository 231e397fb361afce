/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"
#include "exec/native.h"
#include "exec/own.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LETTER = 256, MAPPINGS = 8 };

/* A message of one rank to another. */
struct letter {
    sem_t sent, taken;
    char text[LETTER];
};

/* Shared by processes, too. */
static struct world {
    int size;
    pthread_barrier_t barrier;
    char slot[RANKS_MOST][LETTER];
    struct letter letter[RANKS_MOST][RANKS_MOST];
} * world;

static _Thread_local int me;

void ranks_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(1);
}

static void open_world(int size)
{
    pthread_barrierattr_t barrier;
    if (world != NULL)
        munmap(world, sizeof *world);
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (world == MAP_FAILED)
        abort();
    world->size = size;
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&world->barrier, &barrier, (unsigned)size);
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++) {
            sem_init(&world->letter[from][to].sent, 1, 0);
            sem_init(&world->letter[from][to].taken, 1, 1);
        }
}

struct thread {
    pthread_t thread;
    int rank;
    rank_body *body;
    void *context;
};

static void *run_thread(void *argument)
{
    struct thread *thread = argument;
    me = thread->rank;
    thread->body(thread->rank, thread->context);
    return NULL;
}

void ranks_as_threads(int size, rank_body *body, void *context)
{
    struct thread threads[RANKS_MOST];
    open_world(size);
    for (int r = 0; r < size; r++) {
        threads[r] = (struct thread){.rank = r, .body = body, .context = context};
        if (pthread_create(&threads[r].thread, NULL, run_thread, &threads[r]) != 0)
            abort();
    }
    for (int r = 0; r < size; r++)
        pthread_join(threads[r].thread, NULL);
}

bool ranks_as_processes(int size, rank_body *body, void *context)
{
    pid_t child[RANKS_MOST];
    bool right = true;
    open_world(size);
    for (int r = 0; r < size; r++) {
        child[r] = fork();
        if (child[r] == 0) {
            me = r;
            body(r, context);
            _exit(0);
        }
        if (child[r] < 0)
            abort();
    }
    for (int left = size; left > 0; left--) {
        int status = -1;
        bool ended = wait(&status) > 0 && status == 0;
        for (int r = 0; right && !ended && r < size; r++)
            kill(child[r], SIGKILL); /* they would wait for it */
        right = right && ended;
    }
    return right;
}

void ranks_pin(int rank)
{
    cpu_set_t may, one;
    CPU_ZERO(&may);
    if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) < world->size)
        return;
    int processor = -1;
    for (int found = -1; found < rank; found += CPU_ISSET(processor, &may) ? 1 : 0)
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void ranks_barrier(void)
{
    pthread_barrier_wait(&world->barrier);
}

struct star_route ranks_route(void)
{
    return star_route_alone(MPI_COMM_WORLD);
}

/* The MPI library's. */

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = world->size;
    return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = me;
    return MPI_SUCCESS;
}

/* Messages are bytes. */
int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    struct letter *letter = &world->letter[me][to];
    (void)type, (void)tag, (void)comm;
    while (sem_wait(&letter->taken) != 0)
        ;
    memcpy(letter->text, buffer, (size_t)count);
    sem_post(&letter->sent);
    return MPI_SUCCESS;
}

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    struct letter *letter = &world->letter[from][me];
    (void)type, (void)tag, (void)comm, (void)status;
    while (sem_wait(&letter->sent) != 0)
        ;
    memcpy(buffer, letter->text, (size_t)count);
    sem_post(&letter->taken);
    return MPI_SUCCESS;
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    (void)source, (void)tag, (void)comm, (void)status;
    *flag = 0;
    return MPI_SUCCESS;
}

int PMPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
    const unsigned char *from = in;
    unsigned char *to = inout;
    (void)type, (void)op;
    for (int i = 0; i < count; i++)
        to[i] = (unsigned char)(to[i] + from[i]);
    return MPI_SUCCESS;
}

/* The least of one int each, in place. */
static int least_of_all(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int least, *value = inout;
    (void)in, (void)count, (void)type, (void)op, (void)comm;
    memcpy(world->slot[me], value, sizeof *value);
    ranks_barrier();
    for (int r = 0; r < world->size; r++) {
        memcpy(&least, world->slot[r], sizeof least);
        *value = least < *value ? least : *value;
    }
    ranks_barrier();
    return MPI_SUCCESS;
}

static int tell_all(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)type, (void)comm;
    if (me == root)
        memcpy(world->slot[root], buffer, (size_t)count);
    ranks_barrier();
    if (me != root)
        memcpy(buffer, world->slot[root], (size_t)count);
    ranks_barrier();
    return MPI_SUCCESS;
}

struct star_native_table star_native = {.Allreduce = least_of_all, .Bcast = tell_all};

/* Files that are mapped; the linker lets all calls of mmap and munmap come here. */

static struct mapping {
    ino_t file;
    void *memory;
    int users;
} mappings[MAPPINGS];
static pthread_mutex_t mapping_lock = PTHREAD_MUTEX_INITIALIZER;

void *__real_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t bytes);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t bytes);

/* That of FILE, or else a free one. */
static struct mapping *mapping_of(ino_t file)
{
    struct mapping *free = NULL;
    for (int i = 0; i < MAPPINGS; i++) {
        if (mappings[i].users > 0 && mappings[i].file == file)
            return &mappings[i];
        if (mappings[i].users == 0)
            free = &mappings[i];
    }
    return free;
}

static struct mapping *mapping_at(const void *memory)
{
    for (int i = 0; i < MAPPINGS; i++)
        if (mappings[i].users > 0 && mappings[i].memory == memory)
            return &mappings[i];
    return NULL;
}

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0)
        return __real_mmap(address, bytes, protection, flags, file, offset);
    pthread_mutex_lock(&mapping_lock);
    struct mapping *mapping = mapping_of(about.st_ino);
    if (mapping == NULL)
        abort();
    if (mapping->users == 0) {
        mapping->memory = __real_mmap(address, bytes, protection, flags, file, offset);
        mapping->file = about.st_ino;
    }
    mapping->users++;
    void *memory = mapping->memory;
    pthread_mutex_unlock(&mapping_lock);
    return memory;
}

int __wrap_munmap(void *address, size_t bytes)
{
    int error = 0;
    pthread_mutex_lock(&mapping_lock);
    struct mapping *mapping = mapping_at(address);
    if (mapping == NULL)
        error = __real_munmap(address, bytes);
    else if (--mapping->users == 0) {
        error = __real_munmap(address, bytes);
        *mapping = (struct mapping){0};
    }
    pthread_mutex_unlock(&mapping_lock);
    return error;
}
