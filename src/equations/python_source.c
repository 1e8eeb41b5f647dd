/** @file src/equations/python_source.c
 *  Operations in the words of Python and NumPy.
 */
#include "python_source.h"
#include "program_source.h"

static const char *const operation[SAL_N_PROGRAM_OP] = {
    [SAL_PROGRAM_add] = "A + B",
    [SAL_PROGRAM_sub] = "A - B",
    [SAL_PROGRAM_mul] = "A * B",
    [SAL_PROGRAM_div] = "np.divide(A, B)",
    [SAL_PROGRAM_neg] = "-A",
    [SAL_PROGRAM_abs] = "abs(A)",
    [SAL_PROGRAM_sqrt] = "np.sqrt(A)",
    [SAL_PROGRAM_min] = "min(A, B)",
    [SAL_PROGRAM_max] = "max(A, B)",
    [SAL_PROGRAM_select] = "B if A else C",
    [SAL_PROGRAM_lt] = "A < B",
    [SAL_PROGRAM_le] = "A <= B",
    [SAL_PROGRAM_gt] = "A > B",
    [SAL_PROGRAM_ge] = "A >= B",
    [SAL_PROGRAM_eq] = "A == B",
    [SAL_PROGRAM_ne] = "A != B",
    [SAL_PROGRAM_and] = "A and B",
    [SAL_PROGRAM_or] = "A or B",
    [SAL_PROGRAM_not] = "not A",
    [SAL_PROGRAM_closed] = "is_closed(mode, INDEX_B, A)",
    [SAL_PROGRAM_held] = "mode is not None and mode[INDEX_A]",
    [SAL_PROGRAM_frozen] = "mode is not None",
    [SAL_PROGRAM_rests] = "False",
    [SAL_PROGRAM_closing] = "closing",
    [SAL_PROGRAM_sin] = "np.sin(A)",
    [SAL_PROGRAM_cos] = "np.cos(A)",
    [SAL_PROGRAM_tan] = "np.tan(A)",
    [SAL_PROGRAM_asin] = "np.arcsin(A)",
    [SAL_PROGRAM_acos] = "np.arccos(A)",
    [SAL_PROGRAM_atan] = "np.arctan(A)",
    [SAL_PROGRAM_atan2] = "np.arctan2(A, B)",
    [SAL_PROGRAM_sinh] = "np.sinh(A)",
    [SAL_PROGRAM_cosh] = "np.cosh(A)",
    [SAL_PROGRAM_tanh] = "np.tanh(A)",
    [SAL_PROGRAM_exp] = "np.exp(A)",
    [SAL_PROGRAM_log] = "np.log(A)",
    [SAL_PROGRAM_pow] = "np.float_power(A, B)",
    [SAL_PROGRAM_spacing] = "np.spacing(abs(A))",
};

static const sal_source_language python = {.operation = operation,
                                           .number = {"", ""},
                                           .nan = "np.nan",
                                           .inf = "np.inf",
                                           .word = "P",
                                           .discrete = "q",
                                           .statement = "    ",
                                           .end = "\n"};

static bool is_known(const sal_program *program)
{
  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i)
    if (!operation[i->op]) return false;
  return true;
}

const char *sal_python_source_lacks(const sal_flow_programs *f)
{
  bool known = is_known(&f->rhs) && is_known(&f->guard);

  for (int k = 0; k < f->n_guard; ++k) known = known && is_known(&f->jump[k].program);
  return known ? NULL : "a table";
}

/* "    return [a, b]" of results from the first-th on. */
static void add_list(const sal_program_source *w, int first, int n)
{
  sal_text_add(w->out, "    return [");
  for (int i = 0; i < n; ++i) {
    sal_text_add(w->out, i ? ", " : "");
    sal_program_source_register(w, w->program->out[first + i]);
  }
  sal_text_add(w->out, "]\n\n\n");
}

static void write_jump(sal_program_source *w, int k)
{
  const sal_jump_program *j = &w->flow->jump[k];

  sal_program_source_begin(w, &j->program, true);
  sal_text_add(w->out, "def jump_%d(t, y, mode):\n    closing = mode[%d]\n", k, k);
  sal_program_source_code(w);
  sal_text_add(w->out, "    y, mode = list(y), list(mode)\n");
  for (int i = 0; i < j->n_value; ++i) {
    sal_text_add(w->out, "    new_%d = ", i);
    sal_program_source_register(w, j->program.out[i]);
    sal_text_add(w->out, "\n");
  }
  for (int i = 0; i < j->n_mode; ++i) {
    sal_text_add(w->out, "    mode[%d] = bool(", j->mode[i]);
    sal_program_source_register(w, j->program.out[j->n_value + i]);
    sal_text_add(w->out, ")\n");
  }
  for (int i = 0; i < j->n_value; ++i) sal_text_add(w->out, "    y[%d] = new_%d\n", j->value[i], i);
  sal_text_add(w->out, "    return y, mode\n\n\n");
}

void sal_python_source_write(const sal_flow_programs *f, sal_text *out)
{
  sal_program_source w = {.in = &python, .flow = f, .out = out};

  sal_text_add(out, "def is_closed(mode, k, gap):\n"
                    "    return gap <= 0 if mode is None else mode[k]\n\n\n"
                    "def f(t, y, q, mode):\n");
  sal_program_source_begin(&w, &f->rhs, false);
  sal_program_source_code(&w);
  add_list(&w, 0, f->n_continuous);
  sal_text_add(out, "def gaps(t, y, q, mode):\n    dy = f(t, y, q, mode)\n");
  sal_program_source_begin(&w, &f->guard, false);
  sal_program_source_code(&w);
  add_list(&w, 0, f->n_guard);
  for (int k = 0; k < f->n_guard; ++k) write_jump(&w, k);
  sal_text_add(out, "def jump(k, t, y, mode):\n    return [");
  for (int k = 0; k < f->n_guard; ++k) sal_text_add(out, "%sjump_%d", k ? ", " : "", k);
  sal_text_add(out, "][k](t, y, mode)\n\n\n");
}
