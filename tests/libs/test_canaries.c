/** No option that a sweep can name opens a file or a socket or starts a process.
 *
 *  All names that PETSc itself lists are tried, by types of integrators and solvers, and those that its
 *  help does not have, each with values that are paths, viewers, commands and numbers.  The kernel is the
 *  witness.  That it sees what there is to be seen is shown by handing PETSc the same texts as they are.
 */
#include "memory.h"
#include "petsc_calls.h"
#include "petsc_engine.h"
#include "petsc_methods.h"
#include "petsc_start.h"
#include "sal_test.h"
#include "text.h"
#include "witness.h"
#include <ctype.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PetscHelpPrintf SAL_PETSC_FOUND(PetscHelpPrintf)

enum { MOST = 1000, NAME = 64, LINE = 256 };

static char names[MOST][NAME];
static int n_name;
static bool in_full; /* all values on all types */

/* ---- what PETSc lists ------------------------------------------------------------------------- */

static void add_name(const char *name, size_t n)
{
  if (n < 2 || n >= NAME || n_name == MOST) return;
  for (int i = 0; i < n_name; ++i)
    if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0) return;
  snprintf(names[n_name++], NAME, "%.*s", (int)n, name);
}

/* Words that begin with a hyphen and a letter, as lines of the help do. */
static PetscErrorCode listen_to_help(MPI_Comm comm, const char format[], ...)
{
  char text[1 << 14];
  va_list list;

  (void)comm;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  for (const char *at = text; (at = strchr(at, '-')) != NULL; ++at) {
    if ((at > text && !strchr(" \n\t<[(", at[-1])) || !isalpha((unsigned char)at[1])) continue;
    size_t n = 1;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') ++n;
    add_name(at, n);
  }
  return 0;
}

/* A trial by words that PETSc cuts itself. */
static sal_petsc_trial run_raw(const char *text, bool implicit)
{
  const sal_petsc_kind kind = {"", implicit};
  PetscOptions o = NULL;
  sal_petsc_trial t = {.code = 1};

  if (PetscOptionsCreate(&o) == 0 && PetscOptionsInsertString(o, text) == 0)
    t = sal_petsc_trial_run(&kind, o, 1e-3);
  if (o) (void)PetscOptionsDestroy(&o);
  return t;
}

/* PETSc prints its help once a process: each type in one of its own, which hands the names back. */
static bool ask_about(const char *type, bool implicit)
{
  char text[LINE], name[NAME];
  int ends[2];

  if (pipe(ends)) return false;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout))
      _exit(1); /* lists of types do not go by the way of the help */
    PetscHelpPrintf = listen_to_help;
    n_name = 0;
    snprintf(text, sizeof text, "-help %s", type);
    run_raw(text, implicit);
    for (int i = 0; i < n_name; ++i)
      if (write(ends[1], names[i], NAME) != NAME) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  const int before = n_name;
  FILE *in = fdopen(ends[0], "r");
  while (in && fread(name, NAME, 1, in) == 1) add_name(name, strlen(name));
  if (in) fclose(in);
  return child > 0 && waitpid(child, NULL, 0) == child && n_name > before;
}

/* Each of these brings options of its own. */
static bool ask_petsc(void)
{
  static const char *const explicit_types[] = {"-ts_type euler", "-ts_type rk", "-ts_type ssp",
                                               "-ts_type glee"};
  static const char *const implicit_types[] = {"-ts_type bdf",
                                               "-ts_type theta",
                                               "-ts_type alpha",
                                               "-ts_type rosw",
                                               "-ts_type eimex",
                                               "-ts_type irk",
                                               "-ts_type arkimex -ts_arkimex_fully_implicit",
                                               "-ts_type bdf -ts_adapt_type dsp",
                                               "-ts_type bdf -snes_type newtontr",
                                               "-ts_type bdf -snes_type qn",
                                               "-ts_type bdf -snes_type ngmres",
                                               "-ts_type bdf -snes_type anderson",
                                               "-ts_type bdf -ksp_type gmres",
                                               "-ts_type bdf -ksp_type bcgsl",
                                               "-ts_type bdf -ksp_type cg",
                                               "-ts_type bdf -ksp_type richardson",
                                               "-ts_type bdf -pc_type jacobi",
                                               "-ts_type bdf -pc_type sor",
                                               "-ts_type bdf -pc_type svd",
                                               "-ts_type bdf -pc_type lu"};
  bool all = true;

  for (size_t i = 0; i < sizeof explicit_types / sizeof *explicit_types; ++i)
    all = ask_about(explicit_types[i], false) && all;
  for (size_t i = 0; i < sizeof implicit_types / sizeof *implicit_types; ++i)
    (void)ask_about(implicit_types[i], true);
  return all && n_name > 200;
}

