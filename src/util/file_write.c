/* SPDX-License-Identifier: BSD-3-Clause
 * A file is replaced as a whole: a new one is written beside it, and takes its place once it is on the disk.
 * Others may be able to write in the folder. So the new one's name cannot be foreseen, it is made only where
 * nothing has that name, no link either, and all is done in one and the same folder, whatever becomes of its
 * path meanwhile. */
#include "util/file_write.h"
#include "util/file.h"
#include "util/quiet.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Standard output or error, where FILE is one of them under a name such as /dev/stdout: opened by that name,
 * a file would lose what stands there already. Else -1. */
static int standard_stream(const struct stat *file)
{
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct stat status;
        if (fstat(stream, &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino)
            return stream;
    }
    return -1;
}

/* Is PATH written to itself, and not another file that takes its place? */
static bool is_direct(const struct stat *file)
{
    return !S_ISREG(file->st_mode) || standard_stream(file) >= 0;
}

/* What is opened must be what was looked at: it is not emptied, and not made. Of a pipe AWAITS a reader. */
static int open_directly(const char *path, const struct stat *file, bool awaits)
{
    struct stat status;
    int stream = standard_stream(file);
    if (stream >= 0)
        return fcntl(stream, F_DUPFD_CLOEXEC, 0);
    int opened = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | (awaits ? 0 : O_NONBLOCK));
    if (opened >= 0 && !awaits)
        fcntl(opened, F_SETFL, O_WRONLY); /* a reader may be slow */
    if (opened < 0 ||
        (fstat(opened, &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino))
        return opened;
    close(opened);
    errno = ESTALE;
    return -1;
}

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t more = write(file, bytes, length);
        if (more < 0 && errno != EINTR)
            return false;
        if (more > 0) {
            bytes += more;
            length -= (size_t)more;
        }
    }
    return true;
}

/* Closes FILE, whatever was before; true: and nothing has failed. */
static bool close_after(int file, bool good)
{
    int error = errno;
    if (close(file) != 0 && good)
        return false;
    errno = error;
    return good;
}

static bool write_directly(const char *path, const struct stat *status, const char *bytes, size_t length,
                           bool awaits)
{
    struct star_quiet quiet;
    int file = open_directly(path, status, awaits);
    if (file < 0)
        return false;
    star_quiet_begin(&quiet, false);
    bool good = close_after(file, write_all(file, bytes, length));
    star_quiet_end(&quiet);
    return good;
}

/* The folder of what has the name PATH. */
static void name_folder(const char *path, struct star_text *folder)
{
    const char *slash = strrchr(path, '/');
    star_text_append(folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
}

/* 40 random bits as letters and digits. Without any, a name may be guessed; one that is taken is not used. */
static void name_beside(const char *name, struct star_text *beside)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    enum { LETTERS = 8, BITS = 5 };
    char letters[LETTERS + 1] = "";
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        random = (uint64_t)now.tv_nsec << 16 ^ (uint64_t)getpid();
    }
    for (int i = 0; i < LETTERS; i++)
        letters[i] = digits[random >> i * BITS & 31];
    star_text_add(beside, "%s.%s.new", name, letters);
}

/* A link that leads nowhere is taken for a file of its own, as are names that nothing has. To be freed; NULL
 * with errno, as where the system lets nobody follow the link. */
static char *target_of(const char *path)
{
    struct stat link, file;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode))
        return strdup(path);
    if (stat(path, &file) == 0)
        return realpath(path, NULL);
    return errno == ENOENT ? strdup(path) : NULL;
}

/* Where a file is replaced. */
struct place {
    char *target;
    const char *name; /* in the folder */
    int folder;
};

/* Who may not read a folder cannot have it written to disk either. */
static int open_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 && errno == EACCES ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : folder;
}

static bool open_place(const char *path, struct place *place)
{
    struct star_text folder = {0};
    *place = (struct place){.target = target_of(path), .folder = -1};
    if (place->target == NULL)
        return false;
    place->name = basename(place->target);
    name_folder(place->target, &folder);
    errno = ENOMEM;
    place->folder = folder.failed ? -1 : open_folder(folder.bytes);
    star_text_free(&folder);
    return place->folder >= 0;
}

static void close_place(struct place *place)
{
    int error = errno;
    if (place->folder >= 0)
        close(place->folder);
    free(place->target);
    errno = error;
}

/* FILE may be read and written by those who may read and write OLD, and belongs to its owner and group, as
 * far as this user may say so; where it cannot be its group's, that gets what all others have. Some file
 * systems have no permissions: then it has fewer of them. */
static void take_after(int file, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    struct stat status;
    if (fstat(file, &status) != 0)
        return;
    if (status.st_uid != old->st_uid && fchown(file, old->st_uid, (gid_t)-1) != 0)
        errno = 0; /* it is this user's then */
    if (status.st_gid != old->st_gid && fchown(file, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXO) << 3;
    if (fchmod(file, mode) != 0)
        errno = 0;
}

/* The program's mask may keep a file from the user's next run. */
static void let_owner(int file)
{
    const mode_t own = S_IRUSR | S_IWUSR;
    struct stat status;
    if (fstat(file, &status) == 0 && (status.st_mode & own) != own)
        fchmod(file, (status.st_mode & 0777) | own);
}

/* Makes a file beside that of PLACE, which is OLD; NULL: there is none. BESIDE is its name. */
static int open_beside(const struct place *place, const struct stat *old, struct star_text *beside)
{
    enum { TRIES = 100 };
    const mode_t mode = old ? old->st_mode & 0777 : 0666;
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        beside->length = 0;
        name_beside(place->name, beside);
        errno = ENOMEM;
        if (!beside->failed)
            file = openat(place->folder, beside->bytes, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          mode);
    }
    if (file >= 0 && old != NULL)
        take_after(file, old);
    else if (file >= 0)
        let_owner(file);
    return file;
}

