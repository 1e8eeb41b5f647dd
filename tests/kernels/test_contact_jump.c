/** Events of many contacts: Signorini's and Coulomb's laws afterwards, both laws of impact, and impacts in sequence. */
#include "contact_jump.h"
#include "sal_test.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 8, M = 8 };
static double memory[1 << 14];

static double chance(double lo, double hi)
{
  static uint64_t state = 5;

  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

/* All but q and v stays, as near a point. */
static bool evaluate(void *of, sal_contact_motion *s)
{
  (void)of;
  for (int c = 0; c < s->m; ++c) {
    s->terms[c].gap = 0;
    for (int i = 0; i < s->n; ++i) s->terms[c].gap += s->terms[c].normal[i] * s->q[i];
  }
  return true;
}

/* n coordinates and m contacts, all of which land; restitution from 0 to e, friction up to mu. */
static sal_contact_motion draw(int n, int m, double e, double mu)
{
  sal_contact_motion s;
  double root[N * N] = {0};

  CU_ASSERT_FATAL(sal_contact_motion_words(n, m, 0) <= sizeof memory / sizeof *memory);
  memset(memory, 0, sizeof memory);
  sal_contact_motion_lay_out(&s, n, m, 0, memory);
  s.moment = 1e-15;
  for (int i = 0; i < n * n; ++i) root[i] = chance(-1, 1);
  for (int i = 0; i < n; ++i) {
    s.load[i] = chance(-1, 1);
    s.v[i] = chance(-1, 1);
    for (int j = 0; j < n; ++j) {
      s.mass[i * n + j] = i == j;
      for (int k = 0; k < n; ++k) s.mass[i * n + j] += root[i * n + k] * root[j * n + k];
    }
  }
  for (int c = 0; c < m; ++c) {
    sal_contact_terms *t = &s.terms[c];
    t->restitution = chance(0, e);
    t->mu = t->hold = chance(0, mu);
    for (int i = 0; i < n; ++i) t->normal[i] = chance(-1, 1), t->along[i] = chance(-1, 1);
    s.mode[c] = (sal_contact_mode){.closed = true, .lands = true, .rubs = mu > 0, .sense = 1};
  }
  evaluate(NULL, &s);
  return s;
}

static double energy(const sal_contact_motion *s)
{
  double sum = 0;

  for (int i = 0; i < s->n; ++i)
    for (int j = 0; j < s->n; ++j) sum += s->v[i] * s->mass[i * s->n + j] * s->v[j] / 2;
  return sum;
}

static void test_laws_hold(void)
{
  int solved = 0, closed = 0, opened = 0, other = 0;

  for (int k = 0; k < 4000; ++k) {
    const int n = 2 + k % 7, m = 1 + k / 7 % n;
    sal_contact_motion s = draw(n, m, k % 2, k % 3 ? 0.7 : 0);
    s.in_sequence = k % 5 == 0;
    if (!sal_contact_jump(&s, evaluate, NULL)) continue;
    ++solved;
    const bool holds = sal_contact_jump_violation(&s) <= 1e-9;
    CU_ASSERT(holds || k % 3);
    other += !holds; /* with friction the contacts that stay may have another solution */
    for (int c = 0; c < m; ++c) closed += s.mode[c].closed, opened += !s.mode[c].closed;
  }
  CU_ASSERT(other <= 2);
  CU_ASSERT(solved > 3900 && closed > 1000 && opened > 1000);
}

/* A contact that moves although it is closed, one that is open under a push, and a hold that is broken. */
static void test_a_wrong_solve_is_seen(void)
{
  int moved = 0, freed = 0;

  for (int k = 0; k < 2000; ++k) {
    const int n = 3 + k % 6, m = 1 + k % 3;
    sal_contact_motion s = draw(n, m, 0, k % 2 ? 0.5 : 0);
    if (!sal_contact_jump(&s, evaluate, NULL)) continue;
    CU_ASSERT(sal_contact_jump_margins(&s));
    for (int c = 0; c < m; ++c) {
      sal_contact_mode *of = &s.mode[c];
      if (!of->closed || of->force < 1e-3) continue;
      const double was = s.v[k % n];
      s.v[k % n] += 1e-2 * s.terms[c].normal[k % n];
      moved += sal_contact_jump_violation(&s) > 1e-7;
      s.v[k % n] = was;
      of->closed = of->sticks = false;
      freed += sal_contact_jump_violation(&s) > 1e-7;
      of->closed = true;
      break;
    }
  }
  CU_ASSERT(moved > 500);
  CU_ASSERT(freed > 500);
}

/* With friction Newton's law may add energy (Kane's paradox), Poisson's does not. */
static void test_energy_of_laws(void)
{
  int rises[2] = {0}, solved[2] = {0};

  for (int k = 0; k < 6000; ++k) {
    const int law = k % 2, m = 1 + k % 4 / 2;
    sal_contact_motion s = draw(3, m, 0, 1);
    const double e = chance(0, 1);
    for (int c = 0; c < m; ++c) s.terms[c].restitution = e, s.terms[c].poisson = law;
    const double was = energy(&s);
    if (!sal_contact_jump(&s, evaluate, NULL)) continue;
    ++solved[law];
    rises[law] += energy(&s) > was * (1 + 1e-12);
  }
  CU_ASSERT(solved[0] > 2900 && solved[1] > 2900);
  CU_ASSERT(rises[0] > 10);
  CU_ASSERT_EQUAL(rises[1], 0);
}

/* Without friction one contact alone has one law. */
static void test_laws_agree_on_one_contact(void)
{
  for (int k = 0; k < 500; ++k) {
    sal_contact_motion s = draw(3, 1, 1, 0);
    double before = 0, after = 0;
    s.terms->poisson = k % 2;
    for (int i = 0; i < 3; ++i) before += s.terms->normal[i] * s.v[i];
    CU_ASSERT(sal_contact_jump(&s, evaluate, NULL));
    for (int i = 0; i < 3; ++i) after += s.terms->normal[i] * s.v[i];
    CU_ASSERT_DOUBLE_EQUAL(after, before < 0 ? -s.terms->restitution * before : before, 1e-13);
  }
}

/* A bead that touches both walls comes to rest by Poisson's law; Newton's has no answer, as one wall would have to throw it
 * into the other. */
static void test_a_bead_between_walls(void)
{
  for (int law = 0; law < 2; ++law) {
    sal_contact_motion s = draw(1, 2, 0, 0);
    for (int c = 0; c < 2; ++c) {
      s.terms[c].normal[0] = c ? -1 : 1;
      s.terms[c].restitution = 0.5;
      s.terms[c].poisson = law;
    }
    s.load[0] = 0;
    CU_ASSERT_EQUAL(sal_contact_jump(&s, evaluate, NULL), law == 1);
    if (law) CU_ASSERT(fabs(s.v[0]) < 1e-15 && s.mode[0].closed && s.mode[1].closed);
  }
}

/* Balls in a row, of which the first strikes the second: the formula of two balls, one pair after the other. */
static void test_balls_in_sequence(void)
{
  int apart = 0;

  for (int k = 0; k < 200; ++k) {
    sal_contact_motion s = draw(N, N - 1, 0, 0);
    double v[N] = {1}, e[N];
    memset(s.mass, 0, N * N * sizeof *s.mass);
    memset(s.v, 0, N * sizeof *s.v);
    memset(s.load, 0, N * sizeof *s.load);
    s.v[0] = 1;
    s.in_sequence = true;
    for (int i = 0; i < N; ++i) s.mass[i * N + i] = chance(0.5, 2);
    for (int c = 0; c + 1 < N; ++c) {
      memset(s.terms[c].normal, 0, N * sizeof *s.terms[c].normal);
      s.terms[c].normal[c] = -1;
      s.terms[c].normal[c + 1] = 1;
      s.terms[c].restitution = e[c] = k % 2 ? 1 : chance(0.5, 1);
      s.terms[c].poisson = k / 2 % 2;
      s.mode[c].lands = c == 0;
      s.mode[c].closed = c == 0;
    }
    for (int turn = 0; turn < 10000; ++turn) {
      int at = 0;
      for (int c = 1; c + 1 < N; ++c)
        if (v[c + 1] - v[c] < v[at + 1] - v[at]) at = c;
      const double a = s.mass[at * (N + 1)], b = s.mass[(at + 1) * (N + 1)];
      const double rate = v[at + 1] - v[at], push = (1 + e[at]) * rate * a * b / (a + b);
      if (rate >= -1e-15) break;
      v[at] += push / a;
      v[at + 1] -= push / b;
    }
    CU_ASSERT(sal_contact_jump(&s, evaluate, NULL));
    for (int i = 0; i < N; ++i) CU_ASSERT_DOUBLE_EQUAL(s.v[i], v[i], 1e-12);
    apart += v[1] > v[0] + 1e-3;
  }
  CU_ASSERT(apart > 100);
}

/* One contact lands with `speed` and throws the other up, with half of that. */
static sal_contact_motion two_in_turn(double speed, double e, double load)
{
  static const double normal[2][2] = {{1, 0}, {0.5, 1}};
  sal_contact_motion s = draw(2, 2, 0, 0);

  for (int i = 0; i < 4; ++i) s.mass[i] = i % 3 == 0;
  for (int i = 0; i < 2; ++i) {
    memcpy(s.terms[i].normal, normal[i], sizeof normal[i]);
    s.terms[i].restitution = e;
    s.load[i] = load;
    s.q[i] = 0;
  }
  s.v[0] = -speed;
  s.v[1] = speed / 2;
  s.mode[1].lands = false;
  s.grain = 1e-15;
  return s;
}

/* A flight lower than a contact is lifted off its surface would never end: after a plastic impact both rest, if they fall. */
static void test_low_flights_after_plastic_impacts(void)
{
  static const struct {
    double speed, e, load;
    bool flies;
  } of[] = {{1e-8, 0, -10, false}, {1e-3, 0, -10, true}, {1e-8, 0, 0, true}, {1e-8, 1, -10, true}};

  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    sal_contact_motion s = two_in_turn(of[i].speed, of[i].e, of[i].load);
    CU_ASSERT_FATAL(sal_contact_jump(&s, evaluate, NULL));
    CU_ASSERT_EQUAL(s.mode[0].closed, of[i].e == 0);
    CU_ASSERT_EQUAL(s.mode[1].closed, !of[i].flies);
    const double rate = 0.5 * s.v[0] + s.v[1], least = of[i].speed / 4;
    CU_ASSERT(of[i].flies ? rate > least : fabs(rate) < 1e-20);
  }
}

SAL_TEST_MAIN("contact_jump", NULL, {"laws hold", test_laws_hold},
              {"a wrong solve", test_a_wrong_solve_is_seen},
              {"energy of laws", test_energy_of_laws},
              {"one contact", test_laws_agree_on_one_contact},
              {"a bead between walls", test_a_bead_between_walls},
              {"balls in sequence", test_balls_in_sequence},
              {"low flights", test_low_flights_after_plastic_impacts})
