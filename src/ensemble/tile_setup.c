/** How configurations run. */
#include "config.h"
#include "run_setup.h"
#include "tile_run.h"

sal_setup sal_tile_setup(const sal_sweep *sweep, int config)
{
  const sal_config at = sal_config_decode(sweep, config);
  const sal_strategy *strategy = sweep->strategy[at.strategy];
  sal_setup setup =
      sal_run_setup(sweep, sweep->method[at.method], strategy, sweep->tolerance[at.tolerance]);

  setup.zone = sweep->zone;
  setup.zone_in_time = sweep->zone_in_time;
  setup.every_contact = sweep->every_contact;
  setup.fixed_step = strategy->fixed ? sweep->step : 0;
  return setup;
}

bool sal_tile_leaves_out(const sal_sweep *sweep, int config)
{
  const sal_config at = sal_config_decode(sweep, config);

  return sweep->incompatible[at.strategy][at.method];
}

static size_t bytes_of_model(const sal_sweep *sweep, int width)
{
  size_t most = sal_reference_bytes(sweep, width);

  for (int i = 0; i < sal_config_count(sweep); ++i) {
    const sal_setup setup = sal_tile_setup(sweep, i);
    const size_t bytes = sal_integrate_bytes(&setup, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* A full matrix of fewer states may be larger than a band of more. */
size_t sal_tile_setup_bytes(const sal_sweep *sweep, int width)
{
  size_t most = bytes_of_model(sweep, width);

  for (int v = 0; v < sweep->n_variant; ++v) {
    sal_sweep one = *sweep;
    one.model = sweep->variant[v].source->model;
    const size_t bytes = bytes_of_model(&one, width);
    if (bytes > most) most = bytes;
  }
  return most;
}
