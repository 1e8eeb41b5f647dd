/** From words to the members of a struct, by the rows of a table. */
#include "cli_option.h"
#include "base.h"
#include "value.h"
#include <argp.h>
#include <getopt.h>

enum { LONG_KEY = 256, MAX_ARGUMENT = 4, WHERE = 64 };

static const sal_cli_option help_row = {"help",       'h',        NULL, "print this help",
                                        SAL_CLI_HELP, .offset = 0};

/* All rows of a command, in one list. */
typedef struct {
  int n, n_argument;
  const sal_cli_option *row[SAL_CLI_MAX_OPTIONS];
  size_t offset[SAL_CLI_MAX_OPTIONS]; /* of its member in the command's struct */
  int group[SAL_CLI_MAX_OPTIONS];
  const sal_cli_option *argument[MAX_ARGUMENT];
} row_list;

static void add_row(row_list *l, const sal_cli_option *row, size_t offset, int group)
{
  if (row->kind == SAL_CLI_ARGUMENT || row->kind == SAL_CLI_ARGUMENTS) {
    assert(l->n_argument < MAX_ARGUMENT);
    l->argument[l->n_argument++] = row;
    return;
  }
  assert(l->n < SAL_CLI_MAX_OPTIONS);
  l->row[l->n] = row;
  l->offset[l->n] = offset + row->offset;
  l->group[l->n++] = group;
}

static void list_rows(const sal_cli *cli, row_list *l)
{
  *l = (row_list){0};
  for (int t = 0; cli->table[t].row; ++t)
    for (const sal_cli_option *row = cli->table[t].row; row->help; ++row)
      add_row(l, row, cli->table[t].offset, t);
  add_row(l, &help_row, 0, -1);
}

static int row_key(const row_list *l, int i)
{
  return l->row[i]->key ? l->row[i]->key : LONG_KEY + i;
}
static bool takes_value(const sal_cli_option *row)
{
  return row->kind != SAL_CLI_FLAG && row->kind != SAL_CLI_UNSET && row->kind != SAL_CLI_HELP;
}

static sal_err read_number(const sal_cli_option *row, const char *where, const char *text,
                           double *value)
{
  const bool whole = row->kind == SAL_CLI_WHOLE, bounded = row->most != 0;
  const double most = bounded ? row->most : INFINITY;
  char allowed[SAL_ALLOWED];
  const bool read = sal_value_read(text, value);

  if (read && *value >= row->least && *value <= most && (!whole || *value == floor(*value)))
    return SAL_OK;
  if (!read) return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not a number", where, text);
  return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not allowed; allowed: %s%s", where, text,
                  whole ? "whole numbers " : "", sal_value_allowed(row->least, most, allowed));
}

static sal_err add_text(const char *where, const char *text, sal_cli_texts *list)
{
  if (list->n == SAL_CLI_MAX_TEXTS)
    return sal_fail(SAL_ERR_USAGE, "%s: given more than %d times", where, SAL_CLI_MAX_TEXTS);
  list->text[list->n++] = text;
  return SAL_OK;
}

bool sal_cli_ends(const char *name, const char *ending)
{
  const size_t n = strlen(name), m = strlen(ending);

  return n > m && strcmp(name + n - m, ending) == 0;
}

sal_err sal_cli_word(const char *where, const char *text, const char *const words[], int *place)
{
  const int found = sal_text_rank(text, words);

  if (found < 0) return sal_text_unknown(SAL_ERR_USAGE, where, "word", text, words);
  *place = found;
  return SAL_OK;
}

static sal_err store_value(const sal_cli_option *row, const char *text, void *at)
{
  char where[WHERE];
  double number = 0;

  snprintf(where, sizeof where, "--%s", row->name);
  switch (row->kind) {
  case SAL_CLI_FLAG:
  case SAL_CLI_UNSET:
    *(bool *)at = row->kind == SAL_CLI_FLAG;
    break;
  case SAL_CLI_NUMBER:
    return read_number(row, where, text, at);
  case SAL_CLI_WHOLE:
    SAL_TRY(read_number(row, where, text, &number));
    *(int64_t *)at = (int64_t)number;
    break;
  case SAL_CLI_REPEATED:
    if (row->parse) SAL_TRY(row->parse(where, text, at));
    return add_text(where, text, at);
  case SAL_CLI_WORD:
    return sal_cli_word(where, text, row->words, at);
  case SAL_CLI_PARSED:
    return row->parse(where, text, at);
  default:
    *(const char **)at = text;
  }
  return SAL_OK;
}

