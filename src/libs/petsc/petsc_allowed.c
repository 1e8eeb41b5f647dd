/** The table of options, and the reader of their text.
 *
 *  Bounds keep PETSc from what its own checks miss: sums of sizes that overflow, and arrays of any
 *  length that a number requests.  They are wider than useful values.
 */
#include "base.h"
#include "petsc_calls.h"
#include "petsc_engine.h"
#include <ctype.h>
#include <limits.h>
#include <strings.h>

typedef enum {
  WORD,   /* one of `words` */
  TRUTH,  /* true, false, or nothing, which is true */
  WHOLE,  /* a whole number from least to most */
  NUMBER, /* up to `n` plain decimals from least to most, by commas */
  TAKEN   /* refused: each run sets it from the key words[0] of the sweep */
} value_type;

typedef struct {
  const char *name;
  value_type type;
  double least, most;
  int n;
  const char *const *words; /* ended by NULL */
} allowed;

#define A_WORD(option, ...)                                                                        \
  {                                                                                                \
    .name = (option), .type = WORD, .words = (const char *const[]) { __VA_ARGS__, NULL }           \
  }
#define A_KEY(option, key)                                                                         \
  {                                                                                                \
    .name = (option), .type = TAKEN, .words = (const char *const[]) { key, NULL }                  \
  }
#define A_TRUTH(option)                                                                            \
  {                                                                                                \
    .name = (option), .type = TRUTH                                                                \
  }
#define A_WHOLE(option, low, high)                                                                 \
  {                                                                                                \
    .name = (option), .type = WHOLE, .least = (low), .most = (high), .n = 1                        \
  }
#define NUMBERS(option, low, high, count)                                                          \
  {                                                                                                \
    .name = (option), .type = NUMBER, .least = (low), .most = (high), .n = (count)                 \
  }
#define A_NUMBER(option, low, high) NUMBERS(option, low, high, 1)
#define ANY 1e300
#define FEW 10000 /* of a count */

