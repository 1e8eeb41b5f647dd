/** saltus COMMAND: finds the command, reads its options, starts MPI for it, prints the one message
 *  of a failure, and ends with its status.
 */
#include "base.h"
#include "cli_run.h"
#include "clock.h"
#include "doctor_checks.h"
#include "environment.h"
#include "help.h"
#include "hints.h"
#include "node.h"
#include "plain_file.h"
#include "stop.h"
#include "tile_run.h"
#include "wings.h"
#include <errno.h>
#include <unistd.h>

/* Silence after which a host counts as lost, unless an option gives it [s]. */
#define PATIENCE 60.0
/* [s] mpirun of Open MPI cannot end ranks on a host that does not answer, and hangs for a quarter of an
 * hour when it is asked to.  It is left to see for itself (env.sh). */
#define LAUNCHER_FIRST 60

#define COMMAND_0(...)
#define COMMAND_1(id, text, of, ...)                                                               \
  {.name = text, .group = SAL_COMMAND_##of, .code = &sal_cmd_##id, __VA_ARGS__},
#define COMMAND(has, ...) COMMAND_##has(__VA_ARGS__)
#define COMMAND_IF(has, ...) COMMAND(has, __VA_ARGS__)
static const sal_command commands[] = {
#define SAL_COMMAND(...) COMMAND_1(__VA_ARGS__)
#define SAL_COMMAND_OF(wing, ...) COMMAND_IF(SAL_HAS_##wing, __VA_ARGS__)
#include "commands.def"
#undef SAL_COMMAND_OF
#undef SAL_COMMAND
    {.name = NULL}};
enum { N_COMMAND = sizeof commands / sizeof commands[0] - 1 };

/* Before MPI is up only the launcher's environment shows which process prints for all ranks.  The
 * launchers of a job step come before SLURM_PROCID, which they inherit from a batch script: there it has no
 * step, and is not of a launcher. */
static const char *launched_rank(void)
{
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                      "MV2_COMM_WORLD_RANK",  "MPI_RANKID",   "PALS_RANKID",
                                      "FLUX_TASK_RANK",       "SLURM_PROCID", "MPI_LOCALRANKID"};

  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i) {
    const char *rank = getenv(ranks[i]);
    if (rank && (strcmp(ranks[i], "SLURM_PROCID") != 0 || getenv("SLURM_STEP_ID"))) return rank;
  }
  return NULL;
}

static bool first_process(void)
{
  const char *rank = launched_rank();

  return !rank || strcmp(rank, "0") == 0;
}

/* Session folder of Open MPI, where this process was started alone. */
static sal_own_folder session = {.lock = -1};

/* A failure has been agreed on by all ranks of a parallel command, so one of them speaks. */
static bool speaks(void)
{
  int on = 0, over = 0, rank = 0, n = 1;

  MPI_Initialized(&on);
  MPI_Finalized(&over);
  if (!on) return first_process();
  if (!over) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!over) MPI_Comm_size(MPI_COMM_WORLD, &n);
  return rank == 0 && (n > 1 || first_process());
}

/* The launcher of another MPI starts each rank alone, and all of them would do all of the work, on the same
 * files.  The innermost launcher comes first, since it inherits the variables of the others. */
static sal_err check_world(int n_rank)
{
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  const char *size = NULL;
  size_t i = 0;

  while (i < sizeof sizes / sizeof *sizes && !(size = getenv(sizes[i]))) ++i;
  if (!size || n_rank > 1 || atol(size) < 2) return SAL_OK;
  return sal_fail(
      SAL_ERR_USAGE,
      "%s = %s, but MPI started this rank alone: the launcher is of another MPI; start it by "
      "mpirun of the MPI of saltus (in a job: SALTUS_LAUNCHER=mpirun), or srun --mpi=TYPE; "
      "separate runs of one rank: env -u %s saltus ..",
      sizes[i], size, sizes[i]);
}

/* The command line as typed: parsing brings options to the front. */
static char *join_words(int argc, char *argv[])
{
  sal_text text = {0};

  sal_text_add(&text, "saltus");
  for (int i = 0; i < argc; ++i) sal_text_add(&text, " %s", argv[i]);
  return sal_text_take(&text);
}

/* By the thread that listens, while the others compute or wait for that host. */
static void end_without(const char *hosts, double seconds)
{
  fprintf(stderr,
          "\nsaltus: nothing has come from %s for %.0f s; what is finished is kept; submit again\n",
          hosts, seconds);
  fflush(stderr);
  if (speaks() && getenv("OMPI_MCA_orte_launch")) sleep(LAUNCHER_FIRST);
  MPI_Abort(MPI_COMM_WORLD, sal_err_exit(SAL_ERR_STOPPED));
  _exit(sal_err_exit(SAL_ERR_STOPPED));
}

