/* System calls on the files of one folder: counted, and at a chosen one failed or the process
   killed; or recorded, so that a power cut can be simulated. Preloaded by fault_calls.py:

       gcc -shared -fPIC -O1 -pthread -o faults.so faults.c -ldl && LD_PRELOAD=./faults.so python ...

   Linux with glibc. Both SQLite and Python call the system through these functions of the C library.
   For programs that are only started, FAULTS_FOLDER, FAULTS_KILL_AT and FAULTS_KINDS say the same as
   faults_watch and faults_arm. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN = 1, READ = 2, WRITE = 4, SYNC = 8, TRUNCATE = 16, UNLINK = 32, RENAME = 64,
       CHMOD = 128, MAP = 256, LOCK = 512, MEMORY = 1024 };
enum { COUNT, FAIL_ONCE, FAIL_ALWAYS, FAIL_HALF, KILL, KILL_HALF };
enum { R_CREATE = 1, R_WRITE, R_TRUNCATE, R_SYNC, R_RENAME, R_UNLINK, R_MARK, R_LINK };
enum { MOST_FILES = 1 << 16 };

static char folder[PATH_MAX];
static unsigned char watched[MOST_FILES];
static long calls, target = -1;
static int action = COUNT, code = EIO, hit, recording = -1;
static unsigned kinds = ~0u;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void faults_watch(const char *path) {  strncpy(folder, path, PATH_MAX - 1); }

void faults_arm(long number, int what, int error, unsigned which) {
    pthread_mutex_lock(&mutex);
    calls = hit = 0;
    target = number, action = what, code = error, kinds = which;
    pthread_mutex_unlock(&mutex);
}

long faults_count(void) { return calls; }
int faults_hit(void) { return hit; }

int faults_open(void) {
    int count = 0;
    for (int file = 0; file < MOST_FILES; file++) count += watched[file];
    return count;
}

static void put(int what, uint64_t inode, int64_t where, const void *data, uint32_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    struct __attribute__((packed)) { uint32_t what; uint64_t inode; int64_t where; uint32_t size; }
        head = {(uint32_t)what, inode, where, size};
    if (recording >= 0 && (real(recording, &head, sizeof head) != sizeof head ||
                           (size && real(recording, data, size) != (ssize_t)size)))
        abort();
}

void faults_record(int file) { recording = file; }
void faults_mark(int number) { put(R_MARK, 0, number, NULL, 0); }

static uint64_t inode_of(int file) {
    struct stat status;
    return fstat(file, &status) ? 0 : status.st_ino;
}

static int is_watched(int file) { return file >= 0 && file < MOST_FILES && watched[file]; }

/* The absolute path of what a call names, where that lies in the folder. */
static const char *inside(int at, const char *path, char *full) {
    if (!*folder || !path) return NULL;
    size_t used = 0;
    if (path[0] != '/') {
        if (at == AT_FDCWD) {
            if (!getcwd(full, PATH_MAX)) return NULL;
        } else {
            char link[64];
            char *end = link + sizeof link - 1;
            *end = 0;
            int number = at;
            do *--end = (char)('0' + number % 10); while (number /= 10);
            const char *start = "/proc/self/fd/";
            end -= strlen(start);
            memcpy(end, start, strlen(start));
            ssize_t length = readlink(end, full, PATH_MAX - 1);
            if (length < 0) return NULL;
            full[length] = 0;
        }
        used = strlen(full);
        full[used++] = '/';
    }
    strncpy(full + used, path, PATH_MAX - used - 1);
    full[PATH_MAX - 1] = 0;
    size_t length = strlen(folder);
    return !strncmp(full, folder, length) && (!full[length] || full[length] == '/') ? full : NULL;
}

/* Whether this call is the one: it fails, does half of its work, or the process ends. */
static int strikes(unsigned kind) {
    if (!(kinds & kind) || target < 0) return 0;
    long number = ++calls;
    if (action == COUNT) return 0;
    if (number != target && !(action == FAIL_ALWAYS && number > target)) return 0;
    if (!hit) hit = (int)kind;
    if (action == KILL || (action == KILL_HALF && kind != WRITE)) kill(getpid(), SIGKILL);
    errno = code;
    return 1;
}

static int opened(int file, const char *path, int flags, int existed) {
    if (file < 0 || file >= MOST_FILES) return file;
    watched[file] = 1;
    if ((flags & O_TMPFILE) == O_TMPFILE || ((flags & O_CREAT) && !existed))
        put(R_CREATE, inode_of(file), 0, path, (uint32_t)strlen(path));
    else if (flags & O_TRUNC)
        put(R_TRUNCATE, inode_of(file), 0, NULL, 0);
    return file;
}

