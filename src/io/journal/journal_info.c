/** Summary of journals; a run may be writing to them meanwhile. */
#include "base.h"
#include "journal.h"
#include "journal_private.h"
#include "machine.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

/* Summary of a folder so far.  From the records of a run in progress the heads alone are read. */
typedef struct {
  const char *folder;
  bool busy;
  sal_journal_head head; /* of a sound one */
  bool known;
  double started; /* the run begun last */
  int64_t goal;
  int64_t n_file, n_other, bytes; /* files; those of other sweeps or with damaged heads */
  double written;                 /* last write */
  sal_journal_list list;
  int64_t recent; /* cells that the last run has written so far */
} survey;

static bool same_sweep(const sal_journal_head *a, const sal_journal_head *b)
{
  return a->fingerprint == b->fingerprint && a->n_cell == b->n_cell && a->n_config == b->n_config &&
         a->n_metric == b->n_metric && a->n_cell_metric == b->n_cell_metric;
}

static int64_t cells_from(const sal_journal_list *list, int64_t begin)
{
  int64_t cells = 0;

  for (int64_t i = begin; i < list->n; ++i)
    if (list->entry[i].lacking == 0) cells += list->entry[i].count;
  return cells;
}

static sal_err add_file(survey *s, int64_t number, sal_journal_file *file)
{
  const sal_journal_head *h = &file->head;
  const int64_t n = s->list.n;
  bool complete = false;

  ++s->n_file;
  s->bytes += file->size;
  s->written = fmax(s->written, file->written);
  if (!file->sound || h->version != SAL_JOURNAL_VERSION || (s->known && !same_sweep(h, &s->head))) {
    ++s->n_other;
    return SAL_OK;
  }
  s->head = *h;
  s->known = true;
  s->list.started = 0;
  const sal_journal_kin kin = {h->fingerprint, h->n_cell, h->n_config};
  SAL_TRY(sal_journal_scan_file(file, number, &kin, s->busy, &s->list));
  for (int64_t i = n; i < s->list.n; ++i) complete = complete || s->list.entry[i].lacking == 0;
  if (complete)
    SAL_TRY(sal_machine_join(&s->list.machine, file->text[SAL_JOURNAL_MACHINE],
                             strlen(file->text[SAL_JOURNAL_MACHINE])));
  if (s->list.started > s->started) {
    s->started = s->list.started;
    s->goal = s->list.goal;
    s->recent = 0;
  }
  if (s->list.started >= s->started) s->recent += cells_from(&s->list, s->list.before);
  return SAL_OK;
}

static sal_err look_through(survey *s)
{
  SAL_OWN sal_journal_name *name = NULL;
  int64_t n = 0, room = 0;

  sal_err err = sal_journal_name_list(s->folder, 0, &name, &n, &room);
  for (int64_t i = 0; i < n && err == SAL_OK; ++i) {
    char path[PATH_MAX];
    SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};
    err = sal_journal_name_path(s->folder, &name[i], path);
    if (err == SAL_OK) err = sal_journal_file_open(path, &file);
    if (err == SAL_OK) err = add_file(s, i, &file);
    if (err == SAL_ERR_IO && access(path, F_OK)) { /* a run at work has just removed it */
      sal_err_clear();
      err = SAL_OK;
    }
  }
  return err;
}

static bool at_work(const char *folder)
{
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool yes = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;

  if (fd >= 0) close(fd);
  return yes;
}

/* Cells a second of the run begun last. */
static double cell_rate(const survey *s)
{
  const double span = s->written - s->started;

  return span > 0 ? (double)s->recent / span : 0;
}

static void summarise(survey *s, sal_journal_info *out)
{
  const sal_journal_head *h = &s->head;
  int64_t n_partial;

  *out = (sal_journal_info){.busy = s->busy,
                            .goal = s->goal,
                            .cells = h->n_cell,
                            .configs = h->n_config,
                            .files = s->n_file,
                            .bytes = s->bytes,
                            .unreadable = s->n_other,
                            .broken = s->list.n_damaged,
                            .started = s->started,
                            .written = s->written,
                            .machine = s->list.machine,
                            .rate = cell_rate(s)};
  s->list.machine = (sal_text){0};
  out->done = sal_journal_list_sort(&s->list, &n_partial, &out->twice);
}

sal_err sal_journal_info_read(const char *folder, sal_journal_info *info)
{
  survey s = {.folder = folder, .busy = at_work(folder)};

  sal_err err = look_through(&s);
  if (err == SAL_OK && !s.known)
    err = sal_fail(SAL_ERR_INPUT, "%s: contains no journal of this program", folder);
  if (err == SAL_OK) summarise(&s, info);
  sal_journal_list_free(&s.list);
  return err;
}
