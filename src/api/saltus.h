/** The C library of saltus: models of mechanical systems with impacts, many runs of one at once in SIMD lanes and on
 *  threads, and the answers of a cube.
 *
 *  Errors.  A function that can fail returns a status, SALTUS_OK (0) or the exit code that the program ends with (but for SALTUS_FAILED);
 *  saltus_message returns what was found and what is allowed, in the program's words.  Results are set to NULL on
 *  failure.  A pointer that is NULL and may not be is SALTUS_INVALID; a function without a status returns an empty value.
 *  So is a call in a thread with less than 2 MB of stack.  A run that cannot go on is not a failure: it has an outcome.  The library prints nothing, never
 *  ends the process, handles no signals, and does not start MPI, which need not be there when it runs.
 *
 *  Ownership.  The result of a function named .._open, .._parse or .._of_functions is the caller's, who frees it with
 *  .._close; NULL is nothing.  Strings are the library's: those of a model or a cube exist as long as it, that of saltus_message
 *  until the next call in this thread, others for ever.  Arrays are the caller's, and the library does not retain them.
 *
 *  Threads.  Every function may be called by several threads at once, and one model used by all of them (but for a model
 *  of functions, where it depends on these); a cube by one thread at a time.
 *  Only saltus_integrate starts threads, on request, and they have ended when it returns.
 *
 *  Units are those of the model: saltus_model_state returns those of states, saltus_model_time that of times ("1": none).
 */
#ifndef SALTUS_H
#define SALTUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) && !defined(SALTUS_CALL)
#define SALTUS_CALL __attribute__((visibility("default")))
#elif !defined(SALTUS_CALL)
#define SALTUS_CALL
#endif

typedef enum {
  SALTUS_OK = 0,
  SALTUS_INVALID = 2, /* an argument, a text or a file is not valid */
  SALTUS_FILE = 4,    /* a file is missing or could not be read */
  SALTUS_MEMORY = 6,
  SALTUS_FAILED = 7, /* a function of the caller's, of which a model was made, said so */
  SALTUS_HALTED = 85 /* saltus_setup.halt was raised */
} saltus_status;

/** The message of the last call that failed in this thread, "" before the first one. */
SALTUS_CALL const char *saltus_message(void);
/** "4.0.0": version of the library that the program is linked to at run time. */
SALTUS_CALL const char *saltus_version(void);

/** Names that may be given, by number from 0; NULL after the last. */
typedef enum { SALTUS_MODELS, SALTUS_SOLVERS, SALTUS_STRATEGIES } saltus_list;
SALTUS_CALL const char *saltus_name(saltus_list list, int i);

/* ---- models ---- */

typedef struct saltus_model saltus_model;

/** By the name of a model that the library has, or by that of a file, .yaml or .yml: a text of equations or of bodies. */
SALTUS_CALL saltus_status saltus_model_open(const char *name, saltus_model **model);
/** From such a text itself. */
SALTUS_CALL saltus_status saltus_model_parse(const char *text, saltus_model **model);
/** The text of a model with other counts of members, which are its first parameters: count [n_count]. */
SALTUS_CALL saltus_status saltus_model_members(const saltus_model *model, const double count[],
                                               saltus_model **members);
/** Actions of a contact of a model of functions. */
enum { SALTUS_CLOSING = 1, SALTUS_OPENING = 2 };
typedef struct {
  int resets; /* 0, or when jump is called: SALTUS_CLOSING | SALTUS_OPENING */
  int ends;   /* 1: its closing ends the run */
} saltus_contact;

/** The caller's functions return 0; another number ends the call that runs them with SALTUS_FAILED, and values that are NaN
 *  end one run.  They run at width 1, in the threads of that call.  p [n_param]; y, slope [n_state]. */
typedef struct {
  const char *name;                /* NULL: "functions" */
  int n_state, n_param, n_contact; /* 1 .. 1024, 0 .. 64, 0 .. 8 */
  double span;                     /* length of a run by preset */
  const double *initial, *param;   /* [n_state], [n_param] presets; read once */
  const saltus_contact *contact;   /* [n_contact]; read once */
  void *with;                      /* handed to the functions */
  /** slope = f(t, y); closed [n_contact] is 1 for closed contacts. */
  int (*f)(void *with, double t, const double y[], const double p[], const int closed[],
           double slope[]);
  /** gap [n_contact]: above 0 while a contact is open.  NULL without contacts. */
  int (*gaps)(void *with, double t, const double y[], const double p[], double gap[]);
  /** Contact k has closed, or opened: changes y.  One that moves apart after it opens again by itself.  After infinitely many
   *  impacts it is closed and its speed 0; where f does not hold it then the run ends as "zeno".  NULL where none resets. */
  int (*jump)(void *with, int k, int closes, double t, double y[], const double p[]);
} saltus_functions;

