/** Options of a single run: model, method, strategy and their numbers; and Ctrl-C while it lasts.
 *
 *  A command that runs single trajectories has sal_cli_run_options among its tables, with the
 *  offset of a sal_cli_run_words, and checks the words after parsing.
 */
#pragma once

#include "cli_option.h"
#include "measure.h"
#include "model_source.h"

/** The options as given; strings are borrowed, NULL: presets (the first model of the registry). */
typedef struct {
  const char *text; /* the model's, in place of a file `model`; NULL: there is none */
  const char *model, *method, *strategy, *param, *initial;
  const char
      *point; /* what the option of param and initial is called; NULL: --param and --initial */
  const char *physical;         /* of the commands that have sal_cli_run_physical */
  double rtol, atol;            /* atol NaN: the same as rtol */
  const char *t_end, *max_step; /* times, "50" or "5s"; NULL: not given */
  const char *zone, *step;      /* of the strategies that want them */
  bool zone_in_gap, every_contact;
  double budget;  /* of the commands that have sal_cli_run_budget, else 0: none */
  double seconds; /* of those that have sal_cli_run_visit_budget, likewise */
  bool engines;   /* the command takes methods that own their loop, too */
  sal_jacobian jacobian;
} sal_cli_run_words;

/** Presets of the options, as an initialiser. */
#define SAL_CLI_RUN_PRESETS(method_name, strategy_name, relative_tolerance)                        \
  .method = (method_name), .strategy = (strategy_name), .rtol = (relative_tolerance), .atol = NAN, \
  .zone = "5e-4", .step = "0.002"

/** Rows for a sal_cli_run_words. */
extern const sal_cli_option sal_cli_run_options[];
/** --tables-from DIR, of commands that read texts of models. */
sal_err sal_cli_tables_from(const char *where, const char *text, void *value);
#define SAL_CLI_TABLES_FROM                                                                        \
  {                                                                                                \
    "tables-from", 0, "DIR", "read files of tables below DIR, too", SAL_CLI_PARSED,                \
        .parse = sal_cli_tables_from                                                               \
  }
/** --physical, of commands whose answers can be in metres and seconds. */
extern const sal_cli_option sal_cli_run_physical[];

/** --budget, of commands whose runs end when their work is spent. */
extern const sal_cli_option sal_cli_run_budget[];
/** The same of commands that go from visit to visit of a section, and --seconds, after which all runs end (stop.h). */
extern const sal_cli_option sal_cli_run_visit_budget[];
/** Preset budget of a run, in evaluations of f: half a minute of most models. */
#define SAL_CLI_RUN_BUDGET 1e8

/** Message for a run that has spent its budget: "..; a larger --budget lets it go on"; "" after another outcome. */
const char *sal_cli_run_spent(int outcome);

/** One trajectory to be run. */
typedef struct {
  sal_provided *file;   /* of a model that is not in the registry, else NULL */
  sal_provided *solver; /* the same of a solver */
  sal_setup setup;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  double t_end,
      step; /* what was asked for: t_end NaN where nothing was; of strategies with fixed steps */
  sal_measure measure; /* what all of it is in metres and seconds */
} sal_cli_run;

/** Checks the words: names are known, numbers in range, method, strategy and model go together; the
 *  message names what is to blame. */
sal_err sal_cli_run_check(const sal_cli_run_words *words, sal_cli_run *run);
/** Frees the model and the solver that files described; the setup is none any more. */
void sal_cli_run_free(sal_cli_run *run);

/* A line on stderr now and then while a command integrates: how far the run in hand has come, and what is spent of its budget. */

/** From now on, until the program ends; `command` is borrowed.  Not for commands that stop by signals (stop.h), whose
 *  timer it uses; --seconds takes that timer, and then no lines are written. */
void sal_cli_watch_begin(const char *command);

/** For the setup of runs: what their lines are made from. */
sal_run_reached *sal_cli_watch_run(const sal_setup *setup, double budget);
