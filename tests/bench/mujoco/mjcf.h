/** The plate and the hopper in MuJoCo's XML, with the contact made in one of several ways. */
#pragma once

#include "task.h"
#include <stdio.h>

#define BED_HEIGHT 1.0 /* [m] rest height of the springs */
#define BED_WIDTH 2.0  /* [m] */

typedef enum {
  CONTACT_NONE, /* our force law, added to MuJoCo's own forces by a callback */
  CONTACT_SOFT, /* fixed spheres; the spring is MuJoCo's soft contact */
  CONTACT_FEET, /* a foot with mass on each spring, in stiff contact with the plate */
  CONTACT_LEG   /* hopper only: the foot hangs from the body and touches the floor */
} contact_kind;

typedef struct {
  const char *name;
  contact_kind kind;
  bool pairs; /* contact pairs are listed, without a broad phase */
  const char *jacobian;
} variant;

typedef struct {
  const task *task;
  const variant *variant;
  const char *integrator; /* Euler, RK4, implicit */
  double foot;            /* mass of all feet over that of the body */
} world;

/** The variant of that name, or NULL. */
const variant *variant_named(const char *name);

/** Writes the model. */
void mjcf_write(const world *w, FILE *out);