/** A model of functions.  Jacobians and rates of gaps are differences. */
SALTUS_CALL saltus_status saltus_model_of_functions(const saltus_functions *functions,
                                                    saltus_model **model);
SALTUS_CALL void saltus_model_close(saltus_model *model);

typedef struct {
  const char *name, *title, *source;
  const char *note;     /* what of a text is not taken as it stands; NULL: all is */
  const char *time;     /* its unit of time */
  double span;          /* length of a run by preset */
  int n_param, n_state; /* parameters, the options after them; states */
  int n_contact;        /* at most: a parameter may say how many */
  int watched;          /* the state whose error is scored */
  int n_count;          /* of the parameters: counts of members, see saltus_model_members */
} saltus_model_facts;
SALTUS_CALL saltus_model_facts saltus_model_about(const saltus_model *model);

/** A parameter or a state.  An option is a parameter whose values are the numbers of words. */
typedef struct {
  const char *name, *unit, *what;
  double preset, least, most; /* what a run may have */
  const char *const *word;    /* of an option, ended by NULL; else NULL */
} saltus_quantity;
SALTUS_CALL saltus_quantity saltus_model_param(const saltus_model *model, int i);
SALTUS_CALL saltus_quantity saltus_model_state(const saltus_model *model, int i);
/** Reads a number with or without a unit, "1.5 kN" for a quantity in N, into *value, in `unit`; what: its name, for
 *  messages. */
SALTUS_CALL saltus_status saltus_value(const char *what, const char *text, const char *unit,
                                       double *value);
/** Name of the closing (1) or the opening (0) of contact k; NULL: it has no name. */
SALTUS_CALL const char *saltus_model_event(const saltus_model *model, int k, int closes);

/* ---- many runs of a model ---- */

/** How runs are made; 0 and NULL are presets, so that an empty one will do. */
typedef struct {
  const char *solver;   /* a name, or a file of a tableau, .yaml; NULL: "ode45" */
  const char *strategy; /* NULL: "event" */
  double rtol, atol;    /* 1e-14 .. 0.1; 0: 1e-6, the same as rtol */
  double t_end;         /* runs begin at t = 0; 0: the model's span */
  double max_step;      /* 0: a tenth of the run */
  int lanes;            /* 1, 4 or 8; 0: the widest that CPU and model have */
  int threads;          /* up to 1024; 0: 1 */
  const int *
      halt; /* NULL, or a number that any thread, or a handler of signals, makes another one than 0 to end all runs
                      where they are */
  double
      budget; /* most work of a run, in evaluations of f: beyond it ends as "over_budget"; 0: 1e8, of functions 1e6 */
  const double *
      scale; /* [n_state] > 0: the absolute tolerance of a state is atol times this; NULL: those of the model */
} saltus_setup;

/** Result of a run; -1: a count that does not apply. */
typedef struct {
  double t;          /* time that it reached */
  int32_t outcome;   /* see saltus_outcome */
  int32_t completed; /* 1: it went as far as its model lets it */
  int64_t steps, failed, evaluations, jacobians, factorisations, solves;
  int64_t events; /* contacts closed or opened, where the strategy looks for them */
} saltus_figures;

/** A change of sides of a contact. */
typedef struct {
  double t;
  int32_t contact, closes;
} saltus_event;

/** Measures of runs of a model: numbers of a whole trajectory, such as the largest value of an expression.  text: lines
 *  "NAME: FUNCTION(ARGUMENTS) [from TIME] [in UNIT]", or names alone, "peak", as under the key `measure` of a sweep; NULL: those of
 *  the model's own text alone, which come first.  Times past the end of a run are SALTUS_INVALID there.  To be closed before the
 *  model is. */
typedef struct saltus_measures saltus_measures;
SALTUS_CALL saltus_status saltus_measures_open(const saltus_model *model, const char *text,
                                               saltus_measures **measures);
