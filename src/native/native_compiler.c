/** The compiler as a process: no shell, a limit of time, and one line of its output. */
#include "base.h"
#include "clock.h"
#include "environment.h"
#include "native_flags.h"
#include "native_parts.h"
#include "stop.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAID = 2000, PATIENCE = 50 /* ms between two looks */, MOST = 8 };

/** A process of its own group. */
typedef struct {
  pid_t pid;
  int from;        /* its output is read here; -1: it has closed it */
  int status;      /* of waitpid, once `pid` is 0 */
  char said[SAID]; /* the beginning */
  size_t n;
} process;

sal_err sal_native_compiler_find(char path[PATH_MAX])
{
  const char *own = getenv("SALTUS_CC"), *usual = getenv("CC");

  if (own && *own)
    return sal_program_path(own, path)
               ? SAL_OK
               : sal_fail(SAL_ERR_IO, "SALTUS_CC: '%.200s' cannot be run", own);
  if (sal_program_path(SAL_NATIVE_COMPILER, path)) return SAL_OK;
  if (usual && *usual && sal_program_path(usual, path)) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "no C compiler found (%s); name one by SALTUS_CC=PATH",
                  SAL_NATIVE_COMPILER);
}

sal_err sal_native_needs(char compiler[PATH_MAX], char folder[PATH_MAX])
{
  SAL_TRY(sal_native_compiler_find(compiler));
  return sal_native_folder_find(true, folder);
}

/* The environment with a folder for temporary files; the strings are the environment's and `own`. */
static char **with_folder(char *own)
{
  size_t n = 0;
  while (environ[n]) ++n;
  char **all = sal_alloc(n + 2, sizeof *all);

  if (!all) return NULL;
  n = 0;
  for (char **e = environ; *e; ++e)
    if (strncmp(*e, "TMPDIR=", 7) != 0) all[n++] = *e;
  all[n] = own;
  return all;
}

/* 0, or the error. */
static int spawn(const sal_native_command *c, char **environment, const int out[2], pid_t *pid)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  char *word[SAL_NATIVE_WORDS + 1];
  sigset_t none, usual;

  for (int i = 0; i < c->n; ++i) word[i] = (char *)c->word[i];
  word[c->n] = NULL;
  sigemptyset(&none);
  sigemptyset(&usual);
  const int reset[] = {SIGTERM, SIGINT, SIGUSR1, SIGPIPE, SIGCHLD};
  for (size_t i = 0; i < sizeof reset / sizeof *reset; ++i) sigaddset(&usual, reset[i]);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  int wrong = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(&files, out[1], 1);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(&files, out[1], 2);
  if (!wrong) wrong = posix_spawnattr_setpgroup(&how, 0);
  if (!wrong) wrong = posix_spawnattr_setsigmask(&how, &none);
  if (!wrong) wrong = posix_spawnattr_setsigdefault(&how, &usual);
  if (!wrong)
    wrong = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF);
  if (!wrong) wrong = posix_spawn(pid, word[0], &files, &how, word, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return wrong;
}

static sal_err start(const sal_native_command *c, const char *work, process *p)
{
  char own[PATH_MAX + 16];
  int out[2];

  *p = (process){.from = -1};
  snprintf(own, sizeof own, "TMPDIR=%s", work);
  SAL_OWN char **environment = with_folder(own);
  if (!environment) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  if (pipe2(out, O_CLOEXEC | O_NONBLOCK) != 0)
    return sal_fail(SAL_ERR_IO, "no pipe for %s: %s", c->word[0], strerror(errno));
  const int wrong = spawn(c, environment, out, &p->pid);
  close(out[1]);
  p->from = out[0];
  if (!wrong) return SAL_OK;
  p->pid = 0;
  return sal_fail(SAL_ERR_IO, "%s cannot be started: %s", c->word[0], strerror(wrong));
}

/* Takes what there is; the beginning is kept. */
static void listen_to(process *p)
{
  char piece[4096];

  while (p->from >= 0) {
    const ssize_t n = read(p->from, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      close(p->from);
      p->from = -1;
      return;
    }
    const size_t room = SAID - 1 - p->n, take = (size_t)n < room ? (size_t)n : room;
    memcpy(p->said + p->n, piece, take);
    p->n += take;
  }
}

/* Ends it, and what it has started. */
static void finish(process *p)
{
  if (p->pid > 0) {
    kill(-p->pid, SIGKILL);
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR) continue;
    p->pid = 0;
  }
  if (p->from >= 0) close(p->from);
  p->from = -1;
}

/* Has it ended? */
static bool look_at(process *p)
{
  listen_to(p);
  if (p->pid == 0) return true;
  const pid_t ended = waitpid(p->pid, &p->status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  kill(-p->pid, SIGKILL); /* what it has left behind */
  p->pid = 0;
  listen_to(p);
  return true;
}

/* The most informative line: the first with an error, or the first. */
static const char *line_of(process *p)
{
  char *line = strstr(p->said, "error");

  while (line && line > p->said && line[-1] != '\n') --line;
  if (!line) line = p->said;
  line[strcspn(line, "\n")] = '\0';
  if (strlen(line) > 200) line[200] = '\0';
  return *line ? line : "no output";
}

static sal_err judge(const sal_native_command *c, process *p)
{
  if (WIFEXITED(p->status) && WEXITSTATUS(p->status) == 0) return SAL_OK;
  if (WIFEXITED(p->status))
    return sal_fail(SAL_ERR_IO, "%s ended with status %d: %s", c->word[0], WEXITSTATUS(p->status),
                    line_of(p));
  return sal_fail(SAL_ERR_IO, "%s was ended by signal %d", c->word[0], WTERMSIG(p->status));
}

/* Sleeps until one of them writes output, for a while at most. */
static void wait_for_any(int n, const process p[])
{
  struct pollfd at[MOST];

  for (int i = 0; i < n; ++i) at[i] = (struct pollfd){.fd = p[i].from, .events = POLLIN};
  poll(at, (nfds_t)n, PATIENCE);
}

static sal_err watch(int n, const sal_native_command command[], process p[], double seconds)
{
  const double begun = sal_clock_wall();

  for (;;) {
    bool all = true;
    for (int i = 0; i < n; ++i) {
      if (!look_at(&p[i])) {
        all = false;
        continue;
      }
      SAL_TRY(judge(&command[i], &p[i]));
    }
    if (all) return SAL_OK;
    if (sal_stop_signal() || sal_stop_halted())
      return sal_fail(SAL_ERR_STOPPED,
                      sal_stop_signal() ? "a signal stopped it" : "its time is up");
    if (sal_clock_wall() - begun > seconds)
      return sal_fail(
          SAL_ERR_IO,
          "%s has taken more than %g s and was ended (SALTUS_CC_SECONDS sets how long it "
          "may take)",
          command->word[0], seconds);
    wait_for_any(n, p);
  }
}

sal_err sal_native_compiler_run(int n, const sal_native_command command[], const char *work,
                                double seconds)
{
  process p[MOST];
  int started = 0;
  sal_err err = SAL_OK;

  while (started < n && started < MOST && err == SAL_OK) {
    err = start(&command[started], work, &p[started]);
    ++started;
  }
  if (err == SAL_OK) err = watch(n, command, p, seconds);
  for (int i = 0; i < started; ++i) finish(&p[i]);
  return err;
}