/* The long name in a word, "--name=value"; cut to what fits. */
static void long_name(const char *word, char name[WHERE])
{
  const char *begin = word + strspn(word, "-");

  snprintf(name, WHERE, "%.*s", (int)strcspn(begin, "="), begin);
}

static sal_err fail_unknown(const row_list *l, const char *word)
{
  const char *names[SAL_CLI_MAX_OPTIONS + 1], *fits[SAL_CLI_MAX_OPTIONS + 1];
  char name[WHERE];
  int n_fit = 0;
  sal_text text = {0};

  long_name(word, name);
  for (int i = 0; i < l->n; ++i) {
    names[i] = l->row[i]->name;
    if (strncmp(names[i], name, strlen(name)) == 0) fits[n_fit++] = names[i];
  }
  names[l->n] = fits[n_fit] = NULL;
  const char *meant = n_fit == 0 ? sal_text_nearest(name, names) : NULL;
  sal_text_add(&text, n_fit ? "'--%s' may be --" : "unknown option '--%s'", name);
  sal_text_join(&text, " or --", fits);
  if (meant) sal_text_add(&text, "; did you mean '--%s'?", meant);
  (void)sal_fail(SAL_ERR_USAGE, "%s", text.string ? text.string : word);
  sal_text_free(&text);
  return SAL_ERR_USAGE;
}

static const sal_cli_option *row_of_key(const row_list *l, int key)
{
  for (int i = 0; i < l->n; ++i)
    if (row_key(l, i) == key) return l->row[i];
  return NULL;
}

static sal_err fail_getopt(const row_list *l, int code, const char *word)
{
  const sal_cli_option *row = optopt ? row_of_key(l, optopt) : NULL;

  if (row && code == ':')
    return sal_fail(SAL_ERR_USAGE, "--%s: %s is missing", row->name, row->placeholder);
  if (row) return sal_fail(SAL_ERR_USAGE, "--%s takes no value, found '%s'", row->name, word);
  if (optopt == 0) return fail_unknown(l, word);
  return sal_fail(SAL_ERR_USAGE, "unknown option '-%c'",
                  optopt < ' ' || optopt > '~' ? '?' : optopt);
}

/* The tables of getopt: long options, and ":ho:f". */
static void make_getopt(const row_list *l, struct option table[], char keys[])
{
  int at = 0, n = 0;

  keys[at++] = ':'; /* getopt then distinguishes a missing value from an unknown option */
  for (int i = 0; i < l->n; ++i) {
    const sal_cli_option *row = l->row[i];
    const int value = takes_value(row) ? required_argument : no_argument;
    table[n++] = (struct option){row->name, value, NULL, row_key(l, i)};
    if (row->key) keys[at++] = (char)row->key;
    if (row->key && takes_value(row)) keys[at++] = ':';
  }
  table[n] = (struct option){0};
  keys[at] = '\0';
}

static sal_err parse_options(const row_list *l, int argc, char *argv[], char *options, bool *help)
{
  struct option table[SAL_CLI_MAX_OPTIONS + 1];
  char keys[2 * SAL_CLI_MAX_OPTIONS + 2];
  int key;

  make_getopt(l, table, keys);
  optind = 0;
  while ((key = getopt_long(argc, argv, keys, table, NULL)) != -1) {
    if (key == '?' || key == ':') return fail_getopt(l, key, argv[optind - 1]);
    for (int i = 0; i < l->n; ++i)
      if (row_key(l, i) == key) {
        if (l->row[i]->kind == SAL_CLI_HELP)
          *help = true;
        else
          SAL_TRY(store_value(l->row[i], optarg, options + l->offset[i]));
      }
  }
  return SAL_OK;
}

static sal_err fail_surplus(const row_list *l, int n, char *argument[])
{
  const char *last = argument[l->n_argument];

  if (l->n_argument == 0)
    return sal_fail(SAL_ERR_USAGE, "'%s': unexpected; this command has options only", last);
  if (l->n_argument == 1)
    return sal_fail(SAL_ERR_USAGE, "one %s at a time, found '%s' and '%s'", l->argument[0]->name,
                    argument[0], last);
  return sal_fail(SAL_ERR_USAGE, "%d arguments are enough, found %d, '%s' among them",
                  l->n_argument, n, last);
}

