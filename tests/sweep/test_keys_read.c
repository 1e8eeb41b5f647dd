/** Keys and values of the wrong name, kind or number: one message, the right line, the nearest
 *  name.
 */
#include "refuse.h"

static void an_unknown_key_is_refused(void)
{
  refuse("slovers: [1]\n", "s.yaml:6", "unknown key 'slovers'", "did you mean 'solvers'?");
  refuse("\n# comment\nmodle: x\n", "s.yaml:8", "unknown key 'modle'", "allowed: title, ",
         ", model,", ", rtol,");
  refuse("zzz: x\n", "s.yaml:6", "unknown key 'zzz'");
  refuse_text("modle: monopod\n", "s.yaml:1", "unknown key 'modle'", "did you mean 'model'?");
}

static void an_unknown_key_below_is_refused(void)
{
  refuse("divergence:\n  floor: 1\n  epsilno: [1]\n", "s.yaml:8", "unknown key of divergence",
         "allowed: floor, epsilon", "did you mean 'epsilon'?");
  refuse("timing: {repeat: 1}\n", "s.yaml:6", "did you mean 'repeats'?");
  refuse("options: {adhesoin: literal}\n", "s.yaml:6", "allowed: adhesion", "mean 'adhesion'?");
  refuse("parameters: {m2: 1}\n", "s.yaml:6", "allowed: b, m1, k, f", "mean 'm1'?");
  refuse("initial:\n  y3: 1\n", "s.yaml:7", "allowed: y1, v1, y2, v2", "mean 'y1'?");
  refuse("cells: {colunms: [b], rows: [[1]]}\n", "s.yaml:6", "did you mean 'columns'?");
}

static void a_missing_key_is_refused(void)
{
  refuse_text("t_end: 5\n", "s.yaml:1", "'model' is missing");
  refuse_text("\nmodel: monopod\nt_end: 5\n", "s.yaml:2", "'solvers' is missing", "list of words");
  refuse_text("model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [event]\n", "s.yaml:1",
              "'rtol' is missing");
  refuse("cells:\n  columns: [b]\n", "s.yaml:7", "'cells.rows' is missing");
  refuse("cells: {}\n", "s.yaml:6", "'cells.columns' is missing");
}

static void an_unknown_word_is_refused(void)
{
  refuse_text("title: x\nmodel: monopodd\nt_end: 5\n", "s.yaml:2", "model: unknown word 'monopodd'",
              "allowed: ", "monopod", "did you mean 'monopod'?");
  refuse_text("model: monopod\nsolvers:\n- ode45\n- ode151s\n", "s.yaml:4", "entry 2 of solvers",
              "'ode151s'", "allowed: ", "ode45", "did you mean 'ode15s'?");
  refuse_text("model: monopod\nstrategies: [evnt]\n", "s.yaml:2", "strategies", "mean 'event'?");
  refuse("options: {adhesion: litteral}\n", "s.yaml:6", "options.adhesion: unknown word 'litteral'",
         "allowed: literal, clamp", "did you mean 'literal'?");
  refuse("jacobian: analitic\n", "s.yaml:6", "allowed: differences, analytic", "'analytic'?");
  refuse("reference: exact\n", "s.yaml:6", "allowed: certified, paper");
  refuse("points: percell\n", "s.yaml:6", "did you mean 'per-cell'?");
  refuse("width: 2\n", "s.yaml:6", "allowed: 0, 1, 4, 8");
  refuse("jacobian: \"two\\nlines\"\n", "s.yaml:6", "'two lines'");
  refuse("jacobian: 1\n", "s.yaml:6", "unknown word '1'"); /* no ranks for words */
  refuse("cells:\n  columns: [b, m2]\n  rows: [[1, 2]]\n", "s.yaml:7", "entry 2 of cells.columns",
         "allowed: b, m1, k, f, zeta_F, zeta_G, y1, v1, y2, v2", "did you mean 'm1'?");
}