static int watched_open(int at, const char *path, int flags, mode_t mode) {
    static int (*real)(int, const char *, int, ...);
    if (!real) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
    char full[PATH_MAX];
    const char *name = inside(at, path, full);
    if (!name) return real(at, path, flags, mode);
    pthread_mutex_lock(&mutex);
    int file = -1;
    if (!strikes(OPEN)) {
        int existed = !access(name, F_OK);
        file = opened(real(at, path, flags, mode), name, flags, existed);
    }
    pthread_mutex_unlock(&mutex);
    return file;
}

#define OPENING(name, before, at) \
    int name(before const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return watched_open(at, path, flags, mode); \
    }
#define NOTHING
OPENING(open, NOTHING, AT_FDCWD)
OPENING(open64, NOTHING, AT_FDCWD)
#define FOLDER int at,
OPENING(openat, FOLDER, at)
OPENING(openat64, FOLDER, at)

int close(int file) {
    REAL(close);
    if (file >= 0 && file < MOST_FILES) watched[file] = 0;
    return real(file);
}

static int copied(int file, int copy) {
    if (copy >= 0 && copy < MOST_FILES) watched[copy] = (unsigned char)is_watched(file);
    return copy;
}

int dup(int file) { REAL(dup); return copied(file, real(file)); }
int dup2(int file, int other) { REAL(dup2); return copied(file, real(file, other)); }
int dup3(int file, int other, int flags) { REAL(dup3); return copied(file, real(file, other, flags)); }

#define CONTROL(name) \
    int name(int file, int command, ...) { \
        static int (*real)(int, int, ...); \
        if (!real) real = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        int result = real(file, command, argument); \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(file, result) : result; \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

/* Writes; half of one where that is wanted, and the error at the next call. */

static ssize_t wrote(int file, const void *data, ssize_t done, off_t where) {
    if (done > 0) put(R_WRITE, inode_of(file), where, data, (uint32_t)done);
    return done;
}

ssize_t write(int file, const void *data, size_t size) {
    REAL(write);
    if (!is_watched(file)) return real(file, data, size);
    pthread_mutex_lock(&mutex);
    ssize_t done = -1;
    int struck = strikes(WRITE);
    if (!struck || action == FAIL_HALF || action == KILL_HALF) {
        done = real(file, data, struck && size > 1 ? size / 2 : size);
        wrote(file, data, done, lseek(file, 0, SEEK_CUR) - (done > 0 ? done : 0));
    }
    if (struck && action == KILL_HALF) kill(getpid(), SIGKILL);
    if (struck && action == FAIL_HALF) action = FAIL_ONCE, target = calls + 1;
    pthread_mutex_unlock(&mutex);
    return done;
}

#define WRITING(name, type) \
    ssize_t name(int file, const void *data, size_t size, type where) { \
        REAL(name); \
        if (!is_watched(file)) return real(file, data, size, where); \
        pthread_mutex_lock(&mutex); \
        ssize_t done = -1; \
        int struck = strikes(WRITE); \
        if (!struck || action == FAIL_HALF || action == KILL_HALF) { \
            done = real(file, data, struck && size > 1 ? size / 2 : size, where); \
            wrote(file, data, done, where); \
        } \
        if (struck && action == KILL_HALF) kill(getpid(), SIGKILL); \
        if (struck && action == FAIL_HALF) action = FAIL_ONCE, target = calls + 1; \
        pthread_mutex_unlock(&mutex); \
        return done; \
    }
WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

/* Calls that either happen or fail. */

#define HAPPENS(kind, call, after) \
    pthread_mutex_lock(&mutex); \
    int result = -1; \
    if (!strikes(kind) && (result = (call)) == 0) { after; } \
    pthread_mutex_unlock(&mutex); \
    return result;

#define SYNCING(name) \
    int name(int file) { \
        REAL(name); \
        if (!is_watched(file)) return real(file); \
        HAPPENS(SYNC, real(file), put(R_SYNC, inode_of(file), 0, NULL, 0)) \
    }
SYNCING(fsync)
SYNCING(fdatasync)

#define CUTTING(name, type) \
    int name(int file, type size) { \
        REAL(name); \
        if (!is_watched(file)) return real(file, size); \
        HAPPENS(TRUNCATE, real(file, size), put(R_TRUNCATE, inode_of(file), size, NULL, 0)) \
    }
CUTTING(ftruncate, off_t)
CUTTING(ftruncate64, off64_t)

#define READING(name, parameters, arguments) \
    ssize_t name parameters { \
        REAL(name); \
        if (!is_watched(file)) return real arguments; \
        pthread_mutex_lock(&mutex); \
        int struck = strikes(READ); \
        pthread_mutex_unlock(&mutex); \
        return struck ? -1 : real arguments; \
    }
READING(read, (int file, void *data, size_t size), (file, data, size))
READING(pread, (int file, void *data, size_t size, off_t where), (file, data, size, where))
READING(pread64, (int file, void *data, size_t size, off64_t where), (file, data, size, where))

int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat);
    char full[PATH_MAX];
    const char *name = inside(at, path, full);
    if (!name) return real(at, path, flags);
    HAPPENS(UNLINK, real(at, path, flags), put(R_UNLINK, 0, 0, name, (uint32_t)strlen(name)))
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

