/** Datasets against each other. */
#include "base.h"
#include "cube_frame.h"

bool sal_set_compare_shape(const sal_dataset *a, const sal_dataset *b)
{
  return a->type == b->type && a->n_dim == b->n_dim &&
         memcmp(a->size, b->size, (size_t)a->n_dim * sizeof a->size[0]) == 0;
}

/* Number i of a block. */
static sal_set_value value_at(sal_datatype type, const void *block, int64_t i)
{
  const char *at = (const char *)block + (size_t)i * sal_datatype_size(type);
  double value;

  if (type == SAL_DATATYPE_WHOLE) { /* a double does not hold all of them */
    const int64_t whole = ((const int64_t *)block)[i];
    return (sal_set_value){.real = (double)whole, .whole = whole};
  }
  sal_datatype_unpack(type, 1, at, 1, &value);
  if (sal_datatype_is_real(type)) return (sal_set_value){.real = value};
  const int64_t whole = isnan(value) ? -1 : (int64_t)value;
  return (sal_set_value){.real = (double)whole, .whole = whole};
}

static bool same_number(sal_datatype type, const sal_set_value *a, const sal_set_value *b)
{
  if (!sal_datatype_is_real(type)) return a->whole == b->whole;
  return memcmp(&a->real, &b->real, sizeof a->real) == 0 || (isnan(a->real) && isnan(b->real));
}

/* n values of a block, of which the first is number `first`. */
static void compare_block(sal_datatype type, int64_t first, int64_t n, const void *a, const void *b,
                          sal_set_finding *found)
{
  assert(a && b);
  if (memcmp(a, b, (size_t)n * sal_datatype_size(type)) == 0) return;
  for (int64_t i = 0; i < n; ++i) {
    const sal_set_value x = value_at(type, a, i), y = value_at(type, b, i);
    if (same_number(type, &x, &y)) continue;
    if (found->n++ == 0) {
      found->first = first + i;
      found->value[0] = x;
      found->value[1] = y;
    }
    found->largest = fmax(found->largest, fabs(x.real - y.real));
  }
}

/* One of the two, with room for a block of it, and the sum of what has been read. */
typedef struct {
  const sal_h5 *file;
  const sal_dataset *set;
  void *block;
  uint64_t sum;
} side;

static sal_err verify_side(const side *s)
{
  return sal_checksum_compare(s->file, s->set->name, s->set->checksum, s->sum);
}

static sal_err compare_rows(side s[2], int64_t block, sal_set_finding *found)
{
  const sal_dataset *set = s[0].set;
  const int64_t rows = (int64_t)set->size[0], row = set->n / rows;

  for (int64_t at = 0; at < rows; at += block) {
    const int64_t count = rows - at < block ? rows - at : block;
    for (int i = 0; i < 2; ++i)
      SAL_TRY(sal_dataset_read_rows(s[i].file, s[i].set, at, count, s[i].block, &s[i].sum));
    compare_block(set->type, at * row, count * row, s[0].block, s[1].block, found);
  }
  SAL_TRY(verify_side(&s[0]));
  return verify_side(&s[1]);
}

static sal_err compare_scalar(side s[2], sal_set_finding *found)
{
  for (int i = 0; i < 2; ++i) SAL_TRY(sal_dataset_read(s[i].file, s[i].set, s[i].block));
  compare_block(s[0].set->type, 0, 1, s[0].block, s[1].block, found);
  return SAL_OK;
}

/* Blocks of so many bytes. */
static sal_err make_room(const sal_h5 *file, size_t bytes, sal_set_room *room)
{
  if (bytes <= room->bytes) return SAL_OK;
  sal_set_compare_free_room(room);
  for (int i = 0; i < 2; ++i)
    if (!(room->block[i] = sal_alloc(bytes, 1))) return sal_h5_full(file);
  room->bytes = bytes;
  return SAL_OK;
}

static sal_err compare_numbers(side s[2], sal_set_room *room, sal_set_finding *found)
{
  const sal_dataset *set = s[0].set;
  const bool rows = set->n_dim > 0;
  /* runs of both are verified, and so are whole numbers of them read */
  const int64_t a = sal_dataset_block(set), b = sal_dataset_block(s[1].set), block = a > b ? a : b;
  const size_t n = rows ? (size_t)block * (size_t)(set->n / (int64_t)set->size[0]) : 1;

  SAL_TRY(make_room(s[0].file, n * sal_datatype_size(set->type), room));
  for (int i = 0; i < 2; ++i) s[i].block = room->block[i];
  return rows ? compare_rows(s, block, found) : compare_scalar(s, found);
}

static sal_err compare_texts(const side s[2], sal_set_finding *found)
{
  SAL_OWN_BY(sal_h5_text_free) char **a = NULL;
  SAL_OWN_BY(sal_h5_text_free) char **b = NULL;

  SAL_TRY(sal_dataset_read_texts(s[0].file, s[0].set, &a));
  SAL_TRY(sal_dataset_read_texts(s[1].file, s[1].set, &b));
  for (int64_t i = 0; i < s[0].set->n; ++i) {
    if (strcmp(a[i], b[i]) == 0 || found->n++ > 0) continue;
    found->first = i;
    found->value[0].text = sal_text_copy(a[i]);
    found->value[1].text = sal_text_copy(b[i]);
    if (!found->value[0].text || !found->value[1].text) return sal_h5_full(s[0].file);
  }
  return SAL_OK;
}

sal_err sal_set_compare(const sal_h5 *in_a, const sal_dataset *a, const sal_h5 *in_b,
                        const sal_dataset *b, sal_set_room *room, sal_set_finding *found)
{
  side s[2] = {{in_a, a, NULL, 0}, {in_b, b, NULL, 0}};

  *found = (sal_set_finding){.largest = NAN};
  if (a->n == 0) return SAL_OK;
  return a->type == SAL_DATATYPE_TEXT ? compare_texts(s, found) : compare_numbers(s, room, found);
}

void sal_set_compare_free_room(sal_set_room *room)
{
  for (int i = 0; i < 2; ++i) sal_free(room->block[i]);
  *room = (sal_set_room){0};
}

void sal_set_compare_free(sal_set_finding *found)
{
  for (int i = 0; i < 2; ++i) sal_free(found->value[i].text);
  *found = (sal_set_finding){0};
}
