/** Options of a command line as rows of a table, as keys of a sweep file are in keys.def.
 *
 *  A row gives the spelling of an option, its allowed values, and where its value goes: an offset into
 *  the command's struct of options, which holds the presets before.  Arguments, the words without
 *  an option, are rows, too.  getopt_long finds the options, argp prints the help.
 */
#pragma once

#include "text.h"
#include <math.h>
#include <stdio.h>

/** Type of the member at the offset, and the value that is stored in it. */
typedef enum {
  SAL_CLI_FLAG,   /* bool, set to true */
  SAL_CLI_UNSET,  /* bool, set to false */
  SAL_CLI_TEXT,   /* const char *, borrowed */
  SAL_CLI_NUMBER, /* double from least to most */
  SAL_CLI_WHOLE,  /* int64_t from least to most */
  SAL_CLI_REPEATED, /* sal_cli_texts; the option may be given several times; `parse` only checks each */
  SAL_CLI_WORD,     /* int or an enum: the place of the word among the row's words */
  SAL_CLI_PARSED,    /* what the row's parse function fills */
  SAL_CLI_HELP,      /* prints the help; nothing is stored */
  SAL_CLI_ARGUMENT,  /* const char *: the next argument, which must be there if `missing` is set */
  SAL_CLI_ARGUMENTS, /* sal_cli_arguments: all that follow */
} sal_cli_kind;

enum { SAL_CLI_MAX_TEXTS = 64 };
typedef struct {
  int n;
  const char *text[SAL_CLI_MAX_TEXTS];
} sal_cli_texts;

typedef struct {
  int n;
  char **text; /* [n], borrowed from the command line */
} sal_cli_arguments;

/** Reads `text` into the member at `value`; `where` heads the message ("--ranks"). */
typedef sal_err sal_cli_parser(const char *where, const char *text, void *value);

/** The place of `text` among words, which end with NULL; not one of them: the message names the nearest. */
sal_err sal_cli_word(const char *where, const char *text, const char *const words[], int *place);

/** Does a name have this ending, and letters before it? */
bool sal_cli_ends(const char *name, const char *ending);

/** One option or argument; a table ends with a row without help.  For an argument `name` is the
 *  noun of messages: "one cube at a time". */
typedef struct {
  const char *name; /* long name, without the hyphens */
  int key;          /* short name, or 0 */
  const char *placeholder;
  const char *help; /* SAL_CLI_PRESET in it stands for the command's own preset */
  sal_cli_kind kind;
  size_t offset;
  double least, most; /* of numbers; most 0: no bound, see SAL_CLI_POSITIVE */
  sal_cli_parser *parse;
  const char *const *words; /* of a word; they end with NULL */
  const char *missing; /* message when a text or an argument is not given: "CUBE.h5 is missing" */
} sal_cli_option;

/** In the help of a row that several commands share: the preset of the command, as text or number. */
#define SAL_CLI_PRESET "{}"

/** Least value of a number that must be greater than 0, or may be any. */
#define SAL_CLI_POSITIVE 0x1p-1022
#define SAL_CLI_ANY (-INFINITY)

/** The place of a member in the struct `options` of a command. */
#define SAL_OPT(member) .offset = offsetof(options, member)

/** A table of rows, and where its struct lies in the command's. */
typedef struct {
  const sal_cli_option *row;
  size_t offset;
} sal_cli_table;

enum { SAL_CLI_MAX_TABLES = 5, SAL_CLI_MAX_OPTIONS = 64 };

/** Input of the parser; the tables of a command end with a row without options.  The first has
 *  its arguments. */
typedef struct {
  const char *name; /* "saltus run" */
  const sal_cli_table *table;
} sal_cli;

/** Fills the struct at `options` from a command line, which is brought into the order options,
 *  arguments.  *help: the help was asked for, and nothing is checked. */
sal_err sal_cli_parse(const sal_cli *cli, int argc, char *argv[], void *options, bool *help);

/** An option as it is shown; the last ones are the arguments, whose key is 0 and whose help is "". */
typedef struct {
  const char *name;        /* long name; of an argument its placeholder */
  int key;                 /* short name, or 0 */
  const char *placeholder; /* of its value; NULL: it has none */
  const char *help;
  bool argument, needed;
} sal_cli_shown;
/** Calls visit with every option, and then with every argument, in the order of the tables.  *shown is valid during the call. */
void sal_cli_each(const sal_cli *cli, const void *presets,
                  void (*visit)(void *with, const sal_cli_shown *shown), void *with);

/** Prints the usage line, the description and all options.  presets: the command's struct of options
 *  before any is given. */
void sal_cli_help(const sal_cli *cli, const char *description, const void *presets, FILE *out);
