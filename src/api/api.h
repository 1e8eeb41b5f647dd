/** Declarations that the files of the C library share. */
#pragma once

#include "ask.h"
#include "saltus.h"
#include "stop.h"
#include <pthread.h>

/** The functions of a model, with its descriptor. */
typedef struct sal_api_functions sal_api_functions;

struct saltus_model {
  sal_provided *text;           /* NULL: one of the registry, or of functions */
  sal_api_functions *functions; /* NULL: not a model of functions */
  const sal_model *model;
  const char *word[SAL_MAX_OPTION][SAL_MAX_CHOICE + 1]; /* of its options, ended by NULL */
};

struct saltus_measures {
  const sal_model *model;
  const sal_measured_list *list; /* NULL: there are none */
};

/** How runs are made, once it is checked; sal_api_setup_free frees the solver of a file. */
typedef struct {
  sal_setup setup;
  sal_provided *solver;
  int lanes, threads;
} sal_api_setup;

enum { SAL_API_MOST_THREADS = 1024 };

/** Work that only one thread of a process does at a time. In a forked child both are free: the thread that did it may
 *  not exist there. */
typedef enum { SAL_API_ADVISES, SAL_API_READS, SAL_API_N_TURN } sal_api_turn;
void sal_api_turn_take(sal_api_turn which);
void sal_api_turn_leave(sal_api_turn which);

/** Fails where this thread, or one of several threads that a call starts, has too small a stack. */
sal_err sal_api_stack_check(int threads);

/** Fails where a pointer is NULL that may not be. */
sal_err sal_api_given(const char *what, const void *pointer);

/** The library's status of a failure. */
saltus_status sal_api_status(sal_err err);

/** Fails in a function of a model that saltus_advise runs. name: the function of the library that it has called. */
sal_err sal_api_functions_outside(const char *name);
/** By saltus_advise: from now on functions of the model run for it; and no longer. */
void sal_api_functions_advise(const saltus_model *model, int advised);

/** Before functions of a model are called; and after it the status of a call that ended with err: where one of
 *  them has failed, that. */
void sal_api_functions_begin(const saltus_model *model);
saltus_status sal_api_functions_status(const saltus_model *model, sal_err err);

/** Copies the functions with a descriptor; fails where one is missing. sal_api_functions_free frees it. */
sal_err sal_api_functions_new(const saltus_functions *given, sal_api_functions **out);
const sal_model *sal_api_functions_model(const sal_api_functions *functions);
void sal_api_functions_free(sal_api_functions *functions);

/** Fails where parameters and options [n_param + n_option], or states, may not have these values. */
sal_err sal_api_runs_check(const sal_model *model, const double param[], const double initial[]);

/** Fills in the recommendation at a point; home: the program whose names its choices use (solver_home.h). */
void sal_api_cube_answer(const sal_advice *found, int home, saltus_answer *answer);

/** Fails where something of the setup is not allowed. */
sal_err sal_api_setup_check(const saltus_model *model, const saltus_setup *given,
                            sal_api_setup *out);
void sal_api_setup_free(sal_api_setup *setup);

/* ---- The time that a call may take. ---- */

/** Ended by sal_api_limit_end, also after a failure. */
typedef struct {
  sal_stop_lent lent;
  double until, due; /* clocks at which the call, and the work in hand, end; INFINITY: never */
  atomic_int flag;   /* that ends runs */
  bool runs, over;   /* does the thread, and may it end */
  pthread_t thread;
  pthread_mutex_t lock; /* of due, flag and over */
} sal_api_limit;

/** Until the end, runs end (stop.h) where *halt is raised or the work in hand has no time left, by sal_stop_deadline or of the
 *  whole call; seconds 0: any. */
sal_err sal_api_limit_begin(const int *halt, double seconds, sal_api_limit *limit);
void sal_api_limit_end(sal_api_limit *limit);
