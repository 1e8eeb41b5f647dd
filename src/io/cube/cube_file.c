/** A cube read by blocks of cells, or chosen cells of it. */
#include "base.h"
#include "block_sums.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"

enum { BLOCK_VALUES = 1 << 14 }; /* an eighth of a chunk of numbers of 8 bytes (variable.c) */

/* A metric: its dataset once it is asked for, how far it has been read in order, and the sum of
 * that. */
typedef struct {
  bool open, missing;
  sal_dataset set;
  int64_t each; /* values of a cell */
  int64_t next; /* cell; -1: not in order */
  uint64_t sum;
  uint64_t share; /* sum of all runs of cells that were read, in any order */
} column;

struct sal_cube_file {
  sal_h5 file;
  int64_t n_cell, n_record; /* and records of a cell */
  column metric[SAL_N_METRIC], cell_metric[SAL_N_CELL_METRIC], row_metric[SAL_N_ROW_METRIC];
  sal_dataset sums; /* of blocks; set is -1 until they are needed */
  void *held;       /* values as they are in the file */
  size_t room;      /* bytes of that */
  char path[];
};

sal_cube_file_metrics sal_cube_file_all(void)
{
  sal_cube_file_metrics all = {.n = SAL_N_METRIC, .n_of_cell = SAL_N_CELL_METRIC, .rows = true};

  for (int m = 0; m < SAL_N_METRIC; ++m) all.metric[m] = m;
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m) all.of_cell[m] = m;
  return all;
}

static sal_err read_frame(sal_cube_file *f, sal_cube *frame)
{
  SAL_TRY(sal_cube_open_frame(&f->file, frame));
  f->n_cell = frame->n_cell;
  f->n_record = sal_cube_open_records(frame) / frame->n_cell;
  return SAL_OK;
}

sal_err sal_cube_file_open(const char *path, sal_cube_file **out, sal_cube *frame)
{
  const size_t length = strlen(path) + 1;
  sal_cube_file *f = *out = sal_alloc(1, sizeof *f + length);

  *frame = (sal_cube){0};
  if (!f) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  memcpy(f->path, path, length);
  f->sums.set = -1;
  f->file.id = -1;
  sal_err err = sal_cube_open(f->path, &f->file);
  if (err == SAL_OK) err = read_frame(f, frame);
  if (err == SAL_OK) return SAL_OK;
  sal_cube_file_close(out);
  sal_cube_free(frame);
  return err;
}

int64_t sal_cube_file_block(const sal_cube_file *f, const sal_cube_file_metrics *metrics)
{
  const int64_t cells = BLOCK_VALUES / (metrics->n ? f->n_record : 1);

  return cells < 1 ? 1 : cells < f->n_cell ? cells : f->n_cell;
}

/* Opens a metric and checks that it has all cells, and `each` values of each; 0: any number. */
static sal_err open_column(const sal_cube_file *f, const char *name, int64_t each, column *c)
{
  bool there = false;

  if (c->open || c->missing) return SAL_OK;
  SAL_TRY(sal_h5_has(&f->file, name, &there));
  c->missing = !there;
  c->each = each;
  if (!there) return SAL_OK;
  SAL_TRY(sal_dataset_open(&f->file, name, &c->set));
  const sal_dataset *d = &c->set;
  if (each == 0) c->each = each = d->n / f->n_cell;
  c->open = d->n_dim >= 1 && d->size[0] == (hsize_t)f->n_cell && d->n == each * f->n_cell &&
            d->type != SAL_DATATYPE_TEXT;
  if (c->open) return SAL_OK;
  sal_dataset_close(&c->set);
  return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has not the shape that the dimensions say",
                  f->path, name);
}

