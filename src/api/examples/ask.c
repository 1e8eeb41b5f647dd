/* Prints the solver, strategy and tolerance that reach an error at a point of a cube.
 *
 *   cc ask.c $(pkg-config --cflags --libs saltus) -Wl,-rpath,$(pkg-config --variable=libdir saltus) -o ask
 *   saltus run SWEEP.yaml -o CUBE.h5 && ./ask CUBE.h5 b=1951,k=22.8 1e-4
 */
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(saltus_status status)
{
  fprintf(stderr, "ask: %s\n", saltus_message());
  return status;
}

static void print_axes(const saltus_cube *cube)
{
  for (int i = 0;; ++i) {
    const saltus_axis axis = saltus_cube_axis(cube, i);
    if (!axis.name) return;
    printf("%s from %g to %g [%s]\n", axis.name, axis.lo, axis.hi, axis.unit);
  }
}

int main(int argc, char **argv)
{
  saltus_cube *cube;
  saltus_answer answer;
  if (argc != 4) {
    fprintf(stderr, "usage: ask CUBE.h5 NAME=VALUE,.. ERROR\n");
    return SALTUS_INVALID;
  }
  saltus_status status = saltus_cube_open(argv[1], NULL, &cube);
  if (status != SALTUS_OK) return fail(status);
  print_axes(cube);

  status = saltus_cube_ask(cube, argv[2], strtod(argv[3], NULL), 0, &answer);
  for (int i = 0; status == SALTUS_OK && i < answer.n_attempt; ++i) {
    const saltus_choice *c = &answer.schedule[i];
    printf("%s %s with %s at rtol %.3g: reaches it with probability %.3g, work %.4g\n",
           i == 0 ? "use" : "then", c->solver, c->strategy, c->rtol, c->probability, c->work);
  }
  if (status != SALTUS_OK) fail(status);
  saltus_cube_close(cube);
  return status;
}
