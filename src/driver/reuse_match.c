/** Cells and configurations that two sweeps share. */
#include "base.h"
#include "config.h"
#include "journal.h"
#include "model_source.h"
#include "reuse.h"

enum { MOST_DIFF = 1200 };

static int method_there(const sal_sweep *s, int method, const sal_sweep *old)
{
  for (int k = 0; k < old->n_method; ++k)
    if (sal_solver_source_same(s, method, old, k)) return k;
  return -1;
}

/* The number there of a configuration; -1: none. */
static int config_there(const sal_sweep *s, int config, const sal_sweep *old)
{
  const sal_config c = sal_config_decode(s, config);
  sal_config to = {.tolerance = -1, .strategy = -1, .method = method_there(s, c.method, old)};

  for (int t = 0; t < old->n_tolerance; ++t)
    if (old->tolerance[t] == s->tolerance[c.tolerance] &&
        old->epsilon[t] == s->epsilon[c.tolerance])
      to.tolerance = t;
  for (int k = 0; k < old->n_strategy; ++k)
    if (old->strategy[k] == s->strategy[c.strategy]) to.strategy = k;
  if (to.tolerance < 0 || to.strategy < 0 || to.method < 0 ||
      old->cutoff.role[to.method] != s->cutoff.role[c.method])
    return -1;
  return sal_config_encode(old, to);
}

/* All configurations by phase. */
static void order_by_phase(const sal_sweep *s, int order[])
{
  int n = 0;

  for (int phase = 0; phase < sal_cutoff_phases(s); ++phase)
    for (int k = 0; k < sal_config_count(s); ++k)
      if (sal_cutoff_phase_of(s, k) == phase) order[n++] = k;
}

/* A record is taken where those of earlier phases are the same: as many there, and all of these taken. */
static void choose_configs(const sal_sweep *s, const sal_sweep *old, const int there[],
                           const int order[], bool take[])
{
  const int n = sal_config_count(s), m = sal_config_count(old);
  int earlier[SAL_MAX_CAP_PHASE + 1] = {0}; /* configurations of earlier phases there */
  int before = 0, latest = -1, next = -1;   /* of earlier phases here; their last phase there */
  bool all = true, so_far = true;

  for (int j = 0; j < m; ++j) ++earlier[sal_cutoff_phase_of(old, j) + 1];
  for (int p = 0; p < SAL_MAX_CAP_PHASE; ++p) earlier[p + 1] += earlier[p];

  for (int i = 0, phase = -1; i < n; ++i) {
    const int k = order[i], now = sal_cutoff_phase_of(s, k);
    if (now != phase) phase = now, before = i, latest = next, all = so_far;
    const int then = there[k] < 0 ? -1 : sal_cutoff_phase_of(old, there[k]);
    take[k] = then >= 0 && all && earlier[then] == before && latest < then;
    so_far = so_far && take[k];
    next = then > next ? then : next;
  }
}

void sal_reuse_match(const sal_sweep *s, const sal_sweep *old, int there[], bool take[],
                     int order[])
{
  for (int k = 0; k < sal_config_count(s); ++k) there[k] = config_there(s, k, old);
  order_by_phase(s, order);
  choose_configs(s, old, there, order, take);
}

/* Does the line begin with one of these? */
static bool begins(const char *line, const char *const keys[])
{
  while (*keys && strncmp(line, *keys, strlen(*keys)) != 0) ++keys;
  return *keys != NULL;
}

/* The lines that two sweeps must share for the same run to have the same record in both: neither of single cells or configurations,
 * nor of figures that are made with the cube. */
static void add_common(const sal_sweep *s, sal_text *out)
{
  static const char *const single[] = {"cells",
                                       "solvers",
                                       "solver ",
                                       "libraries",
                                       "strategies:",
                                       "rtol:",
                                       "points:",
                                       "unsupported:",
                                       "cutoff.baselines",
                                       "cutoff.second_baselines",
                                       "cutoff.exempt",
                                       "divergence.epsilon",
                                       NULL},
                           *const of_cells[] = {"parameters.", "options.", "initial.", NULL};
  const bool anchored = strstr(s->settled, "\norbit."); /* by values that all cells share */
  const bool follows =
      s->orbit.follow != SAL_FOLLOW_NONE; /* results are of all cells, the first word */

  sal_text_add(out, "%s", "");
  for (const char *line = s->settled; *line;) {
    const size_t n = strcspn(line, "\n"), all = n + (line[n] == '\n');
    if (!begins(line, single + follows) && (anchored || !begins(line, of_cells)))
      sal_text_append(out, line, all);
    line += all;
  }
}

sal_err sal_reuse_check(const char *from, const sal_sweep *sweep, const sal_sweep *old)
{
  SAL_OWN_BY(sal_text_free) sal_text there = {0}, now = {0}, differ = {0};

  add_common(old, &there);
  add_common(sweep, &now);
  if (there.lost || now.lost) return sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
  if (strcmp(there.string, now.string) == 0) return SAL_OK;
  sal_journal_diff(there.string, now.string, NULL, NULL, MOST_DIFF, &differ);
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: no trajectory of it is one of this sweep.  They differ in (- there, + here):%s", from,
      differ.string ? differ.string : "");
}