/* True also where that cannot be asked for: of some file systems, and of folders that may not be read. */
static bool is_on_disk(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EBADF;
}

static bool replace_in(const struct place *place, const struct stat *old, const char *bytes, size_t length,
                       bool awaits)
{
    struct star_text beside = {0};
    int file = open_beside(place, old, &beside);
    bool good = file >= 0 &&
                close_after(file, write_all(file, bytes, length) && (!awaits || is_on_disk(file))) &&
                renameat(place->folder, beside.bytes, place->folder, place->name) == 0;
    int error = errno;
    if (file >= 0 && !good)
        unlinkat(place->folder, beside.bytes, 0);
    star_text_free(&beside);
    errno = error;
    return good && (!awaits || is_on_disk(place->folder));
}

/* Signals wait, so that Ctrl-C leaves nothing beside OLD; NULL: there is none. */
static bool replace(const char *path, const struct stat *old, const char *bytes, size_t length, bool awaits)
{
    struct star_quiet quiet;
    struct place place;
    star_quiet_begin(&quiet, true);
    bool good = open_place(path, &place) && replace_in(&place, old, bytes, length, awaits);
    close_place(&place);
    star_quiet_end(&quiet);
    return good;
}

/* As name_beside names them. */
static bool is_half(const char *name)
{
    static const char end[] = ".new";
    size_t length = strlen(name);
    return length >= sizeof end && strcmp(name + length - (sizeof end - 1), end) == 0;
}

void star_file_remove_halves(const char *folder)
{
    enum { DAY = 86400 };
    struct stat status;
    DIR *files = opendir(folder);
    for (struct dirent *file = files ? readdir(files) : NULL; file; file = readdir(files))
        if (is_half(file->d_name) && fstatat(dirfd(files), file->d_name, &status, 0) == 0 &&
            time(NULL) - status.st_mtime > DAY)
            unlinkat(dirfd(files), file->d_name, 0);
    if (files != NULL)
        closedir(files);
}

/* The system has this rule where it is asked for (fs.protected_symlinks), and for sticky folders alone. */
int star_file_check_link(const char *path, struct star_why *why)
{
    struct stat link, folder;
    struct star_text name = {0};
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || link.st_uid == geteuid())
        return 0;
    name_folder(path, &name);
    bool everybodys = !name.failed && stat(name.bytes, &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 &&
                      folder.st_uid != link.st_uid;
    star_text_free(&name);
    return everybodys ? star_because(why, STAR_ESYSTEM,
                                     "%.300s: another user's link, in a folder where everybody may make "
                                     "some; name the file itself",
                                     path)
                      : 0;
}

/* AWAITS the disk and a pipe's reader, or not. */
static int write_file(const char *path, const char *bytes, size_t length, bool awaits, struct star_why *why)
{
    struct stat status;
    int error = star_file_check_link(path, why);
    if (error)
        return error;
    bool there = stat(path, &status) == 0;
    bool good = there && is_direct(&status) ? write_directly(path, &status, bytes, length, awaits)
                                            : replace(path, there ? &status : NULL, bytes, length, awaits);
    return good ? 0 : star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
}

int star_file_write(const char *path, const char *bytes, size_t length, struct star_why *why)
{
    return write_file(path, bytes, length, true, why);
}

int star_file_write_soon(const char *path, const char *bytes, size_t length, struct star_why *why)
{
    return write_file(path, bytes, length, false, why);
}

/* In one piece, so that no other's is in the middle. */
static bool append_to(int file, const char *bytes, size_t length, off_t most, off_t *now)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    errno = !S_ISREG(status.st_mode) || status.st_uid != geteuid() ? EACCES : EFBIG;
    if (errno == EACCES || status.st_size > most - (off_t)length)
        return false;
    errno = ENOSPC;
    *now = status.st_size + (off_t)length;
    let_owner(file);
    return write(file, bytes, length) == (ssize_t)length;
}

int star_file_append(const char *path, const char *bytes, size_t length, off_t most, off_t *now,
                     struct star_why *why)
{
    struct star_quiet quiet;
    star_quiet_begin(&quiet, true);
    int file =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    bool good = file >= 0 && append_to(file, bytes, length, most, now);
    if (file >= 0)
        good = close_after(file, good);
    star_quiet_end(&quiet);
    return good ? 0 : star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
}

bool star_file_is_replaced(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || !is_direct(&status);
}

static bool is_writable(const char *path, const struct stat *file)
{
    if (!S_ISDIR(file->st_mode))
        return standard_stream(file) >= 0 || access(path, W_OK) == 0;
    errno = EISDIR;
    return false;
}

/* Can a file be made there? Else its name may be too long. */
static bool has_room_beside(const struct place *place)
{
    struct stat status;
    struct star_text beside = {0};
    name_beside(place->name, &beside);
    errno = ENOMEM;
    bool good = !beside.failed && faccessat(place->folder, ".", W_OK | X_OK, 0) == 0 &&
                (fstatat(place->folder, beside.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT);
    int error = errno;
    star_text_free(&beside);
    errno = error;
    return good;
}

static bool is_replaceable(const char *path)
{
    struct place place;
    bool good = open_place(path, &place) && has_room_beside(&place);
    close_place(&place);
    return good;
}

int star_file_check(const char *path, struct star_why *why)
{
    struct stat status;
    if (path[0] == 0)
        return star_because(why, STAR_EINPUT, "a file's name is empty");
    int error = star_file_check_link(path, why);
    if (error)
        return error;
    bool direct = stat(path, &status) == 0 && is_direct(&status);
    if (direct ? is_writable(path, &status) : is_replaceable(path))
        return 0;
    return star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
}