/* Room for n values as they are in the file. */
static sal_err hold(sal_cube_file *f, int64_t n)
{
  const size_t bytes = (size_t)n * sizeof(double);

  if (bytes <= f->room) return SAL_OK;
  sal_free(f->held);
  f->held = sal_alloc(bytes, 1);
  f->room = f->held ? bytes : 0;
  return f->held ? SAL_OK : sal_h5_full(&f->file);
}

/* Cells of a request: first .. first + n - 1, or chosen ones. */
typedef struct {
  int64_t first, n;
  const int64_t *cell;
} request;

/* Opens the row metrics that are there; *n_row: their values of a cell. */
static sal_err open_rows(sal_cube_file *f, int64_t *n_row)
{
  *n_row = 0;
  for (int m = 0; m < SAL_N_ROW_METRIC; ++m) {
    SAL_TRY(open_column(f, sal_metrics_of_row[m].name, 0, &f->row_metric[m]));
    *n_row += f->row_metric[m].each;
  }
  return SAL_OK;
}

sal_err sal_cube_file_room(sal_cube_file *f, const sal_cube_file_metrics *metrics, int64_t count,
                           sal_tile_result *result)
{
  const int64_t records = metrics->n ? count * f->n_record : 0;

  *result = (sal_tile_result){.cell = sal_alloc((size_t)count, sizeof *result->cell),
                              .record = sal_alloc((size_t)records, sizeof *result->record)};
  if (metrics->rows) SAL_TRY(open_rows(f, &result->n_row));
  if (result->n_row > 0)
    result->row = sal_alloc((size_t)(count * result->n_row), sizeof *result->row);
  if (!result->cell || !result->record || (result->n_row > 0 && !result->row))
    return sal_h5_full(&f->file);
  for (int64_t i = 0; i < count; ++i)
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m) result->cell[i].value[m] = NAN;
  for (int64_t i = 0; i < records; ++i)
    for (int m = 0; m < SAL_N_METRIC; ++m) result->record[i].value[m] = NAN;
  return SAL_OK;
}

/* Counts what is read in order, and verifies it at the end.  A step back to the first cell begins
 * anew; after any other step only a new beginning can be verified. */
static sal_err verify_so_far(const sal_h5 *file, column *c, const request *r, uint64_t sum)
{
  if (r->first == 0) c->next = 0, c->sum = 0;
  if (r->first != c->next) {
    c->next = -1;
    return SAL_OK;
  }
  c->next += r->n;
  c->sum += sum;
  if (c->next < (int64_t)c->set.size[0]) return SAL_OK;
  return sal_checksum_compare(file, c->set.name, c->set.checksum, c->sum);
}

/* The sums of blocks, for metrics that have them. */
static sal_err open_sums(sal_cube_file *f, const column *c)
{
  if (!c->set.checksum.block || f->sums.set >= 0) return SAL_OK;
  return sal_dataset_open(&f->file, SAL_BLOCK_GROUP "/" SAL_BLOCK_SET, &f->sums);
}

/* One metric of those cells into every stride-th place. */
static sal_err read_column(sal_cube_file *f, column *c, const request *r, double *place, int stride)
{
  const int64_t n = r->n * c->each;
  uint64_t sum = 0;

  for (int64_t i = 0; i < n && c->missing; ++i) place[i * stride] = NAN;
  if (c->missing || n == 0) return SAL_OK;
  SAL_TRY(hold(f, n));
  if (r->cell) {
    SAL_TRY(open_sums(f, c));
    SAL_TRY(sal_dataset_read_chosen(&f->file, &c->set, f->sums.set >= 0 ? &f->sums : NULL, r->n,
                                    r->cell, f->held));
  } else {
    SAL_TRY(sal_dataset_read_rows(&f->file, &c->set, r->first, r->n, f->held, &sum));
    c->share += sum;
    SAL_TRY(verify_so_far(&f->file, c, r, sum));
  }
  sal_datatype_unpack(c->set.type, n, f->held, stride, place);
  return SAL_OK;
}