static sal_err start_mpi(sal_command_call *call)
{
  int provided;

  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  call->comm = MPI_COMM_WORLD;
  MPI_Comm_rank(call->comm, &call->rank);
  MPI_Comm_size(call->comm, &call->n_rank);
  if (provided < MPI_THREAD_FUNNELED)
    return sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it (MPI_THREAD_FUNNELED)");
  SAL_TRY(check_world(call->n_rank));
  SAL_TRY(sal_core_share_set(call->comm));
  return sal_heartbeat_start(call->comm, PATIENCE, end_without);
}

static sal_err check_environment(void)
{
  SAL_TRY(sal_environment_check());
  return sal_hints_check_environment();
}

/* Reads the options; done: the help was asked for, or they are wrong, and nothing is left to do. */
static sal_err read_options(const sal_command *c, int argc, char *argv[], void *options, bool *done)
{
  const sal_cli cli = {c->name, c->code->table};
  bool help = false;

  if (c->code->presets) memcpy(options, c->code->presets, c->code->size);
  sal_err err = sal_cli_parse(&cli, argc, argv, options, &help);
  *done = help || err != SAL_OK;
  if (!*done) err = check_environment();
  if (!*done && err == SAL_OK && c->code->check) err = c->code->check(options);
  if (help && err == SAL_OK && first_process()) sal_help_command(stdout, c, false);
  if (err == SAL_OK || !first_process()) return err;
  fprintf(stderr, "saltus %s: %s\n", c->name, sal_err_message());
  fprintf(stderr, "Try `saltus %s --help' for more.\n", c->name);
  return err;
}

/* Leaves without ending MPI, which HDF5 takes for a sign to close again what it could not close, and crashes. */
static void leave(bool on, const sal_command_call *call, int status)
{
  fflush(stdout);
  if (on && call->n_rank > 1) MPI_Abort(MPI_COMM_WORLD, status);
  sal_own_folder_close(&session);
  _exit(status);
}

/* More threads take hours to start, or end the process. */
enum { MOST_THREADS = 1024 };

static sal_err check_machine(void)
{
  const int threads = sal_tile_threads();

  if (threads > MOST_THREADS)
    return sal_fail(SAL_ERR_USAGE, "OMP_NUM_THREADS = %d is out of range; allowed: 1 to %d",
                    threads, MOST_THREADS);
  return sal_stack_check(sal_stack_limit(), threads);
}

static int run(const sal_command *command, void *options, sal_command_call *call)
{
  int on = 0;

  if (command->stops) sal_stop_catch();
  if (command->watched && first_process()) sal_cli_watch_begin(command->name);
  sal_err code = check_machine();
  if (code == SAL_OK && command->parallel) code = start_mpi(call);
  if (code == SAL_OK) code = command->code->run(options, call);
  if (code != SAL_OK && speaks())
    fprintf(stderr, "saltus %s: %s\n", command->name,
            sal_err_message()[0] ? sal_err_message() : "a signal stopped it");
  else if (*sal_providers_note() && speaks())
    fprintf(stderr, "saltus %s: %s\n", command->name, sal_providers_note());
  MPI_Initialized(&on);
  if (sal_err_must_abort() || (on && code == SAL_ERR_COMM)) leave(on, call, sal_err_exit(code));
  sal_heartbeat_stop();
  sal_providers_finalize();
  if (on) MPI_Finalize();
  return code == SAL_OK ? call->status : sal_err_exit(code);
}

/* Without a launcher Open MPI starts a helper, which dies of a limit of file sizes with a message of its own, and which nothing here
 * needs.  Its session folder has a name that all processes of a user share: one removes it while another makes it. */
static void start_alone(void)
{
  const char *folder = getenv("TMPDIR");

  (void)setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  if (launched_rank() || getenv("OMPI_MCA_orte_tmpdir_base")) return;
  if (sal_own_folder_open(folder && *folder ? folder : "/tmp", "saltus-mpi.", &session) == SAL_OK)
    (void)setenv("OMPI_MCA_orte_tmpdir_base", session.path, 1);
  sal_err_clear(); /* Open MPI takes its usual one */
}

static int call_command(const sal_command *c, int argc, char *argv[])
{
  sal_command_call call = {.began = sal_clock_wall(), .n_rank = 1};
  char *line = join_words(argc, argv);
  void *options = sal_alloc(1, c->code->size);
  bool done = false;
  int status = sal_err_exit(SAL_ERR_MEMORY);

  if (line && options) {
    call.line = line;
    const sal_err err = read_options(c, argc, argv, options, &done);
    if (err == SAL_OK && !done) start_alone();
    status = err != SAL_OK || done ? sal_err_exit(err) : run(c, options, &call);
  } else {
    fprintf(stderr, "saltus %s: no memory for its options\n", c->name);
  }
  sal_free_all(options, line);
  return status;
}

