/** Finished trajectories of a tile that is not. */
#include "config.h"
#include "stop.h"
#include "tile_work.h"

static uint8_t *done_flag(const sal_tile_space *s, int64_t cell, int config)
{
  return s->kept->done + cell * sal_config_count(s->sweep) + config;
}

bool sal_tile_kept_has(const sal_tile_space *s, int64_t cell, int config)
{
  return s->kept && *done_flag(s, cell, config);
}

/* The flag is not lowered again, so that when it is down now nothing has been cut. */
void sal_tile_kept_note(sal_tile_space *s, int config, int64_t n, const int64_t cell[],
                        const sal_tile_result *result)
{
  const bool cut = sal_stop_halted() && (s->sweep->repeats > 0 || s->orbits);

  if (!s->kept || cut) return;
  for (int64_t i = 0; i < n; ++i) {
    const sal_record *r = &result->record[cell[i] * sal_config_count(s->sweep) + config];
    if (r->value[SAL_METRIC_OUTCOME] == SAL_OUT_HALTED) continue;
    *done_flag(s, cell[i], config) = true;
    atomic_fetch_add(&s->fresh, 1);
  }
}

void sal_tile_kept_take(const sal_tile_space *s, const sal_tile_result *result)
{
  const int64_t n = result->count * sal_config_count(s->sweep);

  if (!s->kept || !s->kept->result.record) return;
  for (int64_t i = 0; i < n; ++i)
    if (s->kept->done[i]) result->record[i] = s->kept->result.record[i];
}

void sal_tile_kept_leave(const sal_tile_space *s, sal_tile_result *result)
{
  if (!s->kept) return;
  sal_tile_result_free(&s->kept->result);
  s->kept->result = *result;
  *result = (sal_tile_result){0};
}