/* Options that the help of a solver does not list: options of the program, of its start, of objects that are not made
 * here, and those that stand for others. */
static void add_others(void)
{
  static const char others[] =
      "-options_file -options_file_yaml -options_string -options_string_yaml -options_left "
      "-options_view -options_monitor -prefix_push -prefix_pop -python -petsc_python -help -h "
      "-version -info -log_view -log -log_all -log_trace -log_mpe -log_sync -malloc_dump "
      "-malloc_view -malloc_test -memory_view -start_in_debugger -on_error_attach_debugger "
      "-debug_terminal -stop_for_debugger -debugger_nodes -display -x_virtual -saws_options "
      "-ams_publish_objects -citations -viewer_socket_machine -viewer_socket_port -socket "
      "-draw_save -draw_save_movie -draw_save_on_clear -draw_type -dll_append -dll_prepend -tmp "
      "-shared_tmp -dm_view -dm_plex_filename -mat_view -vec_view -vec_type -mat_type -load_path "
      "-shell -exec -ts_view -ts_view_solution -ts_view_pre -ts_monitor -ts_monitor_solution "
      "-ts_monitor_solution_vtk -ts_monitor_python -tor_python -ts_adapt_monitor -ts_adapt_history "
      "-ts_trajectory_type -ts_trajectory_dirname -ts_trajectory_file_template "
      "-ts_trajectory_monitor -ts_save_trajectory -ts_python_type -snes_python_type "
      "-ksp_python_type -pc_python_type -mat_python_type -snes_converged_reason "
      "-ksp_converged_reason -snes_view -snes_view_solution -ksp_view -ksp_view_mat -ksp_view_rhs "
      "-ksp_plot_eigenvalues -pc_factor_mat_solver_type -sub_pc_type -npc_snes_type -ts_dt_ "
      "-TS_TYPE --ts_type -ts_type- -";

  for (const char *at = others; *at;) {
    const size_t n = strcspn(at, " ");
    add_name(at, n);
    at += n + strspn(at + n, " ");
  }
}

/* ---- trying them ------------------------------------------------------------------------------ */

/* Makes a method; what the witness saw of it. */
static int watch(const char *text, sal_err *err)
{
  sal_method *m = NULL;
  long call;

  sal_err_clear();
  witness_arm();
  *err = sal_petsc_make("c.yaml:3", "canary", text, &m);
  const int calls = witness_disarm(&call);
  if (calls) fprintf(stderr, "'%s': %d calls, the last one number %ld\n", text, calls, call);
  CU_ASSERT_EQUAL(m == NULL, *err != SAL_OK);
  if (*err != SAL_OK) CU_ASSERT_EQUAL(strncmp(sal_err_message(), "c.yaml:3: ", 10), 0);
  sal_petsc_free(m);
  return calls;
}

static bool is_allowed(const char *name)
{
  const char *all[SAL_PETSC_ALLOWED_MOST + 1];

  for (int i = 0, n = sal_petsc_allowed_names(all); i < n; ++i)
    if (strcmp(all[i], name) == 0) return true;
  return false;
}

