/** @file src/io/journal/journal_info.c
 *  What journals hold, as text and as JSON; a run may be writing to them meanwhile.
 */
#include "journal_info.h"
#include "journal_name.h"
#include "journal_scan.h"
#include "json.h"
#include "memory.h"
#include "text.h"
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* What is known of a folder so far.  Of the records of a run at work the heads alone are read. */
typedef struct {
  const char *folder;
  bool busy;
  sal_journal_head head; /* of the run begun last */
  bool known;
  int64_t n_file, n_other, bytes; /* files; those of other sweeps or with damaged heads */
  double written;                 /* last write */
  sal_journal_list list;
  int64_t recent; /* cells that the last run has written so far */
} survey;

static bool same_sweep(const sal_journal_head *a, const sal_journal_head *b)
{
  return a->fingerprint == b->fingerprint && a->n_cell == b->n_cell &&
         a->n_contender == b->n_contender && a->n_metric == b->n_metric &&
         a->n_cell_metric == b->n_cell_metric;
}

static int64_t cells_from(const sal_journal_list *list, int64_t begin)
{
  int64_t cells = 0;

  for (int64_t i = begin; i < list->n; ++i) cells += list->entry[i].count;
  return cells;
}

static sal_err add_file(survey *s, int64_t number, sal_journal_file *file)
{
  const sal_journal_head *h = &file->head;
  const int64_t n = s->list.n;
  bool indexed;

  ++s->n_file;
  s->bytes += file->size;
  s->written = fmax(s->written, file->written);
  if (!file->sound || h->version != SAL_JOURNAL_VERSION || (s->known && !same_sweep(h, &s->head))) {
    ++s->n_other;
    return SAL_OK;
  }
  if (!s->known || h->started > s->head.started) {
    s->head = *h;
    s->recent = 0;
  }
  s->known = true;
  const sal_journal_kin kin = {h->fingerprint, h->n_cell, h->n_contender};
  SAL_TRY(sal_journal_scan_file(file, number, &kin, s->busy, &s->list, &indexed));
  if (h->started >= s->head.started) s->recent += cells_from(&s->list, n);
  return SAL_OK;
}

static sal_err look_through(survey *s)
{
  sal_journal_name *name;
  int64_t n, n_all;

  sal_err err = sal_journal_name_list(s->folder, 0, &name, &n, &n_all);
  for (int64_t i = 0; i < n && err == SAL_OK; ++i) {
    char path[PATH_MAX];
    sal_journal_file file = {.fd = -1};
    err = sal_journal_name_path(s->folder, &name[i], path);
    if (err == SAL_OK) err = sal_journal_file_open(path, &file);
    if (err == SAL_OK) err = add_file(s, i, &file);
    if (err == SAL_ERR_IO && access(path, F_OK)) { /* a run at work has just removed it */
      sal_err_clear();
      err = SAL_OK;
    }
    sal_journal_file_close(&file);
  }
  sal_free(name);
  return err;
}

static bool at_work(const char *folder)
{
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool yes = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;

  if (fd >= 0) close(fd);
  return yes;
}

enum { TIME = 32 };

static const char *time_text(double seconds, char text[TIME])
{
  const time_t at = (time_t)seconds;
  struct tm utc;

  strftime(text, TIME, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &utc));
  return text;
}

/* Cells a second of the run begun last. */
static double cell_rate(const survey *s)
{
  const double span = s->written - s->head.started;

  return span > 0 ? (double)s->recent / span : 0;
}

static void print_survey(const survey *s, bool busy, int64_t cells, int64_t twice, FILE *out)
{
  const sal_journal_head *h = &s->head;
  const double rate = cell_rate(s);
  char text[TIME];

  fprintf(out, "%s: journals of a run that %s\n", s->folder,
          busy               ? "is at work"
          : cells == h->goal ? "has all its cells"
                             : "has stopped; the same command goes on with it");
  fprintf(out, "  %-14s %lld of %lld (%.0f %%)\n", "cells", (long long)cells, (long long)h->goal,
          100.0 * (double)cells / (double)h->goal);
  if (h->goal < h->n_cell)
    fprintf(out, "  %-14s of a sweep of %lld cell%s\n", "part", (long long)h->n_cell,
            sal_text_plural(h->n_cell));
  fprintf(out, "  %-14s %u of each cell\n", "trajectories", h->n_contender);
  fprintf(out, "  %-14s %lld, %.3g MB\n", "files", (long long)s->n_file, (double)s->bytes / 1e6);
  if (s->n_other) fprintf(out, "  %-14s %lld\n", "unreadable", (long long)s->n_other);
  if (s->list.n_damaged)
    fprintf(out, "  %-14s %lld%s\n", "broken records", (long long)s->list.n_damaged,
            busy ? ", or being written" : "");
  if (twice) fprintf(out, "  %-14s %lld\n", "cells twice", (long long)twice);
  fprintf(out, "  %-14s %s\n", "started", time_text(h->started, text));
  fprintf(out, "  %-14s %s\n", "last write", time_text(s->written, text));
  fprintf(out, "  %-14s %.3g trajectories/s\n", "speed", rate * h->n_contender);
  if (rate > 0 && cells < h->goal)
    fprintf(out, "  %-14s %.0f s\n", "left", (double)(h->goal - cells) / rate);
}

static void put_survey(const survey *s, bool busy, int64_t cells, int64_t twice, FILE *out)
{
  const sal_journal_head *h = &s->head;
  const double rate = cell_rate(s);
  sal_json j;
  char text[TIME];

  sal_json_begin(&j, out);
  sal_json_text(&j, "path", s->folder);
  sal_json_bool(&j, "running", busy);
  sal_json_whole(&j, "done", cells);
  sal_json_whole(&j, "goal", h->goal);
  sal_json_whole(&j, "cells", h->n_cell);
  sal_json_whole(&j, "contenders", h->n_contender);
  sal_json_whole(&j, "files", s->n_file);
  sal_json_whole(&j, "bytes", s->bytes);
  sal_json_whole(&j, "unreadable", s->n_other);
  sal_json_whole(&j, "broken_records", s->list.n_damaged);
  sal_json_whole(&j, "cells_twice", twice);
  sal_json_text(&j, "started", time_text(h->started, text));
  sal_json_text(&j, "last_write", time_text(s->written, text));
  sal_json_number(&j, "trajectories_per_second", rate * h->n_contender);
  sal_json_number(&j, "seconds_left", (double)(h->goal - cells) / rate);
  sal_json_end(&j);
}

sal_err sal_journal_info(const char *folder, bool json, FILE *out)
{
  const bool busy = at_work(folder);
  survey s = {.folder = folder, .busy = busy};
  int64_t twice;

  sal_err err = look_through(&s);
  if (err == SAL_OK && !s.known)
    err = sal_fail(SAL_ERR_INPUT, "%s: there is no journal of this program in it", folder);
  if (err == SAL_OK) {
    const int64_t cells = sal_journal_list_sort(&s.list, &twice);
    (json ? put_survey : print_survey)(&s, busy, cells, twice, out);
  }
  sal_journal_list_free(&s.list);
  return err;
}