static const allowed table[] = {
    A_WORD("-ts_type", "euler", "beuler", "cn", "theta", "rk", "ssp", "rosw", "arkimex", "bdf",
           "alpha", "eimex", "irk", "glee", "pseudo", "alpha2", "basicsymplectic", "mprk", "mimex",
           "discgrad"),
    A_WORD("-ts_rk_type", "1fe", "2a", "2b", "3", "3bs", "4", "5f", "5dp", "5bs", "6vr", "7vr",
           "8vr"),
    A_WORD("-ts_rosw_type", "2m", "2p", "ra3pw", "ra34pw2", "rodas3", "sandu3", "assp3p3s1c",
           "lassp3p4s2c", "llssp3p4s2c", "ark3", "theta1", "theta2", "grk4t", "shamp4", "veldd4",
           "4l"),
    A_TRUTH("-ts_rosw_recompute_jacobian"),
    A_WORD("-ts_arkimex_type", "1bee", "a2", "l2", "ars122", "2c", "2d", "2e", "prssp2", "3",
           "bpr3", "ars443", "4", "5"),
    A_TRUTH("-ts_arkimex_fully_implicit"),
    A_TRUTH("-ts_arkimex_initial_guess_extrapolate"),
    A_WHOLE("-ts_bdf_order", 1, 6),
    A_NUMBER("-ts_theta_theta", 1e-6, 1),
    A_TRUTH("-ts_theta_endpoint"),
    A_TRUTH("-ts_theta_initial_guess_extrapolate"),
    A_NUMBER("-ts_alpha_radius", 0, 1),
    A_NUMBER("-ts_alpha_alpha_m", -10, 10),
    A_NUMBER("-ts_alpha_alpha_f", -10, 10),
    A_NUMBER("-ts_alpha_gamma", -10, 10),
    A_WORD("-ts_ssp_type", "rks2", "rks3", "rk104"),
    A_WHOLE("-ts_ssp_nstages", 2, 400),
    A_WORD("-ts_irk_type", "gauss"),
    A_WHOLE("-ts_irk_nstages", 1, 12),
    A_WHOLE("-ts_eimex_max_rows", 2, 20),
    A_TRUTH("-ts_eimex_order_adapt"),
    A_WORD("-ts_glee_type", "BE1", "23", "24", "25i", "35", "exrk2a", "rk32g1", "rk285ex"),
    A_NUMBER("-ts_dt", 1e-300, ANY),
    A_WORD("-ts_adapt_type", "none", "basic", "dsp", "glee"),
    A_NUMBER("-ts_adapt_safety", 1e-3, 1),
    A_NUMBER("-ts_adapt_reject_safety", 1e-3, 1),
    NUMBERS("-ts_adapt_clip", 1e-6, 1e6, 2),
    A_NUMBER("-ts_adapt_scale_solve_failed", 1e-6, 1),
    A_NUMBER("-ts_adapt_dt_min", 0, ANY),
    A_NUMBER("-ts_adapt_dt_max", 1e-300, ANY),
    A_NUMBER("-ts_adapt_max_ignore", -1, ANY),
    A_TRUTH("-ts_adapt_always_accept"),
    A_TRUTH("-ts_adapt_glee_use_local"),
    A_WHOLE("-ts_adapt_time_step_increase_delay", 0, FEW),
    A_WORD("-ts_adapt_wnormtype", "2", "INFINITY"),
    A_WORD("-ts_adapt_dsp_filter", "basic", "PI30", "PI42", "PI33", "PI34", "PC11", "PC47", "PC36",
           "H0211", "H211b", "H211PI", "H0312", "H312b", "H312PID", "H0321", "H321"),
    NUMBERS("-ts_adapt_dsp_pid", -10, 10, 3),
    A_WHOLE("-ts_max_reject", -1, FEW),
    A_WHOLE("-ts_max_snes_failures", -1, FEW),
    A_TRUTH("-ts_error_if_step_fails"),
    A_NUMBER("-ts_event_tol", 1e-300, ANY),
    A_NUMBER("-ts_event_post_eventinterval_step", 1e-300, ANY),
    A_NUMBER("-ts_event_post_event_step", 1e-300, ANY),
    A_NUMBER("-ts_event_dt_min", 0, ANY),
    A_KEY("-ts_rtol", "rtol"),
    A_KEY("-ts_atol", "rtol"),
    A_KEY("-ts_max_time", "t_end"),
    A_KEY("-ts_init_time", "t_end"),
    A_KEY("-ts_max_steps", "t_end"),
    A_KEY("-ts_time_span", "t_end"),
    A_KEY("-ts_final_time", "t_end"),
    A_KEY("-ts_exact_final_time", "t_end"),
    A_KEY("-ts_time_step", "max_step"),

    A_WORD("-snes_type", "newtonls", "newtontr", "ksponly", "nrichardson", "anderson", "ngmres",
           "qn"),
    A_NUMBER("-snes_rtol", 0, 1),
    A_NUMBER("-snes_atol", 0, ANY),
    A_NUMBER("-snes_stol", 0, 1),
    A_NUMBER("-snes_divergence_tolerance", -1, ANY),
    A_WHOLE("-snes_max_it", 1, FEW),
    A_WHOLE("-snes_max_funcs", -1, INT_MAX),
    A_WHOLE("-snes_max_fail", -1, FEW),
    A_WHOLE("-snes_max_linear_solve_fail", -1, FEW),
    A_TRUTH("-snes_force_iteration"),
    A_WHOLE("-snes_lag_jacobian", -2, FEW),
    A_TRUTH("-snes_lag_jacobian_persists"),
    A_WHOLE("-snes_lag_preconditioner", -2, FEW),
    A_TRUTH("-snes_lag_preconditioner_persists"),
    A_WORD("-snes_convergence_test", "default", "skip"),
    A_WORD("-snes_linesearch_type", "basic", "bt", "l2", "cp", "nleqerr"),
    A_WHOLE("-snes_linesearch_order", 1, 3),
    A_WHOLE("-snes_linesearch_max_it", 1, FEW),
    A_NUMBER("-snes_linesearch_damping", 1e-6, 2),
    A_NUMBER("-snes_linesearch_alpha", 0, 1),
    A_NUMBER("-snes_linesearch_maxstep", 1e-300, ANY),
    A_NUMBER("-snes_linesearch_minlambda", 0, 1),
    A_NUMBER("-snes_linesearch_rtol", 0, 1),
    A_NUMBER("-snes_linesearch_atol", 0, ANY),
    A_NUMBER("-snes_linesearch_ltol", 0, 1),
    A_TRUTH("-snes_ksp_ew"),
    A_WHOLE("-snes_ksp_ew_version", 1, 3),
    A_NUMBER("-snes_ksp_ew_rtol0", 0, 1),
    A_NUMBER("-snes_ksp_ew_rtolmax", 0, 1),
    A_NUMBER("-snes_ksp_ew_gamma", 0, 1),
    A_NUMBER("-snes_ksp_ew_alpha", 1, 2),
    A_NUMBER("-snes_ksp_ew_threshold", 0, 1),

    A_WORD("-ksp_type", "preonly", "none", "richardson", "gmres", "fgmres", "lgmres", "gcr", "bcgs",
           "bcgsl", "ibcgs", "bicg", "cgs", "tfqmr", "tcqmr", "cg", "cr", "minres", "symmlq"),
    A_NUMBER("-ksp_rtol", 0, 1),
    A_NUMBER("-ksp_atol", 0, ANY),
    A_NUMBER("-ksp_divtol", 1e-300, ANY),
    A_WHOLE("-ksp_max_it", 1, FEW),
    A_WHOLE("-ksp_gmres_restart", 1, 1000),
    A_TRUTH("-ksp_gmres_classicalgramschmidt"),
    A_TRUTH("-ksp_gmres_modifiedgramschmidt"),
    A_NUMBER("-ksp_richardson_scale", 1e-6, 1e6),
    A_TRUTH("-ksp_initial_guess_nonzero"),
    A_TRUTH("-ksp_knoll"),
    A_TRUTH("-ksp_diagonal_scale"),
    A_TRUTH("-ksp_diagonal_scale_fix"),
    A_TRUTH("-ksp_reuse_preconditioner"),
    A_WORD("-ksp_norm_type", "none", "preconditioned", "unpreconditioned", "natural"),
    A_WORD("-ksp_pc_side", "left", "right", "symmetric"),
    A_TRUTH("-ksp_error_if_not_converged"),

    A_WORD("-pc_type", "none", "lu", "qr", "jacobi", "sor"),
    A_WORD("-pc_factor_shift_type", "none", "nonzero", "positive_definite", "inblocks"),
    A_NUMBER("-pc_factor_shift_amount", 0, ANY),
    A_NUMBER("-pc_factor_zeropivot", 0, 1),
    A_WORD("-pc_jacobi_type", "diagonal", "rowmax", "rowsum"),
    A_TRUTH("-pc_jacobi_abs"),
    A_NUMBER("-pc_sor_omega", 0, 2),
    A_WHOLE("-pc_sor_its", 1, 1000),
};
enum { N_ALLOWED = sizeof table / sizeof *table };
_Static_assert((int)N_ALLOWED <= (int)SAL_PETSC_ALLOWED_MOST, "the list of names has room");