/* Row metrics come one after the other into the row of each cell. */
static sal_err read_rows(sal_cube_file *f, const request *r, sal_tile_result *result)
{
  double *place = result->row;

  SAL_TRY(open_rows(f, &result->n_row));
  for (int m = 0; m < SAL_N_ROW_METRIC; ++m) {
    column *c = &f->row_metric[m];
    SAL_OWN double *value = sal_alloc((size_t)(r->n * c->each), sizeof *value);
    if (!value) return sal_h5_full(&f->file);
    SAL_TRY(read_column(f, c, r, value, 1));
    for (int64_t i = 0; i < r->n; ++i)
      memcpy(place + i * result->n_row, value + i * c->each, (size_t)c->each * sizeof *value);
    place += c->each;
  }
  return SAL_OK;
}

static sal_err read_metrics(sal_cube_file *f, const sal_cube_file_metrics *metrics,
                            const request *r, sal_tile_result *result)
{
  for (int i = 0; i < metrics->n; ++i) {
    const int m = metrics->metric[i];
    SAL_TRY(open_column(f, sal_metrics[m].name, f->n_record, &f->metric[m]));
    SAL_TRY(read_column(f, &f->metric[m], r, &result->record[0].value[m], SAL_N_METRIC));
  }
  for (int i = 0; i < metrics->n_of_cell; ++i) {
    const int m = metrics->of_cell[i];
    SAL_TRY(open_column(f, sal_metrics_of_cell[m].name, 1, &f->cell_metric[m]));
    SAL_TRY(read_column(f, &f->cell_metric[m], r, &result->cell[0].value[m], SAL_N_CELL_METRIC));
  }
  return metrics->rows && result->row ? read_rows(f, r, result) : SAL_OK;
}

sal_err sal_cube_file_read(sal_cube_file *f, const sal_cube_file_metrics *metrics,
                           sal_tile_result *result)
{
  assert(result->first >= 0 && result->first + result->count <= f->n_cell);
  return read_metrics(f, metrics, &(request){result->first, result->count, NULL}, result);
}

sal_err sal_cube_file_read_cells(sal_cube_file *f, const sal_cube_file_metrics *metrics, int64_t n,
                                 const int64_t cell[], sal_tile_result *result)
{
  for (int64_t i = 0; i < n; ++i)
    assert(cell[i] >= 0 && cell[i] < f->n_cell && (i == 0 || cell[i] > cell[i - 1]));
  return read_metrics(f, metrics, &(request){0, n, cell}, result);
}

sal_err sal_cube_file_each(sal_cube_file *f, const sal_cube_file_metrics *metrics,
                           sal_cube_file_take *take, void *with)
{
  const int64_t n = f->n_cell, block = sal_cube_file_block(f, metrics);
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_cube_file_room(f, metrics, block, &result));
  for (; result.first < n; result.first += block) {
    result.count = n - result.first < block ? n - result.first : block;
    SAL_TRY(sal_cube_file_read(f, metrics, &result));
    SAL_TRY(take(with, &result));
  }
  return SAL_OK;
}

/* Reads all that is along cells into the frame: parameters, initial states, and all metrics of cells and of records. */
static sal_err read_all(sal_cube_file *f, sal_cube *cube)
{
  const sal_cube_file_metrics all = sal_cube_file_all();
  const int64_t block = sal_cube_file_block(f, &all);
  column *outcome = &f->metric[SAL_METRIC_OUTCOME];

  SAL_TRY(sal_cube_open_columns(&f->file, cube));
  /* before memory for all records is asked for: does the file have that many? */
  SAL_TRY(open_column(f, sal_metrics[SAL_METRIC_OUTCOME].name, f->n_record, outcome));
  if (outcome->missing) return sal_fail(SAL_ERR_INPUT, "%s: has no outcomes", f->path);
  SAL_TRY_ROOM(&f->file, cube->record, f->n_cell * f->n_record);
  SAL_TRY_ROOM(&f->file, cube->cell, f->n_cell);
  for (int64_t first = 0; first < f->n_cell; first += block) {
    sal_tile_result part = {.first = first,
                            .count = f->n_cell - first < block ? f->n_cell - first : block,
                            .cell = cube->cell + first,
                            .record = cube->record + first * f->n_record};
    SAL_TRY(sal_cube_file_read(f, &all, &part));
  }
  return SAL_OK;
}