static sal_err store_arguments(const row_list *l, int n, char *argument[], char *options)
{
  for (int i = 0; i < l->n_argument; ++i) {
    const sal_cli_option *row = l->argument[i];
    void *at = options + row->offset;
    if (row->kind == SAL_CLI_ARGUMENTS) {
      *(sal_cli_arguments *)at = (sal_cli_arguments){n > i ? n - i : 0, argument + i};
      return SAL_OK;
    }
    if (i < n) *(const char **)at = argument[i];
    if (i >= n && row->missing) return sal_fail(SAL_ERR_USAGE, "%s", row->missing);
  }
  return n > l->n_argument ? fail_surplus(l, n, argument) : SAL_OK;
}

static sal_err check_missing(const row_list *l, const char *options)
{
  for (int i = 0; i < l->n; ++i)
    if (l->row[i]->missing && *(const char *const *)(options + l->offset[i]) == NULL)
      return sal_fail(SAL_ERR_USAGE, "%s", l->row[i]->missing);
  return SAL_OK;
}

sal_err sal_cli_parse(const sal_cli *cli, int argc, char *argv[], void *options, bool *help)
{
  row_list l;

  *help = false;
  list_rows(cli, &l);
  opterr = 0; /* messages are those above */
  SAL_TRY(parse_options(&l, argc, argv, options, help));
  if (*help) return SAL_OK;
  SAL_TRY(store_arguments(&l, argc - optind, argv + optind, options));
  return check_missing(&l, options);
}

/* The arguments as the usage line has them, "A.h5 B.h5". */
static void write_arguments(const row_list *l, sal_text *out)
{
  for (int i = 0; i < l->n_argument; ++i)
    sal_text_add(out, l->argument[i]->missing ? "%s%s" : "%s[%s]", i ? " " : "",
                 l->argument[i]->placeholder);
}

/* The preset of a row: "none" for a text that has none. */
static void write_preset(const sal_cli_option *row, const char *at, sal_text *out)
{
  const char *text;

  if (row->kind == SAL_CLI_NUMBER) {
    double number;
    memcpy(&number, at, sizeof number);
    sal_text_add(out, "%g", number);
    return;
  }
  assert(row->kind == SAL_CLI_TEXT);
  memcpy(&text, at, sizeof text);
  sal_text_add(out, "%s", text ? text : "none");
}

/* The help of a row, into `out` where the command's preset stands in it. */
static const char *row_help(const sal_cli_option *row, const char *at, sal_text *out)
{
  const char *mark = strstr(row->help, SAL_CLI_PRESET);

  if (!mark) return row->help;
  sal_text_add(out, "%.*s", (int)(mark - row->help), row->help);
  write_preset(row, at, out);
  sal_text_add(out, "%s", mark + strlen(SAL_CLI_PRESET));
  return out->string ? out->string : row->help;
}

void sal_cli_help(const sal_cli *cli, const char *description, const void *presets, FILE *out)
{
  struct argp_option option[SAL_CLI_MAX_OPTIONS + 1];
  sal_text help[SAL_CLI_MAX_OPTIONS] = {0};
  row_list l;
  char name[WHERE];
  sal_text usage = {0};

  list_rows(cli, &l);
  for (int i = 0; i < l.n; ++i)
    option[i] =
        (struct argp_option){l.row[i]->name,
                             row_key(&l, i),
                             l.row[i]->placeholder,
                             0,
                             row_help(l.row[i], (const char *)presets + l.offset[i], &help[i]),
                             l.group[i]};
  option[l.n] = (struct argp_option){0};
  write_arguments(&l, &usage);
  const struct argp argp = {.options = option, .args_doc = usage.string, .doc = description};
  snprintf(name, sizeof name, "%s", cli->name);
  setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* the note is longer than many a list */
  argp_help(&argp, out, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK, name);
  sal_text_free(&usage);
  for (int i = 0; i < l.n; ++i) sal_text_free(&help[i]);
}

void sal_cli_each(const sal_cli *cli, const void *presets,
                  void (*visit)(void *with, const sal_cli_shown *shown), void *with)
{
  row_list l;

  list_rows(cli, &l);
  for (int i = 0; i < l.n; ++i) {
    const sal_cli_option *row = l.row[i];
    sal_text help = {0};
    const sal_cli_shown shown = {.name = row->name,
                                 .key = row->key,
                                 .placeholder = takes_value(row) ? row->placeholder : NULL,
                                 .help = row_help(row, (const char *)presets + l.offset[i], &help)};
    visit(with, &shown);
    sal_text_free(&help);
  }
  for (int i = 0; i < l.n_argument; ++i) {
    const sal_cli_shown shown = {.name = l.argument[i]->placeholder,
                                 .help = "",
                                 .argument = true,
                                 .needed = l.argument[i]->missing != NULL};
    visit(with, &shown);
  }
}
