/** Small files beside cubes: a table of points, written and read, and a trajectory. */
#pragma once

#include "err.h"
#include "setup.h"

/* A table of points as a file of its own: columns along one dimension, with the parameters that all
 * points share, and attributes that say how it was made. */

/** Values are [n][across] of double (whole: rounded to int64), or text [n] of const char *. */
typedef struct {
  const char *name, *unit, *what;
  int across;              /* values of a point; 1: one, without a dimension of its own */
  const char *across_name; /* of that dimension, counted from 1 */
  bool whole;
  const void *value;
  bool text;
} sal_table_column;

typedef struct {
  const char *name, *text; /* text NULL: the number */
  double number;
} sal_table_attribute;

typedef struct {
  const char *content; /* attribute of the file: "saltus branch" */
  const sal_model *model;
  const double *param;             /* [n_param + n_option]; those with a column are left out */
  const char *row_name, *row_what; /* the dimension: "point", counted from 1 */
  int64_t n;
  int n_column, n_attribute;
  const sal_table_column *column;
  const sal_table_attribute *attribute;
} sal_table;

/** Makes words the name of a column: '/', which leads into a group, and bytes that are not UTF-8 become '_'. */
void sal_table_name(char words[]);

/** Writes it as HDF5 (serial), replacing `path`. */
sal_err sal_table_write(const char *path, const sal_table *table);

/* Reading a table of points: names first, then rows. */

typedef struct sal_table_file sal_table_file;

/** Opens it and verifies that it is one of `content`; closed by sal_table_close, also where that is
 *  NULL. */
sal_err sal_table_open(const char *path, const char *content, sal_table_file **out);
void sal_table_close(sal_table_file *file);

/** The number of points. */
int64_t sal_table_size(const sal_table_file *file);
/** An attribute, on one line; the same as it stands in the file.  *text is freed with sal_free. */
sal_err sal_table_text(const sal_table_file *file, const char *name, char **text);
sal_err sal_table_lines(const sal_table_file *file, const char *name, char **text);
sal_err sal_table_number(const sal_table_file *file, const char *name, double *number);
/** A column, value [n]; or a single value, n = 1.  NaN where it is missing. */
sal_err sal_table_column_read(const sal_table_file *file, const char *name, int64_t n,
                              double *value);
/** Reads the value in row `row`, from 0: that of a column, else the single value. */
sal_err sal_table_row_read(const sal_table_file *file, const char *name, int64_t row,
                           double *value);

/* One trajectory as a file of its own. */

/** Data of a trajectory to be written; pointers may be NULL but for t and state. */
typedef struct {
  int64_t n;
  const double *t, *state; /* [n], [n][n_state] */
  const uint8_t *closed;   /* [n] is contact 0 closed? */
  int64_t n_event;
  const sal_event *event; /* [n_event] */
  int n_guard;
  /* the mode ahead of the first event [n_guard] and after each [n_event][n_guard]; or that at t, [n][n_guard] */
  const bool *start_closed, *event_closed;
  const uint8_t *sides;
  const char *model_text; /* of a model that no registry has */
  /* of a run: its outcome's label, the time that it reached, and of one that failed how it ended */
  const char *outcome, *ending;
  double t_reached;
  /* of a periodic orbit over its period: */
  double period;
  int n_multiplier; /* 0: it is none */
  const double *re, *im;
} sal_trajectory_table;

/** Writes one trajectory as HDF5 (serial), replacing `path`.  Along t: the states and mode, that of contact 0; of bodies
 *  body_position along body_coordinate, all their coordinates.  Along event_t: event_name, event_contact, event_closes, event_<state> and
 *  ahead_<state>, the states after each event and ahead of it.  Along `contact`: contact_closes, what its closing is called; which are closed: start_closed and, after
 *  each event, event_closed; or closed along t where the strategy keeps no mode.  For an orbit multiplier_re and multiplier_im.
 *  The parameters are single values; setup, program, period and model_text are attributes. */
sal_err sal_trajectory_write(const char *path, const sal_setup *setup, const double param[],
                             const sal_trajectory_table *table);
