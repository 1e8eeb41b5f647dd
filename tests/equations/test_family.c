/** Families of a text: the same model as one whose members are written out; counts, ranges and what is refused. */
#include "energy_text.h"
#include "equation_findings.h"
#include "kernels/run_one.h"
#include "members.h"

static const char row[] =
    "equations: 1\nname: row\n"
    "counts: {n: {preset: 3, range: [1, 8], allowed: [1, 20]}}\n"
    "parameters: {e: {preset: 0.7}, c: {preset: 0.2}}\n"
    "states:\n"
    "  x: {for: i in 1..n, preset: 0.1 * (i + 1)}\n"
    "  v: {for: i in 1..n, preset: 0, rate_of: x(i)}\n"
    "let:\n"
    "  pull: {for: i in 1..n - 1, is: c * (x(i + 1) - x(i))}\n"
    "  all: sum(i in 1..n, v(i)^2 / 2) + 0 * max(i in 1..n, x(i))\n"
    "contacts:\n"
    "  stop: {for: i in 1..n, names: [hit, leave], gap: x(i) + 0.1, closes: {v(i): 0 if rests else "
    "-e * v(i)}, stays: rests}\n"
    "flow:\n"
    "  x: {for: i in 1..n, is: 0 if stop(i) else v(i)}\n"
    "  v(1): 0 if stop(1) else -x(1) + pull(1) + cos(2 * t)\n"
    "  v: {for: i in 2..n - 1, is: 0 if stop(i) else -x(i) + pull(i) - pull(i - 1) + cos(2 * t)}\n"
    "  v(n): 0 if stop(n) else -x(n) - pull(n - 1) + cos(2 * t)\n"
    "kinetic: all\nwatch: x(n)\n";

static const char written_out[] =
    "equations: 1\nname: row\nparameters: {n: {preset: 3}, e: {preset: 0.7}, c: {preset: 0.2}}\n"
    "states:\n"
    "  a: {preset: 0.2}\n  b: {preset: 0.30000000000000004}\n  d: {preset: 0.4}\n"
    "  va: {preset: 0, rate_of: a}\n  vb: {preset: 0, rate_of: b}\n  vd: {preset: 0, rate_of: d}\n"
    "let: {p: c * (b - a), q: c * (d - b)}\n"
    "contacts:\n"
    "  sa: {names: [hit, leave], gap: a + 0.1, closes: {va: 0 if rests else -e * va}, stays: "
    "rests}\n"
    "  sb: {names: [hit, leave], gap: b + 0.1, closes: {vb: 0 if rests else -e * vb}, stays: "
    "rests}\n"
    "  sd: {names: [hit, leave], gap: d + 0.1, closes: {vd: 0 if rests else -e * vd}, stays: "
    "rests}\n"
    "flow:\n  a: 0 if sa else va\n  b: 0 if sb else vb\n  d: 0 if sd else vd\n"
    "  va: 0 if sa else -a + p + cos(2 * t)\n  vb: 0 if sb else -b + q - p + cos(2 * t)\n"
    "  vd: 0 if sd else -d - q + cos(2 * t)\n";