/** Column i, from 0, of their results: its name, unit and text; name NULL after the last. */
SALTUS_CALL saltus_quantity saltus_measures_column(const saltus_measures *measures, int i);
SALTUS_CALL void saltus_measures_close(saltus_measures *measures);

/** Runs, C order.  NULL: the preset, or not requested. */
typedef struct {
  int64_t n;
  const double *param;     /* [n][n_param] */
  const double *initial;   /* [n][n_state]; discrete states that follow from others are set anew */
  double *end;             /* [n][n_state] the state at the end */
  saltus_figures *figures; /* [n] */
  int64_t samples;         /* at t_end j / samples, j = 0 .. samples */
  double *state;           /* [n][samples + 1][n_state]; NaN after the end of a run that failed */
  int64_t most_events;     /* that are kept of each run, the first ones */
  saltus_event *event;     /* [n][most_events]; what a run does not fill is left as it is */
  double *event_state;     /* [n][most_events][n_state] after the event */
  const saltus_measures *measures;
  double *measured; /* [n][columns]; NaN of a run that has not come to its end */
} saltus_runs;

/** Integrates them all: the same bits for any lanes and threads, and in any company.  SALTUS_INVALID where a value
 *  is out of range, by the number of its run; nothing has run then. */
SALTUS_CALL saltus_status saltus_integrate(const saltus_model *model, const saltus_setup *setup,
                                           const saltus_runs *runs);
/** "done", "step_underflow", .. of a saltus_figures.outcome, and as a sentence (may be NULL). */
SALTUS_CALL const char *saltus_outcome(int outcome, const char **sentence);

/* ---- what a cube answers ---- */

typedef struct saltus_cube saltus_cube;

/** Configurations that may answer; NULL: all. */
typedef struct {
  const char *solvers, *strategies; /* "ode45,dop853" */
  const char *program;              /* only its solvers: "scipy", "matlab", "julia", .. */
  const char *by;   /* the requested error, "max_error"; NULL: that of the sweep of the cube */
  const char *work; /* its weights, "rhs=1,jacobian=2"; NULL: those of the sweep of the cube */
  const char *
      f_costs; /* time of one evaluation of f, "1us": work is a time in s; NULL: work is in evaluations of f */
  const char *steps, *lanes; /* with it: a file of saltus calibrate-work, and "1", "4" or "8" */
} saltus_choices;

/** Opens the cube that `saltus run` has written. */
SALTUS_CALL saltus_status saltus_cube_open(const char *path, const saltus_choices *configs,
                                           saltus_cube **cube);
SALTUS_CALL void saltus_cube_close(saltus_cube *cube);

/** Quantity i of those that the cube's cells differ in, with its range there; name NULL after the last. */
typedef struct {
  const char *name, *unit;
  double lo, hi;
  int whole; /* 1: values are integers: counts, or numbers of an option's words */
} saltus_axis;
SALTUS_CALL saltus_axis saltus_cube_axis(const saltus_cube *cube, int i);

/** A solver with a strategy at a tolerance; solver NULL: none. */
typedef struct {
  /* Members of a choice, from answers/answer.def: */
  const char *solver, *strategy; /* solver and strategy of least expected total work; NULL: none */
  double rtol;                   /* its tolerance; NaN: none */
  double probability;            /* probability that a run reaches the asked error; NaN: none */
  double error; /* expected error of a run, the median [that of the error]; NaN: none */
  double work;  /* expected work of a run, the median [evaluations of f, or s]; NaN: none */
  double
      total; /* expected work with the attempts that follow a miss [evaluations of f, or s]; NaN: none */
  /* End of the members. */
  const char
      *call; /* what is written for it in the program that was asked for; NULL: nothing is known */
  double needed; /* probability that this attempt of a schedule is needed */
} saltus_choice;