static const sal_command *command_named(const char *word)
{
  for (int i = 0; i < N_COMMAND; ++i)
    if (strcmp(word, commands[i].name) == 0) return &commands[i];
  return NULL;
}

static void print_keys(const char *of)
{
  (void)of;
  sal_help_keys(stdout);
}
static void print_exit_codes(const char *of)
{
  (void)of;
  sal_help_exit_codes(stdout);
}
static void print_page(const char *of)
{
  const sal_command *c = of ? command_named(of) : NULL;

  if (c)
    sal_manual_command(stdout, c);
  else
    sal_manual_page(stdout, commands);
}
static void print_bash(const char *of)
{
  (void)of;
  sal_manual_bash(stdout, commands);
}
static void print_zsh(const char *of)
{
  (void)of;
  sal_manual_zsh(stdout, commands);
}

static void print_json(const char *of) { sal_help_json(stdout, of); }

/* of: a command, where the topic is about one. */
static const struct {
  const char *name;
  void (*print)(const char *of);
  bool of_command;
} topics[] = {{"keys", print_keys, false}, {"exit-codes", print_exit_codes, false},
              {"man", print_page, true},   {"json", print_json, true},
              {"bash", print_bash, false}, {"zsh", print_zsh, false}};
enum { N_TOPIC = sizeof topics / sizeof *topics };

/* n_topic of the topics are allowed beside the commands. */
static int fail_unknown(const char *what, const char *word, int n_topic)
{
  const char *names[N_COMMAND + N_TOPIC + 1] = {NULL};

  for (int i = 0; i < N_COMMAND; ++i) names[i] = commands[i].name;
  for (int i = 0; i < n_topic; ++i) names[N_COMMAND + i] = topics[i].name;
  const sal_err code = sal_text_unknown(SAL_ERR_USAGE, "saltus", what, word, names);
  if (first_process()) fprintf(stderr, "%s\n", sal_err_message());
  return sal_err_exit(code);
}

static int help_topic(const char *topic, const char *of)
{
  const sal_command *c = command_named(topic);

  if (c && first_process()) sal_help_command(stdout, c, true);
  if (c) return 0;
  for (int i = 0; i < N_TOPIC; ++i)
    if (strcmp(topic, topics[i].name) == 0) {
      if (topics[i].of_command && of && !command_named(of)) return fail_unknown("command", of, 0);
      if (topics[i].print == print_json && of && !sal_help_json_of(of)) {
        if (first_process()) fprintf(stderr, "saltus: help json: %s has no --json\n", of);
        return sal_err_exit(SAL_ERR_USAGE);
      }
      if (first_process()) topics[i].print(of);
      return 0;
    }
  return fail_unknown("topic", topic, N_TOPIC);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int obey(int argc, char *argv[])
{
  const char *word = argc > 1 ? argv[1] : "";

  if (argc < 2) {
    if (first_process()) sal_help_print(stderr, commands);
    return sal_err_exit(SAL_ERR_USAGE);
  }
  if (is_one_of(word, "help", "--help", "-h")) {
    if (argc > 2) return help_topic(argv[2], argc > 3 ? argv[3] : NULL);
    if (first_process()) sal_help_print(stdout, commands);
    return 0;
  }
  if (is_one_of(word, "--version", "-V", "version")) {
    if (first_process()) sal_help_version(stdout);
    return 0;
  }
  const sal_command *c = command_named(word);
  return c ? call_command(c, argc - 1, argv + 1) : fail_unknown("command", word, 0);
}

/* Printed text may still be in the buffer, and the disk full.  An output that was closed before
 * and is not used is not a failure. */
static bool output_arrived(void)
{
  const bool bad = ferror(stdout) != 0;

  errno = 0;
  if (fflush(stdout) != 0 || bad) return false;
  return fclose(stdout) == 0 || errno == EBADF;
}

int main(int argc, char *argv[])
{
  sal_stop_at_once();
  sal_stop_ignore_size_limit();
  sal_file_role_begin();
  sal_providers_set(sal_wings);
  const int status = obey(argc, argv);

  sal_own_folder_close(&session);
  if (output_arrived()) return status;
  fprintf(stderr, "saltus: standard output: cannot be written%s%s\n", errno ? ": " : "",
          errno ? strerror(errno) : "");
  return sal_err_exit(SAL_ERR_IO);
}