static void members_have_the_bits_of_a_text_written_out(void)
{
  sal_equation_model *f = parse(row), *w = parse(written_out);
  const sal_model *m = sal_equation_model_get(f), *other = sal_equation_model_get(w);
  const double param[] = {3, 0.7, 0.2};
  double moved = 0;

  CU_ASSERT_EQUAL_FATAL(m->n_state, 6);
  CU_ASSERT_EQUAL_FATAL(m->n_guard, 3);
  CU_ASSERT_EQUAL(m->n_count, 1);
  CU_ASSERT_EQUAL(m->watch, 2);
  CU_ASSERT_STRING_EQUAL(m->state[2].name, "x(3)");
  for (int i = 0; i < 6; ++i) CU_ASSERT_EQUAL(m->state[i].preset, other->state[i].preset);
  for (int k = 0; k < 100; ++k) {
    double y[6], dy[2][6], gap[2][3], after[2][6];
    bool closed[2][3] = {{k % 3 == 0, k % 3 == 1, k % 3 == 2}, {0}};
    for (int i = 0; i < 6; ++i) y[i] = chance(-1, 1);
    memcpy(closed[1], closed[0], sizeof closed[0]);
    for (int of = 0; of < 2; ++of) {
      const sal_model *at = of ? other : m;
      sal_model_rhs(at, param, 0.3, y, dy[of]);
      sal_model_gaps(at, param, 0.3, y, gap[of]);
      memcpy(after[of], y, sizeof y);
      sal_model_jump(at, param, k % 3, closed[of], 0.3, after[of]);
    }
    CU_ASSERT_EQUAL(memcmp(dy[0], dy[1], sizeof dy[0]), 0);
    CU_ASSERT_EQUAL(memcmp(gap[0], gap[1], sizeof gap[0]), 0);
    CU_ASSERT_EQUAL(memcmp(after[0], after[1], sizeof after[0]), 0);
    moved += fabs(after[0][3 + k % 3] - y[3 + k % 3]);
    CU_ASSERT(
        near(m->kinetic(m->inner, param, y), (y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) / 2, 1));
  }
  CU_ASSERT(moved > 10);
  sal_equation_model_free(f);
  sal_equation_model_free(w);
}

static void a_count_is_given_where_the_text_is_read(void)
{
  for (double n = 2; n <= 20; n += 9) {
    sal_equation_model *e;
    CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse_counted("e.yaml", row, &n, &e), SAL_OK);
    const sal_model *m = sal_equation_model_get(e);
    double param[] = {n, 0.7, 0.2};
    CU_ASSERT_EQUAL(m->n_state, 2 * (int)n);
    CU_ASSERT_EQUAL(m->n_guard, (int)n);
    CU_ASSERT_EQUAL(m->param[0].preset, n);
    CU_ASSERT(m->param[0].lo <= n && n <= m->param[0].hi); /* also beyond the range of studies */
    CU_ASSERT_PTR_NULL(sal_model_flaw(m, param));
    param[0] = 3; /* a parameter alone adds no members */
    CU_ASSERT_PTR_NOT_NULL(sal_model_flaw(m, param));
    sal_equation_model_free(e);
  }
}

/* The row with a line in place of another one is refused with these words. */
static void refuse(const char *was, const char *is, double n, const char *words)
{
  char text[4000];
  const char *at = strstr(row, was);
  sal_equation_model *e;

  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - row), row, is, at + strlen(was));
  sal_err_clear();
  CU_ASSERT_NOT_EQUAL(sal_equation_model_parse_counted("e.yaml", text, &n, &e), SAL_OK);
  if (!strstr(sal_err_message(), words)) fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), words));
}

static void what_is_wrong_is_refused_with_its_index(void)
{
  refuse("e: {", "e: {", 0, "n = 0; allowed: whole numbers from 1 to 1024");
  refuse("e: {", "e: {", 2.5, "n = 2.5; allowed");
  refuse("e: {", "e: {", 30, "allowed: from 1 to 20");
  refuse("x(i + 1) - x(i)", "x(i + 2) - x(i)", 3,
         "e.yaml:9: x(i + 2) at i = 2: there are x(1) to x(3)");
  refuse("1..n - 1, is", "1..n / 2, is", 3, "'n / 2' is 1.5, not a whole number");
  refuse("1..n - 1, is", "1..1e6, is", 3, "1000000 members; allowed: to 1024");
  refuse("for: i in 1..n, is: 0", "for: i = 1..n, is: 0", 3, "expected: INDEX in FIRST..LAST");
  refuse("watch: x(n)", "watch: x(n + 1)", 3, "there are x(1) to x(3)");
  refuse("c * (x(i + 1)", "c * pull(i) * (x(i + 1)", 3, "depends on itself");
  refuse("max(i in 1..n,", "max(i in 2..1,", 3, "max over no members");
  refuse("  v(n): 0", "  v(1): 0", 3, "duplicate key 'v(1)'");
  refuse("max(i in 1..n, x(i))", "x(k)", 3, "expected: numbers, counts, indices");
  refuse("for: i in 1..n - 1, is: c", "for: i in 1..(n, is: c", 3, "expected: numbers, counts");
}

