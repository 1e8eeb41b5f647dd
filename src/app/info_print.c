/** Cubes and journals at a glance. */
#include "info_print.h"
#include <string.h>
#include <time.h>

enum { LABEL = 26, COUNT = 16, JOURNAL = 14, TIME = 32 };

static const char *trajectories(int64_t n) { return n == 1 ? "trajectory" : "trajectories"; }

static void print_head(sal_report *r, const char *path, const sal_cube_info *info)
{
  const sal_cube *c = &info->frame;

  sal_json_members(&r->json, "path %s, title %s, model %s, model_title %s", path, c->title,
                   c->model, info->model_title);
  sal_report_say(r, "%s: %s\nmodel %s: %s\n", path, c->title, c->model, info->model_title);
}

/* "name  n  word word ..." of a dimension. */
static void print_names(sal_report *r, const char *dimension, int n, char *const name[])
{
  sal_json_array(&r->json, dimension);
  sal_report_say(r, "  %-10s %8d  ", dimension, n);
  for (int i = 0; i < n; ++i) {
    sal_json_text(&r->json, NULL, name[i]);
    sal_report_say(r, " %s", name[i]);
  }
  sal_json_end(&r->json);
  sal_report_say(r, "\n");
}

static void print_tolerances(sal_report *r, const sal_cube *c)
{
  sal_json_array(&r->json, "rtol");
  sal_report_say(r, "  %-10s %8d  ", "rtol", c->n_tolerance);
  for (int i = 0; i < c->n_tolerance; ++i) {
    sal_json_number(&r->json, NULL, c->tolerance[i]);
    sal_report_say(r, " %g", c->tolerance[i]);
  }
  sal_json_end(&r->json);
  sal_report_say(r, "\n");
}

static void print_dimensions(sal_report *r, const sal_cube *c)
{
  const int64_t n = sal_cube_open_records(c);

  sal_json_members(&r->json, "cells %ld, trajectories %ld", c->n_cell, n);
  sal_report_say(r, "%lld cell%s x %d tolerance%s x %d strateg%s x %d solver%s = %lld %s\n",
                 (long long)c->n_cell, sal_text_plural(c->n_cell), c->n_tolerance,
                 sal_text_plural(c->n_tolerance), c->n_strategy, c->n_strategy == 1 ? "y" : "ies",
                 c->n_method, sal_text_plural(c->n_method), (long long)n, trajectories(n));
  sal_report_say(r, "\nDimensions\n  %-10s %8lld\n", "cell", (long long)c->n_cell);
  print_tolerances(r, c);
  print_names(r, "strategy", c->n_strategy, c->strategy);
  print_names(r, "solver", c->n_method, c->method);
}

/* about: unit and text of a measure; NULL: there are none. */
static void print_range(sal_report *r, const char *name, const sal_cube_range *of, int64_t n,
                        const char *const about[2])
{
  sal_json_object(&r->json, name);
  if (about) sal_json_members(&r->json, "unit %s, text %s", about[0], about[1]);
  sal_json_members(&r->json, "least %g, most %g, known %ld", of->least, of->most, of->known);
  sal_json_end(&r->json);
  sal_report_say(r, "  %-*s ", LABEL, name);
  if (of->known == 0)
    sal_report_say(r, "none");
  else if (of->least == of->most)
    sal_report_say(r, "%g", of->least);
  else
    sal_report_say(r, "%g .. %g", of->least, of->most);
  if (about) sal_report_say(r, " %s   %s", strcmp(about[0], "1") ? about[0] : "", about[1]);
  if (of->known && of->known < n)
    sal_report_say(r, "   (in %lld of %lld cell%s)", (long long)of->known, (long long)n,
                   sal_text_plural(n));
  sal_report_say(r, "\n");
}

static void print_coordinates(sal_report *r, const sal_cube_info *info)
{
  const sal_cube *c = &info->frame;
  char name[128];

  sal_report_section(r, "coordinates", "Cells");
  for (int i = 0; i < c->n_param + c->n_state; ++i) {
    const bool initial = i >= c->n_param;
    snprintf(name, sizeof name, "%s%s", initial ? "initial_" : "",
             initial ? c->state_name[i - c->n_param] : c->param_name[i]);
    print_range(r, name, &info->coordinate[i], c->n_cell, NULL);
  }
  sal_json_end(&r->json);
}

static void print_stored(sal_report *r, const sal_cube_info *info)
{
  if (!info->stored_cells) return;
  sal_json_object_of(&r->json, "stored_trajectories", "cells %ld, points %ld", info->stored_cells,
                     info->stored_points);
  sal_report_say(r, "\nTrajectories are kept of %lld cell%s at %lld point%s\n",
                 (long long)info->stored_cells, sal_text_plural(info->stored_cells),
                 (long long)info->stored_points, sal_text_plural(info->stored_points));
}

