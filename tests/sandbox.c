// The sandbox from within: what is forbidden fails or ends the process, what is needed works.
//
//     sandbox                        all tests
//     sandbox --without COMMAND…     runs a command on a system that has no sandbox: seccomp() is not known
//     there
//
// Each attempt is made in a process of its own, which says by its exit code what came of it.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/sandbox.h"
#include "check.h"

// Exit codes of a process that tries something.
enum { DONE = 0, REFUSED = 10, OTHERWISE = 11, NO_SANDBOX = 12 };

// ---- Attempts: what they give is 0 or more where they were allowed ----

static long try_open(void) { return open("/etc/passwd", O_RDONLY); }
static long try_create(void) { return open("sandbox.created", O_CREAT | O_WRONLY, 0600); }
static long try_stat(void) {
    struct stat s;
    return stat("/", &s);
}
static long try_unlink(void) { return unlink("/no/such/file"); }
static long try_socket(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static long try_socketpair(void) {
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}
static long try_exec(void) { return execl("/bin/true", "true", NULL); }
static long try_fork(void) { return fork(); }
static long try_clone(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static void *nothing(void *arg) { return arg; }
static long try_thread(void) {
    pthread_t thread;
    errno = pthread_create(&thread, NULL, nothing, NULL);
    return errno ? -1 : 0;
}
static long try_ptrace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static long try_kill_parent(void) { return kill(getppid(), 0); }
static long try_kill_own(void) { return kill(getpid(), SIGTERM); }
static long try_tgkill_parent(void) { return syscall(SYS_tgkill, getppid(), getppid(), 0); }
static long try_executable(void) {
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? -1 : 0;
}
static long try_make_executable(void) {
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? 0 : mprotect(p, 4096, PROT_READ | PROT_EXEC);
}
static long try_map_file(void) {
    return mmap(NULL, 4096, PROT_READ, MAP_SHARED, STDIN_FILENO, 0) == MAP_FAILED ? -1 : 0;
}
static long try_prctl(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
static long try_dup(void) { return dup(STDIN_FILENO); }
static long try_pipe(void) {
    int ends[2];
    return pipe(ends);
}
static long try_type(void) { return ioctl(STDIN_FILENO, TIOCSTI, "x"); } // as if it was typed
#ifdef __x86_64__
static long try_other_architecture(void) { // getpid of the 32-bit system
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    return result;
}
#endif

// ---- What has to work ----

static volatile sig_atomic_t heard;
static void hear(int number) { heard = number; }

static long need_memory(void) {
    char *p = malloc(1 << 20);
    for (size_t n = 1 << 20; p && n < (size_t)200 << 20; n *= 2) {
        char *more = realloc(p, n);
        if (!more) break;
        p = more;
        memset(p, 1, n);
        if (n == (size_t)128 << 20) return free(p), 0;
    }
    return -1;
}
static long need_end_of_memory(void) { return malloc((size_t)1 << 60) ? -1 : 0; }
static long need_files(void) {
    struct pollfd on = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&on, 1, 0) == 1 && write(STDOUT_FILENO, "", 0) == 0 ? 0 : -1;
}
static long need_clock(void) {
    struct timespec t;
    return clock_gettime(CLOCK_MONOTONIC, &t) || syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t) ? -1 : 0;
}
static long need_signals(void) {
    signal(SIGUSR1, hear);
    return raise(SIGUSR1) == 0 && heard == SIGUSR1 ? 0 : -1;
}
static long need_abort(void) { abort(); }
static long need_width(void) { // of a terminal, where there is one
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 || errno != EPERM ? 0 : -1;
}

typedef struct {
    const char *name;
    long (*attempt)(void);
    int signal; // that ends the process
} Attempt;

static const Attempt forbidden[] = {
    {"open a file", try_open},
    {"make a file", try_create},
    {"look at a file", try_stat},
    {"remove a file", try_unlink},
    {"type on the terminal", try_type},
    {"open a socket", try_socket, SIGSYS},
    {"open a pair of sockets", try_socketpair},
    {"run a command", try_exec, SIGSYS},
    {"start a process", try_fork},
    {"start a process by clone", try_clone},
    {"start a thread", try_thread},
    {"trace", try_ptrace, SIGSYS},
    {"send its parent a signal", try_kill_parent},
    {"send itself a signal by kill", try_kill_own},
    {"send its parent's thread a signal", try_tgkill_parent},
    {"have memory that can be executed", try_executable},
    {"make memory executable", try_make_executable},
    {"map a file", try_map_file},
    {"change what the process is", try_prctl},
    {"copy a file descriptor", try_dup},
    {"make a pipe", try_pipe},
#ifdef __x86_64__
    {"call another architecture", try_other_architecture, SIGSYS},
#endif
};

static const Attempt needed[] = {
    {"take memory and give it back", need_memory},
    {"hear that there is no memory", need_end_of_memory},
    {"write and wait", need_files},
    {"read the clock", need_clock},
    {"ask how wide a terminal is", need_width},
    {"hear signals", need_signals},
    {"abort", need_abort, SIGABRT},
};

// ---- Processes that try something ----

// What became of a process: its exit code, or minus the signal that ended it.
static int end_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int try_in_sandbox(long (*attempt)(void)) {
    pid_t child = fork();
    if (child) return end_of(child);
    const char *why;
    if (!sandbox_enter(&why)) _exit(NO_SANDBOX);
    errno = 0;
    if (attempt() >= 0) _exit(DONE);
    _exit(errno == EPERM || errno == EAGAIN ? REFUSED : OTHERWISE);
}

static void test_attempts(Checks *k, const char *name, const Attempt *attempts, size_t count, int otherwise) {
    check_begin(k, name);
    for (size_t n = 0; n < count; n++) {
        int end = try_in_sandbox(attempts[n].attempt),
            wanted = attempts[n].signal ? -attempts[n].signal : otherwise;
        check(k, end == wanted, "%s: it ended with %d, expected %d", attempts[n].name, end, wanted);
    }
    check_end(k);
}

// Every call that the system has, with arguments that mean nothing: those that do not fail with EPERM are
// few.
static void test_every_call(Checks *k) {
    static const long allowed[] = {
        SYS_read,
        SYS_write,
        SYS_writev,
        SYS_ppoll,
        SYS_futex,
        SYS_sched_yield,
        SYS_exit,
        SYS_exit_group,
        SYS_set_robust_list,
        SYS_rseq,
        SYS_brk,
        SYS_munmap,
        SYS_mremap,
        SYS_madvise,
        SYS_mmap,
        SYS_mprotect,
        SYS_rt_sigreturn,
        SYS_rt_sigprocmask,
        SYS_rt_sigaction,
        SYS_restart_syscall,
        SYS_getpid,
        SYS_gettid,
        SYS_tgkill,
        SYS_clock_gettime,
        SYS_getrandom,
        SYS_sched_getaffinity,
        SYS_execve,
        SYS_execveat,
        SYS_ptrace,
        SYS_socket,
#ifdef SYS_poll
        SYS_poll,
#endif
#ifdef __x86_64__
        335,
        336, // uretprobe, uprobe: traps of the system itself, which no filter sees
#endif
    };
    enum { CALLS = 1000, OTHER_ABI = 0x40000000 };
    check_begin(k, "no other call is allowed");
    int refused = 0;
    pid_t child = fork();
    if (!child) {
        const char *why;
        if (!sandbox_enter(&why)) _exit(NO_SANDBOX);
        for (long call = 0; call < 2 * CALLS; call++) {
            bool is_allowed = false;
            long number = call < CALLS ? call : OTHER_ABI + call - CALLS;
            for (size_t n = 0; n < sizeof allowed / sizeof *allowed; n++) is_allowed |= allowed[n] == call;
            if (is_allowed) continue;
            if (syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != EPERM) {
                printf("call %ld: %s\n", number, strerror(errno));
                fflush(stdout);
                _exit(OTHERWISE);
            }
            refused++;
        }
        _exit(refused > CALLS ? DONE : OTHERWISE);
    }
    int end = end_of(child);
    check(k, end == DONE, "it ended with %d", end);
    check_end(k);
}

// ---- Threads, files, systems without ----

static int begun[2], entered[2]; // pipes

static void *open_when_told(void *arg) {
    char byte;
    (void)arg;
    if (write(begun[1], "", 1) == 1 && read(entered[0], &byte, 1) == 1 && try_open() < 0 && errno == EPERM)
        return NULL;
    return begun;
}

static void test_threads(Checks *k) {
    check_begin(k, "threads that were there before lose their rights, too");
    pid_t child = fork();
    if (!child) {
        pthread_t thread;
        const char *why;
        char byte;
        void *result = begun;
        if (pipe(begun) || pipe(entered) || pthread_create(&thread, NULL, open_when_told, NULL))
            _exit(OTHERWISE);
        if (read(begun[0], &byte, 1) != 1 || !sandbox_enter(&why) || write(entered[1], "", 1) != 1)
            _exit(NO_SANDBOX);
        _exit(pthread_join(thread, &result) || result ? OTHERWISE : DONE);
    }
    int end = end_of(child);
    check(k, end == DONE, "it ended with %d", end);
    check_end(k);
}

static void test_files(Checks *k) {
    check_begin(k, "all files but the first three are closed");
    pid_t child = fork();
    if (!child) {
        int low = open("/dev/null", O_RDONLY), high = fcntl(low, F_DUPFD, 900);
        sandbox_close_files();
        bool closed = fcntl(low, F_GETFD) < 0 && fcntl(high, F_GETFD) < 0;
        _exit(closed && low > STDERR_FILENO && high >= 900 && fcntl(STDERR_FILENO, F_GETFD) >= 0 ? DONE
                                                                                                 : OTHERWISE);
    }
    int end = end_of(child);
    check(k, end == DONE, "it ended with %d", end);
    check_end(k);
}

// From now on the call fails as one that the system does not know.
static bool forget_call(unsigned number) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static void test_without(Checks *k) {
    check_begin(k, "a system that has none says so, and all rights stay");
    pid_t child = fork();
    if (!child) {
        const char *why = NULL;
        bool entered_one = !forget_call(SYS_seccomp) || sandbox_enter(&why);
        _exit(!entered_one && why && *why && try_open() >= 0 ? DONE : OTHERWISE);
    }
    int end = end_of(child);
    check(k, end == DONE, "it ended with %d", end);
    check_end(k);
    check_begin(k, "files are closed on a system that does not do it at once");
    child = fork();
    if (!child) {
        int low = open("/dev/null", O_RDONLY), high = fcntl(low, F_DUPFD, 900);
        bool forgotten = forget_call(SYS_close_range);
        sandbox_close_files();
        _exit(forgotten && fcntl(low, F_GETFD) < 0 && fcntl(high, F_GETFD) < 0 ? DONE : OTHERWISE);
    }
    end = end_of(child);
    check(k, end == DONE, "it ended with %d", end);
    check_end(k);
}

static long nothing_at_all(void) { return 0; }

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--without") == 0) {
        if (forget_call(SYS_seccomp)) execvp(argv[2], argv + 2);
        perror(argv[2]);
        return 1;
    }
    Checks checks = {0};
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    test_files(&checks);
    if (try_in_sandbox(nothing_at_all) == NO_SANDBOX) {
        printf("what the sandbox forbids is not tested: there is none\n");
        return check_summary(&checks);
    }
    test_attempts(&checks, "what is forbidden fails", forbidden, sizeof forbidden / sizeof *forbidden,
                  REFUSED);
    test_attempts(&checks, "what is needed works", needed, sizeof needed / sizeof *needed, DONE);
    test_every_call(&checks);
    test_threads(&checks);
    test_without(&checks);
    return check_summary(&checks);
}
