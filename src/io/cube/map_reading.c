/** Attributes of a map with what the surrogate has estimated. */
#include "map_frame.h"

sal_err sal_map_frame_put_reading(const sal_h5 *g, const sal_map_reading *r)
{
  enum { E = SAL_ERROR_METRIC_PRESETS };
  const int64_t n = r->n, knots = r->n_knot, parts = r->n_part;
  const int each = r->n_pair * r->n_part;
  const struct {
    const char *name;
    hid_t type;
    int n;
    const void *value; /* NULL: left out */
  } list[] = {
      {"surrogate_coordinates", H5T_NATIVE_INT64, 0, &n},
      {"surrogate_scale", H5T_NATIVE_DOUBLE, r->n, r->scale},
      {"surrogate_metric", H5T_NATIVE_DOUBLE, r->n * (r->n + 1) / 2, r->metric},
      {"surrogate_shape_knots", H5T_NATIVE_INT64, 0, &knots},
      {"surrogate_shape_at", H5T_NATIVE_DOUBLE, r->n_knot, r->shape_at},
      {"surrogate_shape_below", H5T_NATIVE_DOUBLE, r->n_knot, r->shape_below},
      {"surrogate_between_parts", H5T_NATIVE_INT64, 0, &parts},
      {"surrogate_between_power", H5T_NATIVE_DOUBLE, r->n_pair, each ? r->between_power : NULL},
      {"surrogate_between_shift", H5T_NATIVE_DOUBLE, each, each ? r->between_shift : NULL},
      {"surrogate_between_spread", H5T_NATIVE_DOUBLE, each, each ? r->between_spread : NULL},
      {"surrogate_between_at", H5T_NATIVE_DOUBLE, r->n_between, each ? r->between_at : NULL},
      {"surrogate_width", H5T_NATIVE_DOUBLE, E, r->width},
      {"surrogate_asked", H5T_NATIVE_INT64, E, r->asked},
      {"surrogate_predicted", H5T_NATIVE_DOUBLE, E, r->predicted},
      {"surrogate_observed", H5T_NATIVE_DOUBLE, E, r->observed}};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
    if (list[i].value)
      SAL_TRY(sal_h5_put(g, g->id, list[i].name, list[i].type, list[i].n, list[i].value));
  return SAL_OK;
}
