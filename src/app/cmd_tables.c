/** @file src/app/cmd_tables.c
 *  saltus tables: Tables 2-5 of the paper from a cube, and how they compare with the printed ones.
 */
#include "command.h"
#include "cube_read.h"
#include "map.h"
#include "paper_fit.h"
#include "score_table.h"
#include "stiffness_table.h"

typedef struct {
  const char *path, *weights;
  bool fit, all, json;
} options;
static const options presets = {.weights = "sd=2,dt=0,iae=1"};

enum { SHOWN_CELLS = 40 };

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"cube", 0, "CUBE.h5", "the cube", SAL_CLI_ARGUMENT, AT(path), .missing = "which cube?"},
    {"weights", 'w', "sd=2,dt=0,iae=1", "weights of eq. (36) for Table 5; those not named are 0",
     SAL_CLI_TEXT, AT(weights)},
    {"paper-fit", 'p', NULL, "print our points beside the published ones, with rms and correlation",
     SAL_CLI_FLAG, AT(fit)},
    {"all", 'a', NULL, "all cells in Table 2, not the first 40", SAL_CLI_FLAG, AT(all)},
    {"json", 'j', NULL, "print one line of JSON: Tables 2 to 5 of all cells", SAL_CLI_FLAG,
     AT(json)},
    {.help = NULL}};

static sal_err check_tables(void *given)
{
  const options *o = given;
  sal_weights weights;

  if (o->json && o->fit) return sal_fail(SAL_ERR_USAGE, "--json or --paper-fit, not both");
  return sal_map_weights_parse("--weights", o->weights, &weights);
}

static void print_text(const options *o, const sal_cube *cube, const sal_weights *weights)
{
  printf("%s\n", *cube->title ? cube->title : o->path);
  if (o->fit) {
    sal_paper_fit_print(stdout, cube);
    return;
  }
  sal_stiffness_table_print(stdout, cube, o->all ? cube->n_cell : SHOWN_CELLS);
  sal_score_table_points(stdout, cube);
  sal_score_table_total(stdout, cube, weights);
  sal_score_table_published(stdout);
}

static sal_err run_tables(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_cube cube = {0};
  sal_weights weights;

  (void)call;
  SAL_TRY(sal_map_weights_parse("--weights", o->weights, &weights));
  SAL_TRY(sal_cube_read(o->path, &cube));
  if (o->json)
    sal_score_table_json(stdout, &cube, &weights);
  else
    print_text(o, &cube, &weights);
  sal_cube_free(&cube);
  return SAL_OK;
}

const sal_command sal_cmd_tables = {
    .name = "tables",
    .group = SAL_COMMAND_LOOK,
    .summary = "print the tables of the paper from a cube",
    .description = "Print what Tables 2-5 of Dallas, Machairas, Papadopoulos print, from a cube: "
                   "stiffness of the cells (published and corrected), points per solver, strategy "
                   "and rtol, and the weighted sum of eq. (36).",
    .notes = "",
    .examples = "  saltus tables results/dallas2017.h5 --weights sd=2,dt=0,iae=1",
    .table = {{rows, 0}},
    .size = sizeof(options),
    .presets = &presets,
    .check = check_tables,
    .run = run_tables};
