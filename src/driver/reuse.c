/** Records of an earlier cube or of journals, found again by what they are of. */
#include "reuse.h"
#include "assemble.h"
#include "base.h"
#include "collective_error.h"
#include "config.h"
#include "journal.h"
#include "parameter_column.h"
#include "plain_file.h"
#include "quantiles.h"
#include "scramble.h"
#include "sweep_read.h"
#include "tile_rows.h"
#include "tile_tasks.h"
#include <limits.h>
#include <unistd.h>

enum { N_VALUE = SAL_MAX_PARAM + SAL_MAX_OPTION + SAL_MAX_STATE };

/* Identity of a cell: parameters, options, initial state. */
typedef struct {
  double value[N_VALUE];
} cell_values;

typedef struct {
  int64_t key, cell;
} place;

struct sal_reuse {
  MPI_Comm comm;
  const char *from;
  const sal_sweep *sweep;
  sal_sweep old;
  int n_value;
  char folder[PATH_MAX];
  const char *folders[1];
  /* of configurations of the sweep */
  int *there; /* its number there; -1: none */
  bool *take;
  int *order;   /* all, by phase */
  place *index; /* [old.n_cell] by key; NULL: not needed so far */
  /* a cube .. */
  sal_cube_file *file;
  sal_cube frame;
  sal_tile_result rows; /* room for a tile's cells */
  /* .. or journals */
  sal_journal journal;
  sal_journal_reader reader;
  sal_tile_result entry; /* that was read last */
};

/* Its states are those of its own counts of members: zeros follow up to n_value. */
static void values_of(const sal_reuse *r, const sal_sweep *s, int64_t cell, cell_values *out)
{
  sal_sweep room;
  const sal_sweep *at = sal_variants_at(s, cell, &room);

  memset(out->value, 0, (size_t)r->n_value * sizeof *out->value);
  sal_sweep_cell(at, cell, out->value, out->value + s->model->n_param + s->model->n_option);
}

static int64_t key_of(const sal_reuse *r, const cell_values *cell)
{
  return (int64_t)sal_scramble_numbers(0, r->n_value, cell->value);
}

static bool is_cell(const sal_reuse *r, int64_t old, const cell_values *cell)
{
  cell_values there;

  values_of(r, &r->old, old, &there);
  return memcmp(there.value, cell->value, (size_t)r->n_value * sizeof *cell->value) == 0;
}

static sal_err make_index(sal_reuse *r)
{
  const int64_t n = r->old.n_cell;
  cell_values cell;

  r->index = sal_alloc((size_t)n, sizeof *r->index);
  if (!r->index)
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for an index of its cells", r->from);
  for (int64_t i = 0; i < n; ++i) {
    values_of(r, &r->old, i, &cell);
    r->index[i] = (place){key_of(r, &cell), i};
  }
  sal_quantiles_sort_pairs(n, sizeof *r->index, r->index);
  return SAL_OK;
}

/* Among the entries of journals, the one that has the cell; -1: none. */
static int64_t entry_of(const sal_journal *j, int64_t cell)
{
  const int64_t i = sal_journal_list_at(j->n_entry, j->entry, cell);

  return i < j->n_entry && j->entry[i].first <= cell ? i : -1;
}

/* The number there of a cell; -1: it is not there. */
static sal_err find_cell(sal_reuse *r, int64_t number, int64_t *old)
{
  cell_values cell;

  *old = -1;
  values_of(r, r->sweep, number, &cell);
  if (number < r->old.n_cell && is_cell(r, number, &cell)) {
    *old = number;
  } else {
    if (!r->index) SAL_TRY(make_index(r));
    const int64_t key = key_of(r, &cell);
    int64_t lo = 0, hi = r->old.n_cell;
    while (lo < hi) {
      const int64_t middle = (lo + hi) / 2;
      if (r->index[middle].key >= key)
        hi = middle;
      else
        lo = middle + 1;
    }
    for (; lo < r->old.n_cell && r->index[lo].key == key && *old < 0; ++lo)
      if (is_cell(r, r->index[lo].cell, &cell)) *old = r->index[lo].cell;
  }
  if (*old >= 0 && !r->file && entry_of(&r->journal, *old) < 0) *old = -1;
  return SAL_OK;
}

static sal_err match_configs(sal_reuse *r)
{
  const int n = sal_config_count(r->sweep);
  int same = 0;

  r->there = sal_alloc((size_t)n, sizeof *r->there);
  r->take = sal_alloc((size_t)n, sizeof *r->take);
  r->order = sal_alloc((size_t)n, sizeof *r->order);
  if (!r->there || !r->take || !r->order)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a list of configurations");
  sal_reuse_match(r->sweep, &r->old, r->there, r->take, r->order);
  for (int k = 0; k < n; ++k) same += r->take[k];
  if (same > 0) return SAL_OK;
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: no solver, strategy and rtol of its runs can be taken; allowed: a sweep that "
      "shares some of them, and the runs that set their cutoffs",
      r->from);
}

