/** mujoco_run MODEL.xml STEP STEPS EACH FREQUENCY: steps of MuJoCo from the first key, and the positions after every EACH of them.
 *
 *  Joint i is driven by cos(FREQUENCY t + 0.37 i) where FREQUENCY is above 0.  The last line is the CPU time in seconds.  Built by
 *  time_stepping.py with the library that is installed.
 */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void print_positions(const mjModel *m, const mjData *d)
{
  for (int i = 0; i < m->nq; ++i) printf("%s%.17g", i ? " " : "", d->qpos[i]);
  printf("\n");
}

int main(int argc, char **argv)
{
  char error[1000] = "";

  if (argc != 6) return 2;
  mjModel *m = mj_loadXML(argv[1], NULL, error, sizeof error);
  mjData *d = m ? mj_makeData(m) : NULL;
  if (!d) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  const long steps = strtol(argv[3], NULL, 10), each = strtol(argv[4], NULL, 10);
  const double frequency = strtod(argv[5], NULL);
  double seconds = 0;
  m->opt.timestep = strtod(argv[2], NULL);
  mj_resetDataKeyframe(m, d, 0);
  print_positions(m, d);
  for (long k = 1; k <= steps; ++k) {
    const clock_t began = clock();
    for (int i = 0; frequency > 0 && i < m->nv; ++i)
      d->qfrc_applied[i] = cos(frequency * d->time + 0.37 * i);
    mj_step(m, d);
    seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
    if (k % each == 0) print_positions(m, d);
  }
  printf("%.9g\n", seconds);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