static void count_wrong(void *with, const char *question, sal_equation_finding_kind kind,
                        const char *text)
{
  (void)question;
  (void)text;
  *(int *)with += kind == SAL_EQUATION_FINE ? 100 : 1;
}

/* Questions to a text, and the place where it has no value, are about its members. */
static void findings_are_of_members(void)
{
  int found = 0;

  CU_ASSERT_EQUAL(sal_equation_findings("e.yaml", row, count_wrong, &found), SAL_OK);
  CU_ASSERT_EQUAL(found, 201); /* a kink at no gap: max */
  refuse("is: 0 if stop(i) else v(i)", "is: 1 / (n - i)", 5, "e.yaml:14: flow: x(5): div(1, 0)");
}

/* An index that hides what the text has by that name. */
static void an_index_has_a_name_of_its_own(void)
{
  static const char *const names[] = {"n", "c", "x", "pull", "stop", "t"};

  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char is[64];
    snprintf(is, sizeof is, "max(%s in 1..n,", names[i]);
    refuse("max(i in 1..n,", is, 3, "e.yaml:10: index '");
  }
}

static void what_is_written_out_has_an_end(void)
{
  refuse("max(i in 1..n, x(i))",
         "min(i in 1..1024, min(j in 1..1024, min(k in 1..1024, x(1) + i + j + k)))", 3,
         "e.yaml:10: longer than 1048576 bytes");
  refuse("c * (x(i + 1) - x(i))", "'sum(j in 1..1000, sum(k in 1..33, c * sin(x(i) + j + k)))'", 20,
         "e.yaml:9: all members together are longer than 16777216 bytes");
}

/* Units and words stay as they are, also those that are expressions of counts and indices; events of members have their numbers. */
static void units_are_not_expressions(void)
{
  static const char text[] = "equations: 1\nname: row\ntime: s\nreference: n\n"
                             "counts: {n: {preset: 3}, N: {preset: 8}, s: {preset: 2}}\n"
                             "parameters: {k: {unit: N, preset: 2 * n}}\n"
                             "states: {x: {for: m in 1..n, unit: m/s, preset: m}}\n"
                             "contacts: {stop: {for: m in 1..n, names: [N, m], gap: x(m)}}\n"
                             "flow: {x: {for: m in 1..n, is: k}}\n";
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);

  CU_ASSERT_STRING_EQUAL(m->time, "s");
  CU_ASSERT_STRING_EQUAL(m->reference, "n");
  CU_ASSERT_STRING_EQUAL(m->param[3].unit, "N");
  CU_ASSERT_EQUAL(m->param[3].preset, 6);
  CU_ASSERT_STRING_EQUAL(m->state[1].unit, "m/s");
  CU_ASSERT_EQUAL(m->state[1].preset, 2);
  CU_ASSERT_STRING_EQUAL(m->contact[1].closes, "N(2)");
  CU_ASSERT_STRING_EQUAL(m->contact[1].opens, "m(2)");
  sal_equation_model_free(e);
}

/* Oscillators that strike stops and rest on them until their force lets go. */
static const char driven[] =
    "equations: 1\nname: driven\n"
    "counts: {n: {preset: 3, range: [2, 512], allowed: [2, 512]}}\n"
    "parameters: {c: {preset: 0.2}}\n"
    "states:\n"
    "  x: {for: i in 1..n, preset: 0.5 + 0.0002 * i}\n"
    "  v: {for: i in 1..n, preset: 0, rate_of: x(i)}\n"
    "let:\n"
    "  right: {for: i in 1..n - 1, is: c * (x(i + 1) - x(i))}\n"
    "  right(n): 0\n"
    "  force: {for: i in 1..n, is: -x(i) - 0.1 * v(i) + cos(2 * t + 0.4 * i) + right(i)}\n"
    "contacts:\n"
    "  stop: {for: i in 1..n, names: [hit, leave], gap: x(i) + 0.1, release: -force(i),\n"
    "    closes: {x(i): -0.1, v(i): 0 if rests else -0.5 * v(i)}, opens: {x(i): -0.1, v(i): 0},\n"
    "    stays: rests and force(i) <= 0}\n"
    "flow:\n"
    "  x: {for: i in 1..n, is: 0 if stop(i) else v(i)}\n"
    "  v: {for: i in 1..n, is: 0 if stop(i) else force(i)}\n"
    "watch: x(1)\n";