static sal_err open_cube(sal_reuse *r, bool any)
{
  const sal_cube_file_metrics all = sal_cube_file_all();

  SAL_TRY(sal_file_role_read_at(r->from));
  SAL_TRY(sal_cube_file_open(r->from, &r->file, &r->frame));
  SAL_TRY(sal_sweep_parse_results(r->from, r->frame.sweep_text, &r->old));
  SAL_OWN char *given = sal_sweep_given(&r->old);
  if (!given) return sal_fail(SAL_ERR_MEMORY, "no memory for a cube");
  if (!any && !(r->frame.same_program && strcmp(given, r->frame.given) == 0))
    return sal_fail(
        SAL_ERR_EXISTS,
        "%s: made by another version of this program, or with other options for libraries; "
        "its cells may differ from new ones; --force takes them as they are",
        r->from);
  if (r->frame.n_cell != r->old.n_cell ||
      sal_cube_open_records(&r->frame) != r->old.n_cell * sal_config_count(&r->old))
    return sal_fail(SAL_ERR_INPUT, "%s: its dimensions are not those of its sweep", r->from);
  return sal_cube_file_room(r->file, &all, SAL_TILE_MOST, &r->rows);
}

/* Collective. */
static sal_err open_journals(sal_reuse *r)
{
  r->folders[0] = r->folder;
  SAL_TRY(sal_collective_error(r->comm, sal_journal_read_sweep(r->folder, &r->old)));
  const sal_journal_ranges ranges = sal_assemble_ranges(&r->old);
  SAL_TRY(
      sal_journal_open(r->comm, 1, r->folders, &r->old, SAL_JOURNAL_READ, &ranges, &r->journal));
  r->reader.journal = &r->journal;
  return SAL_OK;
}

/* Collective. */
static sal_err open_all(sal_reuse *r, bool any)
{
  const bool journals = sal_plain_file_is_folder(r->from), cube = access(r->from, F_OK) == 0;

  snprintf(r->folder, sizeof r->folder, "%s%s", r->from, journals ? "" : ".journal");
  if (journals || (!cube && sal_plain_file_is_folder(r->folder)))
    SAL_TRY(open_journals(r));
  else
    SAL_TRY(sal_collective_error(r->comm, open_cube(r, any)));
  SAL_TRY(sal_collective_error(r->comm, sal_reuse_check(r->from, r->sweep, &r->old)));
  const int here = sal_parameter_column_count(r->sweep->model),
            there = sal_parameter_column_count(r->old.model);
  r->n_value = here > there ? here : there;
  return sal_collective_error(r->comm, match_configs(r));
}

