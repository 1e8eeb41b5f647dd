/** @file src/io/cube/map_reading.c
 *  Attributes of a map with what the reader has estimated.
 */
#include "error_metric.h"
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
      {"reader_coordinates", H5T_NATIVE_INT64, 0, &n},
      {"reader_scale", H5T_NATIVE_DOUBLE, r->n, r->scale},
      {"reader_metric", H5T_NATIVE_DOUBLE, r->n * (r->n + 1) / 2, r->metric},
      {"reader_shape_knots", H5T_NATIVE_INT64, 0, &knots},
      {"reader_shape_at", H5T_NATIVE_DOUBLE, r->n_knot, r->shape_at},
      {"reader_shape_below", H5T_NATIVE_DOUBLE, r->n_knot, r->shape_below},
      {"reader_between_parts", H5T_NATIVE_INT64, 0, &parts},
      {"reader_between_power", H5T_NATIVE_DOUBLE, r->n_pair, each ? r->between_power : NULL},
      {"reader_between_shift", H5T_NATIVE_DOUBLE, each, each ? r->between_shift : NULL},
      {"reader_between_spread", H5T_NATIVE_DOUBLE, each, each ? r->between_spread : NULL},
      {"reader_between_at", H5T_NATIVE_DOUBLE, r->n_between, each ? r->between_at : NULL},
      {"reader_width", H5T_NATIVE_DOUBLE, E, r->width},
      {"reader_asked", H5T_NATIVE_INT64, E, r->asked},
      {"reader_promised", H5T_NATIVE_DOUBLE, E, r->promised},
      {"reader_kept", H5T_NATIVE_DOUBLE, E, r->kept}};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
    if (list[i].value)
      SAL_TRY(sal_h5_put(g, g->id, list[i].name, list[i].type, list[i].n, list[i].value));
  return SAL_OK;
}