/* Runs the row of n to t_end; end [2 n]. */
static sal_record run_driven(double n, bool grouped, double t_end, double end[])
{
  sal_equation_model *e;
  const sal_err err = sal_equation_model_parse_counted("e.yaml", driven, &n, &e);
  if (err != SAL_OK) fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  const sal_model *m = sal_equation_model_get(e);
  sal_model *alone = malloc(sizeof *alone);
  double initial[SAL_MAX_STATE], param[] = {n, 0.2};
  sal_setup setup = {.model = grouped ? m : alone,
                     .method = sal_registry_method("dop853"),
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-6,
                     .atol = 1e-6,
                     .t_end = t_end};
  sal_record record;
  const sal_job job = {.param = param, .initial = initial, .end = end};

  *alone = *m;
  alone->pattern = NULL;
  CU_ASSERT_PTR_NOT_NULL_FATAL(m->pattern);
  CU_ASSERT_EQUAL(m->pattern->n_group, 3); /* x(i), x(i + 1), v(i) */
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  run_batch(&setup, 1, 1, &job, &record);
  free(alone);
  sal_equation_model_free(e);
  return record;
}

/* Rates of gaps along groups of states are those along each state, to the bit. */
static void groups_of_states_have_the_bits_of_each(void)
{
  for (double n = 2; n <= 12; n += 5) {
    double end[2][SAL_MAX_STATE] = {{0}};
    const sal_record a = run_driven(n, true, 6, end[0]), b = run_driven(n, false, 6, end[1]);
    CU_ASSERT_EQUAL(outcome(&a), SAL_OUT_DONE);
    CU_ASSERT(n_event(&a) > n);
    for (int k = 0; k < SAL_N_METRIC; ++k)
      CU_ASSERT_EQUAL(memcmp(&a.value[k], &b.value[k], sizeof a.value[k]), 0);
    CU_ASSERT_EQUAL(memcmp(end[0], end[1], sizeof end[0]), 0);
  }
}

/* 1024 states: members far from the end do what those of a shorter row do. */
static void a_row_of_512_runs(void)
{
  double wide[SAL_MAX_STATE] = {0}, end[SAL_MAX_STATE] = {0};
  const sal_record a = run_driven(512, true, 2.5, wide), b = run_driven(256, true, 2.5, end);

  CU_ASSERT_EQUAL(outcome(&a), SAL_OUT_DONE);
  CU_ASSERT(n_event(&a) > 300);
  CU_ASSERT(n_event(&b) > 150);
  for (int i = 0; i < 100; ++i) CU_ASSERT(fabs(wide[i] - end[i]) < 1e-4);
}

SAL_TEST_MAIN("families of texts", NULL,
              {"groups of states have the bits of each", groups_of_states_have_the_bits_of_each},
              {"a row of 512 runs", a_row_of_512_runs},
              {"members have the bits of a text written out",
               members_have_the_bits_of_a_text_written_out},
              {"a count is given where the text is read", a_count_is_given_where_the_text_is_read},
              {"what is wrong is refused with its index", what_is_wrong_is_refused_with_its_index},
              {"an index has a name of its own", an_index_has_a_name_of_its_own},
              {"what is written out has an end", what_is_written_out_has_an_end},
              {"findings are of members", findings_are_of_members},
              {"units are not expressions", units_are_not_expressions})