static void every_name_is_tried(void)
{
  static const char *const values[] = {
      "",     "canary",      ":canary",       "ascii:canary:ascii_matlab", "binary:canary",
      "draw", "socket:5005", "./canary.so:f", "\"touch canary;\"",         "true",
      "1",    "python"};
  int tried = 0, refused = 0;

  for (int i = 0; i < n_name; ++i)
    for (size_t v = 0; v < sizeof values / sizeof *values; ++v) {
      char text[LINE];
      sal_err err;
      snprintf(text, sizeof text, "-ts_type bdf %s %s", names[i], values[v]);
      CU_ASSERT_EQUAL(watch(text, &err), 0);
      if (!is_allowed(names[i])) CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
      /* Whatever the name is: what is not a number and no truth is a word of its list, and none of these is. */
      if (v > 0 && v < 9) CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
      if (v > 0 && v < 9) /* and PETSc has not even seen it */
        CU_ASSERT_TRUE(!strstr(sal_err_message(), "PETSc cannot") &&
                       !strstr(sal_err_message(), "PETSc does not"));
      ++tried;
      refused += err != SAL_OK;
    }
  printf("%d names, %d texts, %d refused ", n_name, tried, refused);
  CU_ASSERT_TRUE(n_name > 300);
  CU_ASSERT_TRUE(refused < tried);
}

/* The texts that ran commands and wrote files, and other ways to hide a name. */
static const char *const hostile[] = {
    "-ts_type bdf -python \"touch canary;\" -prefix_push ts_moni -tor_python a.b -prefix_pop",
    "-ts_type bdf -snes_converged_reason :canary",
    "-ts_type bdf -ksp_converged_reason ascii:canary",
    "-ts_type bdf -prefix_push ts_vi -ew_solution binary:canary",
    "-ts_type bdf -ts_save_trajectory -ts_trajectory_dirname canary",
    "-ts_type bdf -snes_converged_reason socket:5005",
    "-ts_type bdf -options_file canary",
    "-ts_type bdf -ts_monitor_solution_vtk canary",
    "-ts_type ./canary.so:make",
    "-ts_type bdf -ksp_type canary.so:make",
    "-ts_type bdf -ts_dt 0.1\n-snes_converged_reason\t:canary",
    "-ts_type bdf '-ts_dt 0.1 -snes_converged_reason :canary'",
    "-ts_type bdf -ts_dt \"0.1 -snes_converged_reason :canary\"",
    "-ts_type bdf -ts_dt 0.1;-snes_converged_reason :canary",
    "-ts_type bdf -ts_dt 0.1,:canary",
    "-ts_type bdf -ts_dt=0.1 -snes_converged_reason=:canary",
    "-ts_type bdf # -snes_converged_reason :canary",
    "-ts_type bdf -SNES_CONVERGED_REASON :canary",
    "-ts_type bdf --snes_converged_reason :canary",
    "-ts_type bdf -snes_-converged_reason :canary"};
enum { N_HOSTILE = sizeof hostile / sizeof *hostile };

static void what_was_open_is_refused(void)
{
  sal_err err;

  for (int i = 0; i < N_HOSTILE; ++i) {
    CU_ASSERT_EQUAL(watch(hostile[i], &err), 0);
    CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
  }
}

/* Each word of each list, and the ends of each range, do nothing but solve or fail. */
static void try_words(const char *name)
{
  char text[LINE], list[4096];
  sal_err err;
  const char *allowed;

  snprintf(text, sizeof text, "-ts_type bdf %s no-such-word", name);
  watch(text, &err);
  allowed = strstr(sal_err_message(), "; allowed: ");
  if (!allowed) return;
  snprintf(list, sizeof list, "%s", allowed + strlen("; allowed: "));
  for (char *word = strtok(list, ", "); word; word = strtok(NULL, ", ")) {
    if (word[strlen(word) - 1] == ';') word[strlen(word) - 1] = '\0';
    const bool type = strcmp(name, "-ts_type") == 0;
    snprintf(text, sizeof text, "-ts_type %s %s %s", type ? word : "bdf", type ? "" : name,
             type ? "-ts_dt 0.1" : word);
    CU_ASSERT_EQUAL(watch(text, &err), 0);
  }
}

/* In the short form every fifth pair of a value and a type. */
static bool is_turn(int i, size_t base, size_t value)
{
  return in_full || ((size_t)i + 3 * base + value) % 5 == 0;
}