sal_err sal_reuse_open(MPI_Comm comm, const char *from, bool any, const sal_sweep *sweep,
                       sal_reuse **out)
{
  sal_reuse *r = *out = sal_alloc(1, sizeof *r);

  SAL_TRY(
      sal_collective_error(comm, r ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for %s", from)));
  assert(r);
  r->comm = comm;
  r->from = from;
  r->sweep = sweep;
  const sal_err err = open_all(r, any);
  if (err != SAL_OK) sal_reuse_close(out);
  return err;
}

void sal_reuse_close(sal_reuse **reuse)
{
  sal_reuse *r = *reuse;

  *reuse = NULL;
  if (!r) return;
  sal_journal_read_end(&r->reader);
  sal_journal_close(&r->journal);
  sal_cube_file_close(&r->file);
  sal_cube_free(&r->frame);
  sal_tile_result_free(&r->rows);
  sal_tile_result_free(&r->entry);
  sal_sweep_free(&r->old);
  sal_free_all(r->there, r->take, r->order, r->index, r);
}

const char *sal_reuse_machine(const sal_reuse *r)
{
  return r->file ? r->frame.machine : r->journal.machine.string ? r->journal.machine.string : "";
}

sal_err sal_reuse_all(sal_reuse *r, sal_reuse_count *count)
{
  int64_t old;

  *count = (sal_reuse_count){0};
  for (int k = 0; k < sal_config_count(r->sweep); ++k) {
    count->configs += r->take[k];
    count->cut_off += r->there[k] >= 0 && !r->take[k];
  }
  for (int64_t i = 0; i < r->sweep->n_cell; ++i) {
    SAL_TRY(find_cell(r, i, &old));
    count->cells += old >= 0;
  }
  count->trajectories = count->cells * count->configs;
  return SAL_OK;
}

/* Cells there by number, and their place in a tile. */
typedef struct {
  int64_t old;
  int64_t at;
} wanted;

/* Is a configuration's record, `old` there, the one it would have in a cell that goes by pilots?  *same: of those of later phases,
 * too. */
static bool fits_pilots(const sal_record *old, bool useful, bool *same)
{
  const double outcome = old->value[SAL_METRIC_OUTCOME];
  const bool fits =
      outcome == SAL_OUT_INCOMPATIBLE || (outcome == SAL_OUT_SKIPPED_BY_PILOTS) != useful;

  *same = *same && fits;
  return fits;
}

/* The records of a cell there; n of them, in the order of the sweep.  useful: by pilots.  Returns how many are taken. */
static int take_cell(const sal_reuse *r, const sal_record old[], const bool useful[], int64_t n,
                     uint8_t done[], sal_record record[])
{
  bool same = true, next = true;
  int taken = 0;

  for (int i = 0, phase = -1; i < n; ++i) {
    const int k = r->order[i], now = sal_cutoff_phase_of(r->sweep, k);
    if (now != phase) phase = now, same = next;
    if (!r->take[k] || !same) continue;
    if (!fits_pilots(&old[r->there[k]], useful ? useful[k] : true, &next) || done[k]) continue;
    record[k] = old[r->there[k]];
    for (int m = 0; m < SAL_N_METRIC; ++m)
      if (sal_metrics[m].group == SAL_GROUP_POINTS) record[k].value[m] = NAN; /* made anew */
    done[k] = true;
    ++taken;
  }
  return taken;
}

/* Reads n cells; their records by place. */
static sal_err read_cells(sal_reuse *r, int64_t n, const wanted cell[], sal_tile_result old[])
{
  const sal_cube_file_metrics all = sal_cube_file_all();
  const int64_t each = sal_config_count(&r->old);
  int64_t number[SAL_TILE_MOST], m = 0;

  for (int64_t i = 0; i < n; ++i) { /* a cell of rows may stand there twice */
    if (m == 0 || number[m - 1] != cell[i].old) number[m++] = cell[i].old;
    old[i] = sal_tile_result_part(&r->rows, each, m - 1, 1);
  }
  SAL_TRY(sal_cube_file_read_cells(r->file, &all, m, number, &r->rows));
  return SAL_OK;
}

/* The same of one cell of journals. */
static sal_err read_entry(sal_reuse *r, int64_t cell, sal_tile_result *old)
{
  const sal_journal_entry *e = &r->journal.entry[entry_of(&r->journal, cell)];

  if (!r->entry.record || r->entry.first != e->first) {
    sal_tile_result_free(&r->entry);
    SAL_TRY(sal_journal_read(&r->reader, e, &r->entry));
  }
  *old = sal_tile_result_part(&r->entry, sal_config_count(&r->old), cell - e->first, 1);
  return SAL_OK;
}

static sal_err find_cells(sal_reuse *r, const sal_tile *tile, int64_t *n, wanted cell[])
{
  for (int64_t i = *n = 0; i < tile->count; ++i) {
    int64_t old;
    SAL_TRY(find_cell(r, tile->first + i, &old));
    if (old >= 0) cell[(*n)++] = (wanted){old, i};
  }
  sal_quantiles_sort_wholes(*n, sizeof *cell, cell);
  return SAL_OK;
}

static sal_err make_room(const sal_reuse *r, const sal_tile *tile, sal_tile_kept *kept)
{
  sal_tile_result *to = &kept->result;

  return sal_tile_rows_alloc(r->sweep, tile->count, to)
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
}

sal_err sal_reuse_fill(sal_reuse *r, const sal_tile *tile, const sal_pilots *pilots,
                       sal_tile_kept *kept, bool whole[], int64_t *taken)
{
  const int64_t each = sal_config_count(r->sweep);
  sal_tile_result old[SAL_TILE_MOST];
  SAL_OWN bool *useful = sal_alloc((size_t)each, sizeof *useful);
  wanted cell[SAL_TILE_MOST];
  int64_t n = 0;

  *taken = 0;
  for (int64_t i = 0; i < tile->count; ++i) whole[i] = false;
  if (!useful) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  SAL_TRY(find_cells(r, tile, &n, cell));
  if (n == 0) return SAL_OK;
  SAL_TRY(make_room(r, tile, kept));
  if (r->file) SAL_TRY(read_cells(r, n, cell, old));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = cell[i].at;
    if (!r->file) SAL_TRY(read_entry(r, cell[i].old, &old[i]));
    if (pilots) sal_pilots_useful(pilots, tile->first + at, useful);
    const int got = take_cell(r, old[i].record, pilots ? useful : NULL, each,
                              kept->done + at * each, kept->result.record + at * each);
    sal_tile_rows_copy(&kept->result, at, &old[i], 0, 1, 0);
    whole[at] = got == each;
    *taken += got;
  }
  return SAL_OK;
}