static void named(int what, const char *from, const char *to) {
    char both[2 * PATH_MAX];
    size_t length = strlen(from) + 1;
    memcpy(both, from, length);
    strcpy(both + length, to);
    put(what, 0, 0, both, (uint32_t)(length + strlen(to)));
}

int renameat(int at, const char *path, int other, const char *to) {
    REAL(renameat);
    char full[PATH_MAX], full_to[PATH_MAX];
    const char *name = inside(at, path, full), *target_name = inside(other, to, full_to);
    if (!name || !target_name) return real(at, path, other, to);
    HAPPENS(RENAME, real(at, path, other, to), named(R_RENAME, name, target_name))
}
int rename(const char *path, const char *to) { return renameat(AT_FDCWD, path, AT_FDCWD, to); }
int renameat2(int at, const char *path, int other, const char *to, unsigned flags) {
    REAL(renameat2);
    char full[PATH_MAX], full_to[PATH_MAX];
    const char *name = inside(at, path, full), *target_name = inside(other, to, full_to);
    if (!name || !target_name) return real(at, path, other, to, flags);
    HAPPENS(RENAME, real(at, path, other, to, flags), named(R_RENAME, name, target_name))
}

int linkat(int at, const char *path, int other, const char *to, int flags) {
    REAL(linkat);
    char full_to[PATH_MAX];
    const char *target_name = inside(other, to, full_to);
    if (!target_name) return real(at, path, other, to, flags);
    struct stat status;
    HAPPENS(RENAME, real(at, path, other, to, flags),
            if (!stat(to, &status))
                put(R_LINK, status.st_ino, 0, target_name, (uint32_t)strlen(target_name)))
}

int link(const char *path, const char *to) { return linkat(AT_FDCWD, path, AT_FDCWD, to, 0); }

int fchmodat(int at, const char *path, mode_t mode, int flags) {
    REAL(fchmodat);
    char full[PATH_MAX];
    if (!inside(at, path, full)) return real(at, path, mode, flags);
    HAPPENS(CHMOD, real(at, path, mode, flags), (void)0)
}
int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }

int flock(int file, int how) {
    REAL(flock);
    if (!is_watched(file)) return real(file, how);
    HAPPENS(LOCK, real(file, how), (void)0)
}

#define MAPPING(name, type) \
    void *name(void *at, size_t size, int rights, int flags, int file, type where) { \
        REAL(name); \
        if (!is_watched(file)) return real(at, size, rights, flags, file, where); \
        pthread_mutex_lock(&mutex); \
        int struck = strikes(MAP); \
        pthread_mutex_unlock(&mutex); \
        return struck ? MAP_FAILED : real(at, size, rights, flags, file, where); \
    }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

/* SQLite's memory: to be called before SQLite is initialised. */

typedef struct {
    void *(*allocate)(int);
    void (*release)(void *);
    void *(*resize)(void *, int);
    int (*size)(void *);
    int (*round_up)(int);
    int (*begin)(void *);
    void (*end)(void *);
    void *data;
} Methods;
static Methods usual;

static int is_lacking(void) {
    pthread_mutex_lock(&mutex);
    int struck = strikes(MEMORY);
    pthread_mutex_unlock(&mutex);
    return struck;
}
static void *allocate(int size) { return is_lacking() ? NULL : usual.allocate(size); }
static void *resize(void *old, int size) { return is_lacking() ? NULL : usual.resize(old, size); }

int faults_sqlite_memory(void) {
    enum { CONFIG_MALLOC = 4, CONFIG_GETMALLOC = 5 };
    int (*config)(int, ...) = (int (*)(int, ...))dlsym(RTLD_DEFAULT, "sqlite3_config");
    if (!config) return -1;
    int failed = config(CONFIG_GETMALLOC, &usual);
    if (failed) return failed;
    Methods own = usual;
    own.allocate = allocate, own.resize = resize;
    return config(CONFIG_MALLOC, &own);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_FOLDER"), *number = getenv("FAULTS_KILL_AT");
    const char *which = getenv("FAULTS_KINDS");
    if (path) faults_watch(path);
    if (number) faults_arm(atol(number), KILL, EIO, which ? (unsigned)atol(which) : ~0u);
}