/* Opens the map when it has that attribute; *group is -1 otherwise. */
static sal_err open_map(const sal_cube_file *f, const char *name, hid_t *group)
{
  bool there;

  *group = -1;
  SAL_TRY(sal_h5_has(&f->file, "map", &there));
  if (!there) return SAL_OK;
  SAL_TRY_H5(&f->file, *group = H5Gopen2(f->file.id, "map", H5P_DEFAULT));
  sal_err err = sal_h5_has_attribute(&f->file, *group, name, &there);
  if (err == SAL_OK && there) return SAL_OK;
  H5Gclose(*group);
  *group = -1;
  return err;
}

sal_err sal_cube_file_map_numbers(const sal_cube_file *f, const char *name, int most, int *n,
                                  double value[])
{
  *n = 0;
  SAL_HID group = -1;
  SAL_TRY(open_map(f, name, &group));
  if (group < 0) return SAL_OK;
  SAL_HID attribute = H5Aopen(group, name, H5P_DEFAULT);
  SAL_TRY_H5(&f->file, attribute);
  SAL_HID space = H5Aget_space(attribute);
  const int64_t found = H5Sget_simple_extent_npoints(space);
  if (found < 0 || found > most)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: the attribute '%s' of its map has %lld values; allowed: up to %d", f->path,
                    name, (long long)found, most);
  SAL_TRY_H5(&f->file, H5Aread(attribute, H5T_NATIVE_DOUBLE, value));
  *n = (int)found;
  return SAL_OK;
}

sal_err sal_cube_file_map_text(const sal_cube_file *f, const char *name, char **text)
{
  *text = NULL;
  SAL_HID group = -1;
  SAL_TRY(open_map(f, name, &group));
  return group < 0 ? SAL_OK : sal_h5_text_get(&f->file, group, name, text);
}

/* Metrics by their place among the sums. */
static column *column_at(sal_cube_file *f, int i)
{
  return i < SAL_N_METRIC              ? &f->metric[i]
         : i < SAL_METRICS_BEFORE_ROWS ? &f->cell_metric[i - SAL_N_METRIC]
                                       : &f->row_metric[i - SAL_METRICS_BEFORE_ROWS];
}

void sal_cube_file_take_sums(sal_cube_file *f, uint64_t sum[SAL_CUBE_FILE_SUMS])
{
  for (int i = 0; i < SAL_CUBE_FILE_SUMS; ++i) {
    sum[i] = column_at(f, i)->share;
    column_at(f, i)->share = 0;
  }
}

sal_err sal_cube_file_verify(sal_cube_file *f, const uint64_t sum[SAL_CUBE_FILE_SUMS])
{
  for (int i = 0; i < SAL_CUBE_FILE_SUMS; ++i) {
    const column *c = column_at(f, i);
    if (c->open) SAL_TRY(sal_checksum_compare(&f->file, c->set.name, c->set.checksum, sum[i]));
  }
  return SAL_OK;
}

void sal_cube_file_close(sal_cube_file **file)
{
  if (*file && (*file)->file.id >= 0) H5Fclose((*file)->file.id); /* datasets with it */
  if (*file) sal_free((*file)->held);
  sal_free(*file);
  *file = NULL;
}

sal_err sal_cube_read(const char *path, sal_cube *cube)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;

  SAL_TRY(sal_cube_file_open(path, &file, cube));
  const sal_err err = read_all(file, cube);
  if (err != SAL_OK) sal_cube_free(cube);
  return err;
}