static void a_value_of_the_wrong_kind_is_refused(void)
{
  refuse("mesh: [1]\n", "s.yaml:6", "mesh: a list", "expected: a number");
  refuse("mesh:\n  a: 1\n", "s.yaml:7", "mesh: a mapping", "expected: a number");
  refuse("mesh:\n", "s.yaml:6", "mesh: nothing", "expected: a number");
  refuse("mesh: \"1\\e[31m\"\n", "s.yaml:6", "the character U+001B");
  refuse("mesh: fine\n", "s.yaml:6", "mesh: 'fine' is not a number");
  refuse("title: [a]\n", "s.yaml:6", "title: a list", "expected: text");
  refuse("points: [global]\n", "s.yaml:6", "points: a list", "expected: a word");
  refuse("options: clamp\n", "s.yaml:6", "options: a single value", "expected: a mapping");
  refuse("divergence: [0.05]\n", "s.yaml:6", "divergence: a list", "expected: a mapping");
  refuse("cells: 5\n", "s.yaml:6", "cells: a single value", "expected: a mapping");
  refuse("cells: {columns: [b], rows: 5}\n", "s.yaml:6", "cells.rows", "expected: a list");
  refuse("cells:\n  columns: [b]\n  rows:\n  - 5\n", "s.yaml:9", "entry 1 of cells.rows",
         "expected: a list of numbers");
  refuse_text("model: monopod\nsolvers: ode45\n", "s.yaml:2", "solvers: a single value",
              "expected: a list");
  refuse_text("model: [monopod]\n", "s.yaml:1", "model: a list", "expected: a word");
}

static void a_list_of_the_wrong_length_is_refused(void)
{
  refuse_text("model: monopod\nsolvers: []\n", "s.yaml:2", "solvers: a list of 0", "1 to 48");
  refuse_text("model: monopod\nstrategies:\n  []\n", "s.yaml:3", "strategies: a list of 0");
  refuse_text("model: monopod\nrtol: []\n", "s.yaml:2", "rtol: a list of 0");
  refuse("divergence: {epsilon: []}\n", "s.yaml:6", "divergence.epsilon: a list of 0");
  refuse("cells: {columns: [], rows: [[1]]}\n", "s.yaml:6", "cells.columns: a list of 0");
  refuse("cells: {columns: [b], rows: []}\n", "s.yaml:6", "cells.rows: a list of 0", "1 or more");
  refuse("cells:\n  columns: [b, m1]\n  rows:\n  - [1, 2]\n  - [1]\n", "s.yaml:10",
         "entry 2 of cells.rows: a list of 1", "2, one for each column");
  refuse("cells:\n  columns: [b, m1]\n  rows:\n  - [1, 2, 3]\n", "s.yaml:9",
         "entry 1 of cells.rows: a list of 3", "2, one for each column");
}

static void too_many_configs_are_refused(void)
{
  char text[2000] = "model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [event]\n"
                    "rtol:\n  [1e-3";
  for (int i = 0; i < SAL_MAX_LIST; ++i) sprintf(text + strlen(text), ", 1.%03de-3", i + 1);
  text[strlen(text)] = ']';
  refuse_text(text, "s.yaml:6", "rtol: a list of 49", "1 to 48");
}

static void a_number_inside_a_list_is_found(void)
{
  refuse_text("model: monopod\nrtol: [1e-3,\n  tiny]\n", "s.yaml:3",
              "entry 2 of rtol: 'tiny' is not a number");
  refuse("cells:\n  columns: [b, m1]\n  rows:\n  - [1, 2]\n  - [1,\n     x]\n", "s.yaml:11",
         "m1: 'x' is not a number");
}

SAL_TEST_MAIN("load", NULL, {"an unknown key is refused", an_unknown_key_is_refused},
              {"an unknown key below is refused", an_unknown_key_below_is_refused},
              {"a missing key is refused", a_missing_key_is_refused},
              {"an unknown word is refused", an_unknown_word_is_refused},
              {"a value of the wrong kind is refused", a_value_of_the_wrong_kind_is_refused},
              {"a list of the wrong length is refused", a_list_of_the_wrong_length_is_refused},
              {"too many configurations are refused", too_many_configs_are_refused},
              {"a number inside a list is found", a_number_inside_a_list_is_found})