static void every_value_is_harmless(void)
{
  static const char *const bases[] = {"-ts_type rk",
                                      "-ts_type bdf",
                                      "-ts_type rosw",
                                      "-ts_type theta -ts_adapt_type basic",
                                      "-ts_type ssp -ts_dt 0.1",
                                      "-ts_type irk -ts_dt 0.1",
                                      "-ts_type alpha -ts_adapt_type basic",
                                      "-ts_type eimex -ts_dt 0.1",
                                      "-ts_type glee",
                                      "-ts_type bdf -ksp_type gmres -pc_type jacobi",
                                      "-ts_type bdf -snes_linesearch_type l2"};
  static const char *const numbers[] = {"-2",    "-1",  "0",   "1",    "2",         "3",
                                        "4",     "12",  "400", "1000", "10000",     "1e-300",
                                        "1e300", "0.5", "1,2", "1e-6", "2147483647"};
  const char *all[SAL_PETSC_ALLOWED_MOST + 1];
  const int n = sal_petsc_allowed_names(all);
  char text[LINE];
  int made = 0;

  for (int i = 0; i < n; ++i) {
    try_words(all[i]);
    for (size_t b = 0; b < sizeof bases / sizeof *bases; ++b)
      for (size_t v = 0; v < sizeof numbers / sizeof *numbers; ++v) {
        sal_err err;
        if (!is_turn(i, b, v)) continue;
        snprintf(text, sizeof text, "%s %s %s", bases[b], all[i], numbers[v]);
        CU_ASSERT_EQUAL(watch(text, &err), 0);
        made += err == SAL_OK;
      }
  }
  printf("%d methods made ", made);
  CU_ASSERT_TRUE(made > 200);
}

/* ---- the witness itself ----------------------------------------------------------------------- */

static int watch_raw(const char *text)
{
  long call;

  sal_petsc_forget();
  witness_arm();
  run_raw(text, true);
  return witness_disarm(&call);
}

static void the_witness_sees(void)
{
  long call;

  witness_arm();
  CU_ASSERT_PTR_NULL(fopen("canary", "w"));
  CU_ASSERT_EQUAL(socket(AF_INET, SOCK_STREAM, 0), -1);
  CU_ASSERT_PTR_NULL(popen("touch canary", "r")); /* NOLINT(cert-env33-c): it is forbidden */
  CU_ASSERT_TRUE(witness_disarm(&call) >= 3);
  FILE *f = fopen("/dev/null", "r"); /* not while it is off */
  CU_ASSERT_PTR_NOT_NULL(f);
  if (f) fclose(f);
  CU_ASSERT_EQUAL(watch_raw("-ts_type bdf"), 0);
  for (int i = 0; i < 7; ++i) {
    if (strstr(hostile[i], "socket")) continue; /* only a matrix is sent there */
    const int seen = watch_raw(hostile[i]);
    if (seen == 0) fprintf(stderr, "'%s': nothing is seen\n", hostile[i]);
    CU_ASSERT_TRUE(seen > 0);
  }
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  CU_TestInfo cases[] = {{"the witness sees", the_witness_sees},
                         {"what was open is refused", what_was_open_is_refused},
                         {"every name is tried", every_name_is_tried},
                         {"every value is harmless", every_value_is_harmless},
                         CU_TEST_INFO_NULL};
  int on = 0;

  in_full = argc > 1 && strcmp(argv[1], "full") == 0;
  if (sal_petsc_start() != SAL_OK || !ask_petsc()) {
    fprintf(stderr, "PETSc lists %d options only\n", n_name);
    return 1;
  }
  add_others();
  run_raw("-ts_type bdf", true); /* what PETSc loads once */
  if (!witness_begin()) {
    fprintf(stderr, "the kernel lacks seccomp filters, which are the witness\n");
    return 1;
  }
  const int failed = sal_test_run("canaries", NULL, cases, 1);

  sal_petsc_end();
  MPI_Initialized(&on);
  if (on) MPI_Finalize();
  return failed;
}