static const char *outcome_label(int o)
{
  return o < SAL_N_OUTCOME ? sal_metric_outcomes[o].label : "unknown";
}

static void put_outcomes(sal_json *j, const char *name, const int64_t count[SAL_N_OUTCOME + 1])
{
  sal_json_object(j, name);
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (count[o]) sal_json_whole(j, outcome_label(o), count[o]);
  sal_json_end(j);
}

/* A row for each solver, where trajectories ended in several ways. */
static void print_solvers(sal_report *r, const sal_cube_info *info)
{
  const sal_cube *c = &info->frame;
  const int width = sal_text_width(COUNT, c->n_method, c->method);

  sal_report_say(r, "\n  %-*s", width, "by solver");
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (info->outcomes[o]) sal_report_say(r, " %14s", outcome_label(o));
  sal_report_say(r, "\n");
  for (int m = 0; m < c->n_method; ++m) {
    sal_report_say(r, "  %-*s", width, c->method[m]);
    for (int o = 0; o <= SAL_N_OUTCOME; ++o)
      if (info->outcomes[o]) sal_report_say(r, " %14lld", (long long)info->by_solver[m][o]);
    sal_report_say(r, "\n");
  }
}

static void print_outcomes(sal_report *r, const sal_cube_info *info)
{
  const sal_cube *c = &info->frame;
  const int64_t n = sal_cube_open_records(c);

  put_outcomes(&r->json, "outcomes", info->outcomes);
  sal_json_object(&r->json, "outcomes_by_solver");
  for (int m = 0; m < c->n_method; ++m) put_outcomes(&r->json, c->method[m], info->by_solver[m]);
  sal_json_end(&r->json);
  sal_report_say(r, "\nOutcomes of %lld %s\n", (long long)n, trajectories(n));
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (info->outcomes[o])
      sal_report_line(r, COUNT, outcome_label(o), "%10lld  %s", (long long)info->outcomes[o],
                      o < SAL_N_OUTCOME ? sal_metric_outcomes[o].what : "");
  if (info->outcomes[SAL_OUT_DONE] != n && info->outcomes[SAL_OUT_ENDED] != n)
    print_solvers(r, info);
}

static void print_words(sal_report *r, const char *name, const char *heading, const char *noun,
                        const sal_cube_words *of)
{
  int n;

  if (of->all == 0) return;
  const sal_metric_word *word = sal_metric_words(of->metric->kind, &n);
  sal_json_object(&r->json, name);
  sal_report_say(r, "\n%s: %lld %s%s\n", heading, (long long)of->all, noun,
                 sal_text_plural(of->all));
  for (int w = 0; w < n; ++w) {
    if (!of->count[w]) continue;
    sal_json_whole(&r->json, word[w].label, of->count[w]);
    sal_report_line(r, COUNT, word[w].label, "%10lld  %s", (long long)of->count[w], word[w].what);
  }
  sal_json_end(&r->json);
}

static void print_map_count(sal_report *r, const sal_map_count *m, int64_t n_cell)
{
  sal_json_object_of(&r->json, NULL, "error %g, answered %ld, no_config %ld, no_reference %ld",
                     m->error, m->answered, m->no_config, m->no_reference);
  sal_report_say(r, "  %-*g answered in %lld of %lld cell%s", LABEL, m->error,
                 (long long)m->answered, (long long)n_cell, sal_text_plural(n_cell));
  if (m->no_config > 0) sal_report_say(r, ", no configuration in %lld", (long long)m->no_config);
  if (m->no_reference)
    sal_report_say(r, ", %lld of %lld reference%s worse than %g", (long long)m->no_reference,
                   (long long)n_cell, sal_text_plural(n_cell), m->error);
  sal_report_say(r, "\n");
}

static void print_map(sal_report *r, const sal_cube_info *info)
{
  if (info->n_map == 0) return;
  sal_json_text(&r->json, "map_by", sal_error_metric_name(info->map_by));
  sal_json_array(&r->json, "map");
  sal_report_say(r, "\nMap: least work for %s of\n", info->map_by->what);
  for (int e = 0; e < info->n_map; ++e) print_map_count(r, &info->map[e], info->frame.n_cell);
  sal_json_end(&r->json);
}

static void print_cell_metrics(sal_report *r, const sal_cube_info *info)
{
  sal_report_section(r, "cell_metrics", "Reference and stiffness");
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    if (info->has[m])
      print_range(r, sal_metrics_of_cell[m].name, &info->metric[m], info->frame.n_cell, NULL);
  sal_json_end(&r->json);
}

static void print_measures(sal_report *r, const sal_cube_info *info)
{
  char **const *text = info->measure;

  if (info->n_measure == 0) return;
  sal_report_section(r, "measures", "Measures of the reference trajectories");
  for (int64_t i = 0; i < info->n_measure; ++i)
    print_range(
        r, text[SAL_CUBE_MEASURE][i], &info->measured[i], info->frame.n_cell,
        (const char *const[]){text[SAL_CUBE_MEASURE_UNIT][i], text[SAL_CUBE_MEASURE_TEXT][i]});
  sal_json_end(&r->json);
}