enum { SALTUS_ATTEMPTS = 41 };
typedef struct {
  saltus_choice
      best; /* the least expected total work; schedule[0], or the first attempt that did not miss at the point */
  saltus_choice safe; /* the least work with a probability of 0.99 */
  int n_attempt; /* what to try, each after a miss of the one before; 0: no cell counts, and best is the cheapest hit of
                    runs at the point alone */
  saltus_choice schedule[SALTUS_ATTEMPTS];
  /* Members of an answer beside those of best, from answers/answer.def: */
  const char *runner_up_solver,
      *runner_up_strategy; /* solver and strategy of the next least expected total work; NULL: none */
  double margin;           /* extra work of the runner-up, as a share of the total; NaN: none */
  double confidence; /* probability that the answer needs less work than the runner-up; NaN: none */
  const char *other_solver,
      *other_strategy; /* solver and strategy of least expected total work of the other solvers; NULL: none */
  double other_margin; /* extra work of the best of the other solvers, as a share; NaN: none */
  double
      other_confidence; /* probability that the answer needs less work than that one; NaN: none */
  const char *reason;   /* reason of the answer, or of none, a word */
  /* End of the members. */
  double predicted,
      observed; /* of cells left out: the mean probability, and the share that reached the error; NaN: not known */
  double
      estimated_error; /* of best, from its run at the point beside a tighter one; NaN: it was not run */
  int attempts; /* that saltus_advise has run at the point; with a schedule the last of them is best */
  int n_outside; /* quantities in which the point lies outside the cube, whose edge answered */
  char unit[64]; /* of errors */
} saltus_answer;

/** Which solver, strategy and tolerance reach the error at the point?  at: "b=1951,k=22.8", each axis of the cube; error > 0;
 *  probability: the least work of one run with this probability, 0: the least expected total work.
 *  SALTUS_INVALID, too, where it has no answer; saltus_message has the reason. */
SALTUS_CALL saltus_status saltus_cube_ask(saltus_cube *cube, const char *at, double error,
                                          double probability, saltus_answer *answer);

/** Configuration i of the cube in the order [rtol][strategy][solver], in which costs and runs have them; solver NULL after
 *  the last. */
typedef struct {
  const char *solver, *strategy;
  double rtol;
} saltus_config;
SALTUS_CALL saltus_config saltus_cube_config(const saltus_cube *cube, int i);

/** Expected cost of every configuration at n points for n_error errors, each > 0.  point [n][axes]: values in the order of
 *  saltus_cube_axis, the number of a word where the axis is an option.  Written: total [n_error][n][configurations], the work
 *  of a run and, after a miss, of runs by the same solver and strategy at ever tighter rtol, in the end of the most expensive
 *  configuration; probability, of the same shape, that the run reaches the error.  Both are NaN where a configuration has no
 *  fit or may not answer, and of all configurations where none answers.  Outside of the cube its boundary answers.
 *  SALTUS_INVALID, too, where the cube has too few cells. */
SALTUS_CALL saltus_status saltus_cube_costs(saltus_cube *cube, int64_t n, const double point[],
                                            int n_error, const double error[], double total[],
                                            double probability[]);

/** The runs in n cells of the cube, each of 0 .. (its number of cells - 1), as answers are made of them: work
 *  [n][configurations] in evaluations of f, and error, of the same shape and in the unit of answers, that of the reference
 *  included.  The error of a run that failed is NaN, that of one that was stopped at its cutoff infinite; both are NaN of a run
 *  that was not made and of a configuration that may not answer. */
SALTUS_CALL saltus_status saltus_cube_runs(saltus_cube *cube, int64_t n, const int64_t cell[],
                                           double work[], double error[]);

/* ---- what runs made now answer ---- */

/** A point of a model, and what is asked there; 0 and NULL are presets but for the error. */
typedef struct {
  const double *param, *initial; /* [n_param], [n_state] */
  double error;                  /* > 0, in the unit of the watched state */
  double t_end;                  /* the model's span */
  double share;        /* half the width of the box of cells, of each value that varies; 0.05 */
  int64_t cells;       /* as few as an answer needs: 12, and 3 for each quantity that varies */
  const char *program; /* as in saltus_choices; solvers of other libraries are refused */
  int threads;         /* 1 */
  const int *halt;     /* as in saltus_setup */
  double seconds;      /* that the call may take, by the clock; any */
} saltus_around;

/** Runs each solver, strategy and tolerance on cells around the point, measured against references, and answers as a cube of
 *  these would.  Where more than a quarter of the references do not reach the error, and no number of cells is given, solvers run at the point alone,
 *  each beside another one.  With `seconds` there are as many cells, of as many quantities, solvers and tolerances, as there is time
 *  for, and where these are too few, runs at the point alone.  One call runs at a time in a process; a function that it runs may call neither it nor
 *  saltus_integrate, which is SALTUS_INVALID. */
SALTUS_CALL saltus_status saltus_advise(const saltus_model *model, const saltus_around *around,
                                        saltus_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