int sal_petsc_allowed_names(const char *names[SAL_PETSC_ALLOWED_MOST + 1])
{
  int n = 0;

  for (int i = 0; i < N_ALLOWED; ++i)
    if (table[i].type != TAKEN) names[n++] = table[i].name;
  names[n] = NULL;
  return n;
}

enum { LONGEST = 64 };

/* The next word of *text, ended by blanks, into `word`; false after the last one.  One that is longer than
 * any name or value ends in dots, which makes it neither. */
static bool next_word(const char **text, char word[LONGEST])
{
  const char *from = *text;

  while (isspace((unsigned char)*from)) ++from;
  const char *to = from;
  while (*to && !isspace((unsigned char)*to)) ++to;
  const bool long_one = to - from >= LONGEST - 3;
  snprintf(word, LONGEST, "%.*s%s", (int)(long_one ? LONGEST - 4 : to - from), from,
           long_one ? ".." : "");
  *text = to;
  return to > from;
}

/* "-1" and "-.5" are values. */
static bool is_name(const char *word) { return word[0] == '-' && !strchr("0123456789.", word[1]); }

static sal_err fail_value(const char *where, const allowed *a, const char *found,
                          const char *expected)
{
  return sal_fail(SAL_ERR_INPUT, "%s: %s: '%.200s'; expected: %s", where, a->name, found, expected);
}

