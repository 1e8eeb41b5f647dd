/** Parts that the programs of this comparison share: command line, rows, equations and report.
 *
 *      PROGRAM METHOD switch|event TOLERANCE ROWS.csv N ENDS.csv [WIDTH|alone [Y1 V1 Y2 V2]]
 *
 *  solves the first N rows "id,b,m1,k,f" again and again until LEAST seconds of CPU time are over,
 *  prints one line with CPU seconds and counts of the list once, and writes the ends, one line a
 *  row, to ENDS.csv.  The last arguments are for ours: lanes (0: the widest; alone: width 1, one
 *  trajectory after another, where 1 is a list of them) and what is added to the start.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FLIGHT_STATES = 4, FLIGHT_MOST_EVENTS = 3000 /* more: chattering at one instant */ };
#define FLIGHT_T_END 50.0
#define FLIGHT_FIRST 1e-3 /* first step of the codes that choose none */
#define FLIGHT_FOUR_PI2 39.478417604357434475

/** The ground parameters and masses of one hopper; kernels/models/monopod.c describes them. */
typedef struct {
  double b, m1, k, f;
} flight_row;

/** Cost of a pass over the list; a trajectory that fails is `wrong` and ends as NaN. */
typedef struct {
  double steps, failed, rhs, jacobians, events, wrong;
} flight_work;

typedef struct {
  const char *method, *ends;
  bool event, alone; /* alone: ours is given one trajectory at a time */
  double tolerance;
  int width, n, copies;          /* copies: how often a pass solves the list; 1 */
  double initial[FLIGHT_STATES]; /* y1, v1, y2, v2 at t = 0 */
  flight_row *row;               /* [n] */
  double (*end)[FLIGHT_STATES];  /* [n], filled by each pass */
  double *attempts;              /* [n] steps tried, where it is known */
} flight_task;

/** A hopper as a peer sees it.  c = 4 pi^2 - m1. */
typedef struct {
  double b, m1, f, c, ck;
  bool held, closed; /* is the mode frozen, and is the foot on the ground then? */
  long rhs;          /* evaluations */
} hopper;

typedef void flight_pass(flight_task *task, void *context, flight_work *work);

/** Reads the command line and the rows; a wrong use ends the program with a message. */
void flight_read(int argc, char *argv[], flight_task *task);
/** Ends the program: "PROGRAM: MESSAGE". */
void flight_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/** Times pass(task, context, work), reports, frees what flight_read took; returns the exit status. */
int flight_run(flight_task *task, flight_pass *pass, void *context);

/** Row i at its start, y [FLIGHT_STATES]. */
hopper flight_begin(const flight_task *task, int i, double y[]);
/** Row i has ended at y, or nowhere. */
void flight_finish(flight_task *task, int i, const hopper *p, const double y[], bool wrong,
                   flight_work *work);

static inline bool hopper_stands(const hopper *p, double y1)
{
  return p->held ? p->closed : y1 <= 0;
}

/** One square root in stance, none in flight. */
static inline void hopper_rhs(hopper *p, const double y[], double dy[])
{
  const double extension = y[0] - y[2] + 1;
  double force = 0;

  if (hopper_stands(p, y[0])) {
    const double depth = fabs(y[0]);
    force = sqrt(depth) * (p->b * depth * y[1] + p->ck * y[0]);
  }
  dy[0] = y[1];
  dy[1] = -(force + p->c * extension + p->f);
  dy[2] = y[3];
  dy[3] = p->m1 * extension - p->f;
  ++p->rhs;
}

/** The Jacobian, J[row][column]. */
static inline void hopper_jacobian(const hopper *p, const double y[],
                                   double J[FLIGHT_STATES][FLIGHT_STATES])
{
  const double in_flight[FLIGHT_STATES][FLIGHT_STATES] = {
      {0, 1, 0, 0}, {-p->c, 0, p->c, 0}, {0, 0, 0, 1}, {p->m1, 0, -p->m1, 0}};

  for (int i = 0; i < FLIGHT_STATES; ++i)
    for (int j = 0; j < FLIGHT_STATES; ++j) J[i][j] = in_flight[i][j];
  if (hopper_stands(p, y[0])) {
    const double depth = fabs(y[0]), root = sqrt(depth), sign = y[0] < 0 ? -1 : 1;
    J[1][0] -= 1.5 * root * (sign * p->b * y[1] + p->ck);
    J[1][1] = -p->b * depth * root;
  }
}

#ifdef __cplusplus
}
#endif
