/** The filter lets each of these calls end in SIGSYS.  A call while the witness is not armed is made again from the
 *  handler with a word in its last argument that the filter accepts.  Threads may begin: the C library makes them by
 *  clone without clone3, and blocks signals meanwhile.
 */
#include "witness.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define PASS 0x5a175a17U /* in the lower half of the sixth argument */

/* vfork, fork, mkdir and their kin are calls of their own on some machines only. */
static const int watched[] = {
    SYS_openat,   SYS_execve,    SYS_execveat, SYS_socket, SYS_socketpair, SYS_connect,
    SYS_bind,     SYS_mkdirat,   SYS_mknodat,  SYS_linkat, SYS_symlinkat,  SYS_unlinkat,
    SYS_truncate, SYS_renameat2, SYS_pipe2,
#ifdef SYS_open
    SYS_open,     SYS_creat,     SYS_fork,     SYS_vfork,  SYS_mkdir,      SYS_mknod,
    SYS_link,     SYS_symlink,   SYS_unlink,   SYS_rmdir,  SYS_rename,     SYS_pipe,
#endif
};
enum { N_WATCHED = sizeof watched / sizeof *watched };

static volatile sig_atomic_t armed, calls;
static volatile long last;

static long argument(const ucontext_t *u, int i)
{
#if defined __x86_64__
  static const int place[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
  return (long)u->uc_mcontext.gregs[place[i]];
#else
  return (long)u->uc_mcontext.regs[i];
#endif
}

static void set_result(ucontext_t *u, long value)
{
#if defined __x86_64__
  u->uc_mcontext.gregs[REG_RAX] = value;
#else
  u->uc_mcontext.regs[0] = (unsigned long long)value;
#endif
}

static void caught(int signal, siginfo_t *info, void *context)
{
  ucontext_t *u = context;
  const int before = errno;
  const long call = info->si_syscall;

  (void)signal;
  if (armed) {
    ++calls;
    last = call;
    set_result(u, -EPERM);
  } else {
    const long got = syscall(call, argument(u, 0), argument(u, 1), argument(u, 2), argument(u, 3),
                             argument(u, 4), (long)PASS);
    set_result(u, got < 0 ? -errno : got);
  }
  errno = before;
}

bool witness_begin(void)
{
  struct sigaction act = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_NODEFER};
  struct sock_filter code[2 * N_WATCHED + 16];
  int n = 0;

  sigemptyset(&act.sa_mask);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           (uint32_t)offsetof(struct seccomp_data, args[5]));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASS, 0, 1);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           (uint32_t)offsetof(struct seccomp_data, nr));
  for (int i = 0; i < N_WATCHED; ++i) {
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)watched[i], 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           (uint32_t)offsetof(struct seccomp_data, args[0]));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
  return sigaction(SIGSYS, &act, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

void witness_arm(void)
{
  calls = 0;
  last = -1;
  armed = 1;
}

int witness_disarm(long *call)
{
  armed = 0;
  *call = last;
  return (int)calls;
}