/* A plain decimal, whole where it has to be; the rest of the text after it, or NULL. */
static const char *read_number(const char *text, bool whole, double *out)
{
  const size_t n = strspn(text, whole ? "+-0123456789" : "+-.0123456789eE");
  char *end;

  *out = strtod(text, &end);
  return n > 0 && end == text + n && isfinite(*out) ? end : NULL;
}

static sal_err take_numbers(const char *where, const allowed *a, const char *value)
{
  const bool whole = a->type == WHOLE;
  const char *at = value;
  char expected[128];
  bool fits = false;

  for (int i = 0; at && i < a->n; ++i) {
    double number;
    at = read_number(at, whole, &number);
    fits = at && number >= a->least && number <= a->most;
    if (!fits || *at != ',') break;
    ++at;
  }
  if (fits && *at == '\0') return SAL_OK;
  snprintf(expected, sizeof expected, "%s from %g to %g",
           whole      ? "a whole number"
           : a->n > 1 ? "numbers with commas between them, each"
                      : "a number",
           a->least, a->most);
  return fail_value(where, a, value, expected);
}

/* The word in the table's own spelling: PETSc distinguishes capitals in some lists, and not in others. */
static sal_err take_word(const char *where, const allowed *a, const char *value, const char **word)
{
  for (int i = 0; a->words[i]; ++i)
    if (strcasecmp(a->words[i], value) == 0) {
      *word = a->words[i];
      return SAL_OK;
    }
  return sal_text_unknown(SAL_ERR_INPUT, where, a->name, value, a->words);
}

static sal_err take_truth(const char *where, const allowed *a, const char *value)
{
  static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "1", "0", NULL};

  for (int i = 0; words[i]; ++i)
    if (strcasecmp(words[i], value) == 0) return SAL_OK;
  return fail_value(where, a, value, "true, false or nothing");
}

static sal_err take_value(const char *where, const allowed *a, const char **value)
{
  if (a->type == TAKEN)
    return sal_fail(SAL_ERR_INPUT, "%s: %s: set it by the sweep's key `%s'", where, a->name,
                    a->words[0]);
  if (!*value) return a->type == TRUTH ? SAL_OK : fail_value(where, a, "", "a value after it");
  if (a->type == WORD) return take_word(where, a, *value, value);
  return a->type == TRUTH ? take_truth(where, a, *value) : take_numbers(where, a, *value);
}

static sal_err find_name(const char *where, const char *word, const allowed **out)
{
  const char *names[SAL_PETSC_ALLOWED_MOST + 1];

  for (int i = 0; i < N_ALLOWED; ++i)
    if (strcmp(table[i].name, word) == 0) {
      *out = &table[i];
      return SAL_OK;
    }
  sal_petsc_allowed_names(names);
  (void)sal_text_unknown(SAL_ERR_INPUT, where, "option of PETSc", word, names);
  sal_err_add(
      "; what no file may set is for --petsc-options and the environment variable PETSC_OPTIONS");
  return SAL_ERR_INPUT;
}

sal_err sal_petsc_allowed_set(const char *where, const char *text, PetscOptions out)
{
  char name[LONGEST], word[LONGEST];
  const allowed *a = NULL;
  bool there = next_word(&text, name);

  while (there) {
    const char *value = NULL;
    SAL_TRY(find_name(where, name, &a));
    there = next_word(&text, word);
    if (there && !is_name(word)) value = word;
    SAL_TRY(take_value(where, a, &value));
    if (PetscOptionsSetValue(out, a->name, value))
      return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
    if (value) there = next_word(&text, word);
    memcpy(name, word, sizeof name);
  }
  return SAL_OK;
}
