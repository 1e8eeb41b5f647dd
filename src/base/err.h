/** Failures of the outside world: one code and one message, printed once, by main.
 *
 *  A function that can fail returns sal_err; SAL_OK is 0.  The function that detects a failure
 *  calls sal_fail with what was found, what was expected and where; callers pass the code on with
 *  SAL_TRY.  A trajectory that fails is an outcome, not an error (kernels/metric.h), and a bug of
 *  ours is an assert.
 *
 *  Each thread has a message of its own.  That of a thread inside an OpenMP region is lost with the region
 *  unless the region hands it on: by sal_err_keep, and sal_err_take after it.  Control characters but
 *  line feeds become '?', whatever a file puts into a message: it cannot control a terminal.
 */
#pragma once

#include <stdbool.h>

#define SAL_ERRORS(E)                                                                              \
  E(SAL_OK, 0, "success")                                                                          \
  E(SAL_ERR_USAGE, 2, "the command line or the input is not valid")                                \
  E(SAL_ERR_INPUT, 2, "the command line or the input is not valid")                                \
  E(SAL_ERR_EXISTS, 3, "the output exists already; --force overwrites")                            \
  E(SAL_ERR_IO, 4, "a file is missing, or a file or standard output could not be read or written") \
  E(SAL_ERR_COMM, 5, "MPI reported a failure")                                                     \
  E(SAL_ERR_MEMORY, 6, "out of memory")                                                            \
  E(SAL_ERR_BUSY, 8, "another run is at work on the output")                                       \
  E(SAL_ERR_STOPPED, 85,                                                                           \
    "a signal or a lost host stopped the run; the same command goes on with it")

/** A compiler warns where a function's sal_err is not looked at; GCC takes an enum's attribute in this form alone. */
#ifdef __clang__
#define MUST_CHECK __attribute__((warn_unused_result))
#else
#define MUST_CHECK [[nodiscard]]
#endif

#define SAL_ERR_ENUM(id, exit, text) id,
typedef enum MUST_CHECK { SAL_ERRORS(SAL_ERR_ENUM) SAL_N_ERR } sal_err;
#undef SAL_ERR_ENUM
#undef MUST_CHECK
/** Exit statuses of commands that did not fail, and whose finding a script may want to know. */
#define SAL_FINDINGS(F)                                                                            \
  F(SAL_FINDING_DIFFERENT, 1, "diff: the cubes differ")                                            \
  F(SAL_FINDING_EARLY, 10, "trajectory: it ended before its time")                                 \
  F(SAL_FINDING_NO_ZONE, 11, "calibrate-eps: no zone has the error")                               \
  F(SAL_FINDING_OUTSIDE, 12, "recommend: the point lies outside the map, and its edge answered")   \
  F(SAL_FINDING_NO_ORBIT, 13, "orbit: there is none, or none was found")                           \
  F(SAL_FINDING_FLAW, 14, "model check, solver check: something is wrong with it")                 \
  F(SAL_FINDING_MISS, 15, "check: the error is missed, or cannot be determined")                   \
  F(SAL_FINDING_CANNOT, 16, "doctor: something that a run needs does not work here")

#define SAL_FINDING_ENUM(id, exit, text) id = exit,
typedef enum { SAL_FINDINGS(SAL_FINDING_ENUM) } sal_finding;
#undef SAL_FINDING_ENUM

/** Passes a failure on to the caller. */
#define SAL_TRY(call)                                                                              \
  do {                                                                                             \
    const sal_err sal_try_ = (call);                                                               \
    if (sal_try_ != SAL_OK) return sal_try_;                                                       \
  } while (0)

/** Records the message (the first one since sal_err_clear wins) and returns the code. */
sal_err sal_fail(sal_err code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Adds to the recorded message information of a caller, such as how to go on. */
void sal_err_add(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The recorded message, "" when there is none; valid until the next sal_fail or sal_err_clear. */
const char *sal_err_message(void);
/** A message on its way from one thread to another; all zero is none. */
typedef struct {
  char text[512];
} sal_err_note;
/** Moves this thread's message, cut to what fits, into the note, unless there is one in it; callers keep others from
 *  it meanwhile. */
void sal_err_keep(sal_err_note *note);
/** Makes the note's message that of this thread, as sal_fail does, and returns the code. */
sal_err sal_err_take(sal_err code, const sal_err_note *note);

/** Forgets message and sal_err_must_abort. */
void sal_err_clear(void);

/** Beside the failure, a file is left open by several ranks: closing it is collective and would
 *  fail again, so that the program may only be left by MPI_Abort, not through MPI_Finalize. */
void sal_err_set_abort(void);
bool sal_err_must_abort(void);

/** Exit status that stands for the code; 0 for SAL_OK. */
int sal_err_exit(sal_err code);
