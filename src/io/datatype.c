/** How values are kept in a file, and on their way to it. */
#include "base.h"
#include "variable.h"

hid_t sal_datatype_hdf5(sal_datatype type)
{
  const hid_t numbers[] = {
      [SAL_DATATYPE_REAL] = H5T_NATIVE_DOUBLE, [SAL_DATATYPE_WHOLE] = H5T_NATIVE_INT64,
      [SAL_DATATYPE_FLAG] = H5T_NATIVE_INT8,   [SAL_DATATYPE_SINGLE] = H5T_NATIVE_FLOAT,
      [SAL_DATATYPE_BYTE] = H5T_NATIVE_UINT8,  [SAL_DATATYPE_SHORT] = H5T_NATIVE_UINT16};

  assert(type != SAL_DATATYPE_TEXT);
  return H5Tcopy(numbers[type]);
}

size_t sal_datatype_size(sal_datatype type)
{
  static const size_t size[] = {
      [SAL_DATATYPE_REAL] = sizeof(double),  [SAL_DATATYPE_WHOLE] = sizeof(int64_t),
      [SAL_DATATYPE_FLAG] = sizeof(int8_t),  [SAL_DATATYPE_SINGLE] = sizeof(float),
      [SAL_DATATYPE_BYTE] = sizeof(uint8_t), [SAL_DATATYPE_SHORT] = sizeof(uint16_t)};

  assert(type != SAL_DATATYPE_TEXT);
  return size[type];
}

sal_datatype sal_datatype_of_place(int64_t n)
{
  return n <= UINT8_MAX + 1    ? SAL_DATATYPE_BYTE
         : n <= UINT16_MAX + 1 ? SAL_DATATYPE_SHORT
                               : SAL_DATATYPE_WHOLE;
}

bool sal_datatype_is_real(sal_datatype type)
{
  return type == SAL_DATATYPE_REAL || type == SAL_DATATYPE_SINGLE;
}

sal_datatype sal_datatype_of(sal_metric_kind kind)
{
  static const sal_datatype type[] = {
      [SAL_COUNT] = SAL_DATATYPE_WHOLE,    [SAL_REAL] = SAL_DATATYPE_REAL,
      [SAL_FLAG] = SAL_DATATYPE_FLAG,      [SAL_TIMING] = SAL_DATATYPE_REAL,
      [SAL_VERDICT] = SAL_DATATYPE_FLAG,   [SAL_ORIGIN] = SAL_DATATYPE_FLAG,
      [SAL_ANSWER] = SAL_DATATYPE_FLAG,    [SAL_REASON] = SAL_DATATYPE_FLAG,
      [SAL_INTEGRATOR] = SAL_DATATYPE_FLAG};

  return type[kind];
}

const char *sal_datatype_kind_name(sal_metric_kind kind)
{
  static const char *const name[] = {
      [SAL_COUNT] = "count",   [SAL_REAL] = "real",    [SAL_FLAG] = "flag",
      [SAL_TIMING] = "timing", [SAL_VERDICT] = "flag", [SAL_ORIGIN] = "flag",
      [SAL_ANSWER] = "flag",   [SAL_REASON] = "flag",  [SAL_INTEGRATOR] = "flag"};

  return name[kind];
}

void sal_datatype_pack(sal_datatype type, int64_t n, const double *from, int64_t stride, void *to)
{
  double *real = to;
  int64_t *whole = to;
  int8_t *flag = to;
  float *single = to;
  uint8_t *byte = to;
  uint16_t *two = to;

  for (int64_t i = 0; i < n; ++i) {
    const double v = from[i * stride];
    if (type == SAL_DATATYPE_SINGLE) single[i] = (float)v;
    if (type == SAL_DATATYPE_BYTE) byte[i] = (uint8_t)v;
    if (type == SAL_DATATYPE_SHORT) two[i] = (uint16_t)v;
    if (type == SAL_DATATYPE_REAL) real[i] = v;
    if (type == SAL_DATATYPE_WHOLE) whole[i] = isnan(v) ? -1 : (int64_t)v;
    if (type == SAL_DATATYPE_FLAG) flag[i] = isnan(v) ? -1 : (int8_t)v;
  }
}

void sal_datatype_unpack(sal_datatype type, int64_t n, const void *from, int64_t stride, double *to)
{
  const double *real = from;
  const int64_t *whole = from;
  const int8_t *flag = from;
  const float *single = from;
  const uint8_t *byte = from;
  const uint16_t *two = from;

  for (int64_t i = 0; i < n; ++i) {
    if (type == SAL_DATATYPE_SINGLE) to[i * stride] = single[i];
    if (type == SAL_DATATYPE_BYTE) to[i * stride] = byte[i];
    if (type == SAL_DATATYPE_SHORT) to[i * stride] = two[i];
    if (type == SAL_DATATYPE_REAL) to[i * stride] = real[i];
    if (type == SAL_DATATYPE_WHOLE) to[i * stride] = whole[i] == -1 ? NAN : (double)whole[i];
    if (type == SAL_DATATYPE_FLAG) to[i * stride] = flag[i] == -1 ? NAN : (double)flag[i];
  }
}
