/** Parts that tests of models by energies share: a rod whose tip rubs on the ground, and numbers. */
#pragma once

#include "equation_text.h"
#include <stdint.h>

static inline double chance(double lo, double hi)
{
  static uint64_t state = 3;

  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static inline bool near(double a, double b, double scale)
{
  return fabs(a - b) <= 1e-12 * fmax(scale, fmax(fabs(a), fabs(b)));
}

static inline sal_equation_model *parse(const char *text)
{
  sal_equation_model *made;

  if (sal_equation_model_parse("e.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static const char rod[] =
    "equations: 1\nname: rod\nparameters: {e: {preset: 0.5}, mu: {preset: 0.3}, m: {preset: 2}, J: "
    "{preset: 0.1}}\n"
    "coordinates: {x: {preset: 0, rate: u}, y: {preset: 2, rate: v}, a: {preset: 0.5, rate: w}}\n"
    "kinetic: m / 2 * (u^2 + v^2) + J / 2 * w^2\npotential: m * 9.81 * y\n"
    "contacts:\n  tip: {names: [lands, lifts], gap: y - 0.6 * sin(a), law: {rigid: {restitution: "
    "e}},\n"
    "    friction: {names: [sticks, slides], mu: mu, along: x - 0.6 * cos(a)}}\n";