static void print_provenance(sal_report *r, const sal_cube_info *info)
{
  sal_report_section(r, "provenance", "Provenance");
  for (int i = 0; i < SAL_CUBE_ATTRIBUTES; ++i) {
    const sal_cube_attribute *a = &info->attribute[i];
    if (a->text) {
      sal_json_text(&r->json, a->name, a->text);
      sal_report_line(r, LABEL, a->name, "%s", a->text);
    } else if (a->kind != SAL_CUBE_OPTIONAL) {
      sal_json_number(&r->json, a->name, a->number);
      sal_report_line(r, LABEL, a->name, a->kind == SAL_CUBE_WHOLE ? "%.0f" : "%g", a->number);
    }
  }
  sal_json_end(&r->json);
}

void sal_info_print_cube(sal_report *r, const char *path, const sal_cube_info *info)
{
  print_head(r, path, info);
  print_dimensions(r, &info->frame);
  print_coordinates(r, info);
  print_stored(r, info);
  print_outcomes(r, info);
  print_words(r, "library_reasons", "Why libraries gave up", "run", &info->reasons);
  print_words(r, "verdicts", "Verdicts", "cell", &info->verdicts);
  print_cell_metrics(r, info);
  print_measures(r, info);
  print_map(r, info);
  print_provenance(r, info);
}

static const char *time_text(double seconds, char text[TIME])
{
  const time_t at = (time_t)seconds;
  struct tm utc;

  strftime(text, TIME, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &utc));
  return text;
}

static void print_cells(sal_report *r, const char *folder, const sal_journal_info *info)
{
  sal_json_members(&r->json, "path %s, running %i", folder, info->busy);
  sal_report_say(r, "%s: journals of a run that %s\n", folder,
                 info->busy                 ? "is at work"
                 : info->done == info->goal ? "has all its cells"
                                            : "has stopped; the same command goes on with it");
  sal_json_members(&r->json, "done %ld, goal %ld", info->done, info->goal);
  sal_report_line(r, JOURNAL, "cells", "%lld of %lld (%.0f %%)", (long long)info->done,
                  (long long)info->goal, 100.0 * (double)info->done / (double)info->goal);
  sal_json_whole(&r->json, "cells", info->cells);
  if (info->goal < info->cells)
    sal_report_line(r, JOURNAL, "part", "of a sweep of %lld cell%s", (long long)info->cells,
                    sal_text_plural(info->cells));
  sal_json_whole(&r->json, "configs", info->configs);
  sal_report_line(r, JOURNAL, "trajectories", "%lld of each cell", (long long)info->configs);
}

static void print_files(sal_report *r, const sal_journal_info *info)
{
  sal_json_members(&r->json, "files %ld, bytes %ld", info->files, info->bytes);
  sal_report_line(r, JOURNAL, "files", "%lld, %.3g MB", (long long)info->files,
                  (double)info->bytes / 1e6);
  sal_json_whole(&r->json, "unreadable", info->unreadable);
  if (info->unreadable)
    sal_report_line(r, JOURNAL, "unreadable", "%lld", (long long)info->unreadable);
  sal_json_whole(&r->json, "broken_records", info->broken);
  if (info->broken)
    sal_report_line(r, JOURNAL, "broken records", "%lld%s", (long long)info->broken,
                    info->busy ? ", or being written" : "");
  sal_json_whole(&r->json, "cells_twice", info->twice);
  if (info->twice) sal_report_line(r, JOURNAL, "cells twice", "%lld", (long long)info->twice);
}

void sal_info_print_journal(sal_report *r, const char *folder, const sal_journal_info *info)
{
  const double left = (double)(info->goal - info->done) / info->rate;
  char text[TIME];

  print_cells(r, folder, info);
  print_files(r, info);
  if (info->machine.string) {
    sal_json_text(&r->json, "machine", info->machine.string);
    sal_report_line(r, JOURNAL, "machine", "%s", info->machine.string);
  }
  sal_json_text(&r->json, "started", time_text(info->started, text));
  sal_report_line(r, JOURNAL, "started", "%s", text);
  sal_json_text(&r->json, "last_write", time_text(info->written, text));
  sal_report_line(r, JOURNAL, "last write", "%s", text);
  sal_json_number(&r->json, "trajectories_per_second", info->rate * (double)info->configs);
  sal_report_line(r, JOURNAL, "speed", "%.3g trajectories/s", info->rate * (double)info->configs);
  sal_json_number(&r->json, "seconds_left", left);
  if (info->rate > 0 && info->done < info->goal)
    sal_report_line(r, JOURNAL, "left", "%.0f s", left);
}
