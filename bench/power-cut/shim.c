/*
 * A power cut without a power cut. Preloaded into the process that writes a database, it copies what was written
 * below POWER_CUT_FROM into POWER_CUT_TO, but only when the process calls fsync or fdatasync. At any moment the copy
 * is what a disk that keeps nothing unsynced would hold: the state after pulling the plug.
 *
 * Unlinking counts at once (SQLite syncs the directory afterwards). The shared memory file is mapped, never written,
 * and is rebuilt after a crash, so it does not matter here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 1024

/* What an open file has that its copy has not: one range is enough, bytes between two writes are equal anyway. */
static struct {
  char *name;
  off_t from, to;
} files[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static void copy_path(char *path, size_t size, const char *name) {
  snprintf(path, size, "%s/%s", getenv("POWER_CUT_TO"), name);
}

/* Name below POWER_CUT_FROM, NULL for files that are none of our business. */
static const char *tracked(const char *path) {
  const char *from = getenv("POWER_CUT_FROM");
  size_t length = from ? strlen(from) : 0;
  if (!length || strncmp(path, from, length) != 0 || path[length] != '/') return NULL;
  const char *name = path + length + 1;
  size_t end = strlen(name);
  if (end == 0 || strchr(name, '/') || (end > 4 && strcmp(name + end - 4, "-shm") == 0)) return NULL;
  return name;
}

static int opened(int fd, const char *path, int flags) {
  const char *name = fd >= 0 && fd < FILES ? tracked(path) : NULL;
  if (!name || (flags & O_DIRECTORY)) return fd;
  pthread_mutex_lock(&lock);
  files[fd].name = strdup(name);
  files[fd].from = files[fd].to = 0;
  pthread_mutex_unlock(&lock);
  return fd;
}

static void written(int fd, off_t at, ssize_t count) {
  if (fd < 0 || fd >= FILES || count <= 0) return;
  pthread_mutex_lock(&lock);
  if (files[fd].name) {
    int clean = files[fd].from == files[fd].to;
    if (clean || at < files[fd].from) files[fd].from = at;
    if (clean || at + count > files[fd].to) files[fd].to = at + count;
  }
  pthread_mutex_unlock(&lock);
}

static void copy_range(int fd, int copy, off_t from, off_t to) {
  static char buffer[1 << 16];
  while (from < to) {
    size_t wanted = to - from < (off_t)sizeof buffer ? (size_t)(to - from) : sizeof buffer;
    ssize_t got = pread(fd, buffer, wanted, from);
    if (got <= 0) return;
    ((ssize_t(*)(int, const void *, size_t, off_t))next("pwrite"))(copy, buffer, got, from);
    from += got;
  }
}

/* Runs before the real sync answers: an acknowledged commit is in the copy. */
static void synced(int fd) {
  if (fd < 0 || fd >= FILES) return;
  pthread_mutex_lock(&lock);
  if (files[fd].name) {
    char path[PATH_MAX];
    struct stat now;
    copy_path(path, sizeof path, files[fd].name);
    int copy = ((int (*)(const char *, int, ...))next("open"))(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (copy >= 0 && fstat(fd, &now) == 0) {
      copy_range(fd, copy, files[fd].from, files[fd].to);
      if (((int (*)(int, off_t))next("ftruncate"))(copy, now.st_size) == 0) files[fd].from = files[fd].to = 0;
    }
    if (copy >= 0) ((int (*)(int))next("close"))(copy);
  }
  pthread_mutex_unlock(&lock);
}

#define OPEN(function)                                                        \
  int function(const char *path, int flags, ...) {                            \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;   \
    va_end(rest);                                                             \
    int fd = ((int (*)(const char *, int, ...))next(#function))(path, flags, mode); \
    return opened(fd, path, flags);                                           \
  }
OPEN(open)
OPEN(open64)

#define PWRITE(function)                                                                  \
  ssize_t function(int fd, const void *bytes, size_t count, off_t at) {                   \
    ssize_t done = ((ssize_t(*)(int, const void *, size_t, off_t))next(#function))(fd, bytes, count, at); \
    written(fd, at, done);                                                                \
    return done;                                                                          \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int fd, const void *bytes, size_t count) {
  off_t at = fd >= 0 && fd < FILES && files[fd].name ? lseek(fd, 0, SEEK_CUR) : 0;
  ssize_t done = ((ssize_t(*)(int, const void *, size_t))next("write"))(fd, bytes, count);
  written(fd, at, done);
  return done;
}

#define SYNC(function)                             \
  int function(int fd) {                           \
    synced(fd);                                    \
    return ((int (*)(int))next(#function))(fd);    \
  }
SYNC(fsync)
SYNC(fdatasync)

int close(int fd) {
  if (fd >= 0 && fd < FILES) {
    pthread_mutex_lock(&lock);
    free(files[fd].name);
    files[fd].name = NULL;
    pthread_mutex_unlock(&lock);
  }
  return ((int (*)(int))next("close"))(fd);
}

int unlink(const char *path) {
  const char *name = tracked(path);
  if (name) {
    char copy[PATH_MAX];
    copy_path(copy, sizeof copy, name);
    ((int (*)(const char *))next("unlink"))(copy);
  }
  return ((int (*)(const char *))next("unlink"))(path);
}
