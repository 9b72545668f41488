// What stays when the rights are given up: to read and write the files that are open, to wait, to take and
// give back memory, to end. Linux checks that for each call to the system, by a filter (seccomp) that nothing
// can take away again. So whatever a defect may let a stranger's program do, it opens no file and no socket,
// starts no process and no thread, touches no other process, and makes no memory executable.
//
// What is not on the list fails with EPERM and does not end the process: C libraries differ in what they ask
// for in passing (the number of processors, a name for a piece of memory) and all go on without. What only an
// attack would ask for ends it with SIGSYS, so that somebody hears of it.
//
// TRIED: libseccomp; it makes the same filter, and would be one library more for every build.
#include "base/sandbox.h"

#if defined __linux__
#include <unistd.h>

#include <sys/resource.h>
#include <sys/syscall.h>

void sandbox_close_files(void) {
    enum { FIRST = STDERR_FILENO + 1, MOST = 1 << 16 };
#ifdef SYS_close_range
    if (syscall(SYS_close_range, FIRST, ~0U, 0) == 0) return;
#endif
    struct rlimit limit = {.rlim_cur = MOST};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int fd = FIRST; fd < MOST && (rlim_t)fd < limit.rlim_cur; fd++) close(fd);
}
#else
void sandbox_close_files(void) {}
#endif

// The sanitizers look around when the process ends.
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined __linux__ && !defined SANITIZED && (defined __x86_64__ || defined __aarch64__)
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS SECCOMP_RET_KILL
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif

// Of an argument the lower half, where all bits stand that are looked at: both architectures are
// little-endian.
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(test, value, n) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, 0, n)
#define SKIP_IF(test, value, n) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, n, 0)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)

#define CALL_IS(name, n) SKIP_UNLESS(BPF_JEQ, SYS_##name, n)
#define ALLOW(name) CALL_IS(name, 1), RETURN(SECCOMP_RET_ALLOW)
#define KILL(name) CALL_IS(name, 1), RETURN(SECCOMP_RET_KILL_PROCESS)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

bool sandbox_enter(const char **why) {
    // clang-format off
    struct sock_filter filter[] = {
        LOAD(arch), SKIP_IF(BPF_JEQ, ARCHITECTURE, 1), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
        // Files that are open.
        ALLOW(read), ALLOW(write), ALLOW(writev), ALLOW(ppoll),
#ifdef SYS_poll
        ALLOW(poll),
#endif
        // How wide a terminal is, and nothing else of what ioctl does.
        CALL_IS(ioctl, 4), LOAD(args[1]), SKIP_UNLESS(BPF_JEQ, TIOCGWINSZ, 1), RETURN(SECCOMP_RET_ALLOW),
        RETURN(REFUSED),
        // Threads wait for each other, and end; one that was started last may not have begun yet.
        ALLOW(futex), ALLOW(sched_yield), ALLOW(exit), ALLOW(exit_group), ALLOW(set_robust_list),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
        // Memory, but none that can be executed, and none of a file.
        ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise),
        CALL_IS(mmap, 6), LOAD(args[2]), SKIP_IF(BPF_JSET, PROT_EXEC, 3), LOAD(args[3]),
        SKIP_UNLESS(BPF_JSET, MAP_ANONYMOUS, 1), RETURN(SECCOMP_RET_ALLOW), RETURN(REFUSED),
        CALL_IS(mprotect, 4), LOAD(args[2]), SKIP_IF(BPF_JSET, PROT_EXEC, 1), RETURN(SECCOMP_RET_ALLOW),
        RETURN(REFUSED),
        // Signals that come, and abort().
        ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), ALLOW(restart_syscall), ALLOW(getpid),
        ALLOW(gettid), CALL_IS(tgkill, 4), LOAD(args[0]), SKIP_UNLESS(BPF_JEQ, (unsigned)getpid(), 1),
        RETURN(SECCOMP_RET_ALLOW), RETURN(REFUSED),
        // Where these are no mere reading of memory.
        ALLOW(clock_gettime), ALLOW(getrandom), ALLOW(sched_getaffinity),
        // What nobody asks for in passing.
        KILL(execve), KILL(execveat), KILL(ptrace), KILL(socket),
        RETURN(REFUSED)};
    // clang-format on
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    // All threads at once. Without the second flag older systems make every branch and load slower.
    unsigned flags[] = {SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                        SECCOMP_FILTER_FLAG_TSYNC};
    long failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!failed) failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[0], &program);
    if (failed && errno == EINVAL) failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[1], &program);
    if (failed) *why = failed > 0 ? "a thread is in another sandbox" : strerror(errno);
    return !failed;
}
#else
bool sandbox_enter(const char **why) {
    *why = "this build has none";
    return false;
}
#endif
