/** @file src/equations/c_source.c
 *  What an operation does is the text of program_ops.def, with values in place of its letters.
 */
#include "c_source.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAL_PROGRAM_OP(name, operands, ...) #__VA_ARGS__,
static const char *const operation[] = {
    "",
#include "program_ops.def"
};
#undef SAL_PROGRAM_OP

/* A right-hand side stands once in each stage of each pair, so a long one is called. */
enum { INLINE_WORK = 150, FUNCTION_WORK = 30 };

/** Where the registers of a program are. */
typedef struct {
  const sal_flow_programs *flow;
  const sal_program *program;
  bool jump;   /* y holds the discrete states, too */
  int *value;  /* [SAL_PROGRAM_REGISTERS] number of the value that a register holds now */
  int n_value; /* values so far */
  sal_text *out;
} writing;

/* The shortest text that is read as this very number. */
static void add_number(sal_text *out, double x)
{
  char text[40];

  if (isnan(x)) {
    sal_text_add(out, "sal_set(NAN)");
    return;
  }
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    double back;
    if (sscanf(text, "%lf", &back) == 1 && back == x) break;
  }
  if (isinf(x)) snprintf(text, sizeof text, "%sINFINITY", x < 0 ? "-" : "");
  sal_text_add(out, "sal_set(%s%s)", text, strpbrk(text, ".eIN") ? "" : ".0");
}

static void add_register(const writing *w, int reg)
{
  const sal_flow_programs *f = w->flow;
  const int y = f->n_words, q = y + f->n_continuous, t = q + f->n_discrete, dy = t + 1;
  const int constant = w->program->first_constant;

  if (reg < y)
    sal_text_add(w->out, "s->p[%d]", reg);
  else if (reg < q)
    sal_text_add(w->out, "y[%d]", reg - y);
  else if (reg < t)
    sal_text_add(w->out, w->jump ? "y[%d]" : "s->q[%d]", reg - (w->jump ? y : q));
  else if (reg == t)
    sal_text_add(w->out, "t");
  else if (reg < constant)
    sal_text_add(w->out, "dy[%d]", reg - dy);
  else if (reg < constant + w->program->n_constant)
    add_number(w->out, w->program->constant[reg - constant]);
  else
    sal_text_add(w->out, "v%d", w->value[reg]);
}

/* One word of an operation's text. */
static void add_word(const writing *w, const sal_instruction *i, int n, const char *word)
{
  static const char *const letter[] = {"A", "B", "C"}, *const number[] = {"INDEX_A", "INDEX_B"};
  const int operand[] = {i->a, i->b, i->c};

  for (int k = 0; k < 3; ++k)
    if (n == 1 && *word == *letter[k]) {
      add_register(w, operand[k]);
      return;
    }
  for (int k = 0; k < 2; ++k)
    if (n == 7 && memcmp(word, number[k], 7) == 0) {
      sal_text_add(w->out, "%d", operand[k]);
      return;
    }
  sal_text_append(w->out, word, (size_t)n);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void add_operation(const writing *w, const sal_instruction *i)
{
  for (const char *at = operation[i->op]; *at;) {
    int n = 1;
    if (is_word(*at)) {
      while (is_word(at[n])) ++n;
      add_word(w, i, n, at);
    } else {
      sal_text_append(w->out, at, 1);
    }
    at += n;
  }
}

/* The statements of a program; its results are in the registers after it. */
static void add_code(writing *w)
{
  for (const sal_instruction *i = w->program->code; i && i->op != SAL_PROGRAM_end; ++i) {
    sal_text_add(w->out, "  const sal_v v%d = ", w->n_value);
    add_operation(w, i);
    sal_text_add(w->out, ";\n");
    w->value[i->to] = w->n_value++;
  }
}

/* "  TO[i] = result;" for n results from the first-th on. */
static void add_results(const writing *w, const char *to, int first, int n)
{
  for (int i = 0; i < n; ++i) {
    sal_text_add(w->out, "  %s[%d] = ", to, i);
    add_register(w, w->program->out[first + i]);
    sal_text_add(w->out, ";\n");
  }
}

static void begin(writing *w, const sal_program *program, bool jump)
{
  w->program = program;
  w->jump = jump;
  w->n_value = 0;
}

/* What a right-hand side costs where it stands, in additions. */
static int work_of(const sal_program *program)
{
  int work = 0;

  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i)
    work += strstr(operation[i->op], "sal_lane_") || i->op == SAL_PROGRAM_table ? FUNCTION_WORK : 1;
  return work;
}

/* A function of t and y that sets to [n]. */
static void write_function(writing *w, const sal_program *program, const char *kind,
                           const char *name, const char *to, int n)
{
  begin(w, program, false);
  sal_text_add(w->out, "%s void %s(const sal_phase *s, sal_v t, const sal_v y[], sal_v %s[])\n{\n",
               kind, name, to);
  sal_text_add(w->out, "  (void)s, (void)t, (void)y;\n");
  add_code(w);
  add_results(w, to, 0, n);
  sal_text_add(w->out, "}\n\n");
}

static void write_jacobian(writing *w)
{
  const sal_flow_programs *f = w->flow;
  int at = 0;

  sal_text_add(w->out,
               "static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])\n{\n"
               "  (void)s, (void)t, (void)y;\n");
  for (int part = 0; part < f->n_jac; ++part) {
    begin(w, &f->jac[part], false);
    sal_text_add(w->out, "  {\n");
    add_code(w);
    for (int i = 0; i < f->jac[part].n_out; ++i) {
      sal_text_add(w->out, "  J[%d] = ", at++);
      add_register(w, f->jac[part].out[i]);
      sal_text_add(w->out, ";\n");
    }
    sal_text_add(w->out, "  }\n");
  }
  sal_text_add(w->out, "}\n\n");
}

static void write_flow(writing *w)
{
  const sal_flow_programs *f = w->flow;
  const int n = f->n_continuous;

  write_function(w, &f->rhs, work_of(&f->rhs) > INLINE_WORK ? "static" : "SAL_INLINE", "rhs", "dy",
                 n);
  write_jacobian(w);
  write_function(w, &f->by_time, "static", "by_time", "T", n);
}

static void write_guard(writing *w)
{
  const int n = w->flow->n_guard;

  begin(w, &w->flow->guard, false);
  sal_text_add(w->out,
               "static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], "
               "sal_v gap[],\n"
               "                  sal_v rate[])\n{\n  (void)s, (void)t, (void)y, (void)dy;\n");
  add_code(w);
  add_results(w, "gap", 0, n);
  add_results(w, "rate", n, n);
  sal_text_add(w->out, "}\n\n");
}

/* All results are made of what was before, so they have names of their own. */
static void write_jump(writing *w, int k)
{
  const sal_jump_program *j = &w->flow->jump[k];

  begin(w, &j->program, true);
  sal_text_add(w->out, "static void jump_%d(sal_phase *s, sal_m lanes, sal_v t, sal_v y[])\n{\n",
               k);
  sal_text_add(
      w->out,
      "  const sal_m closing = lanes & s->closed[%d];\n  (void)t, (void)y, (void)closing;\n", k);
  add_code(w);
  for (int i = 0; i < j->n_value + j->n_mode; ++i) {
    sal_text_add(w->out, "  const sal_v new%d = ", i);
    add_register(w, j->program.out[i]);
    sal_text_add(w->out, ";\n");
  }
  for (int i = 0; i < j->n_value; ++i)
    sal_text_add(w->out, "  y[%d] = sal_sel(lanes, new%d, y[%d]);\n", j->value[i], i, j->value[i]);
  for (int i = 0; i < j->n_mode; ++i)
    sal_text_add(w->out, "  s->closed[%d] = sal_pick(lanes, MASK(new%d), s->closed[%d]);\n",
                 j->mode[i], j->n_value + i, j->mode[i]);
  sal_text_add(w->out, "}\n\n");
}

static void write_jumps(writing *w)
{
  for (int k = 0; k < w->flow->n_guard; ++k) write_jump(w, k);
  sal_text_add(w->out,
               "static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])\n{\n");
  for (int k = 0; k < w->flow->n_guard; ++k)
    sal_text_add(w->out, "  if (k == %d) jump_%d(s, lanes, t, y);\n", k, k);
  sal_text_add(w->out, "}\n\n");
}

void sal_c_source_write(const sal_flow_programs *flow, sal_text *out)
{
  static const char head[] =
      "/* Written from equations; kernels/model.h says what the functions do. */\n"
      "#include \"contacts.c\"\n"
      "#include \"lane_functions.h\"\n"
      "#include \"program.h\"\n"
      "#include \"stages.h\"\n\n"
      "#define MASK(value) sal_bits(value)\n"
      "#define PUT(mask) sal_from_bits(mask)\n"
      "#define PHASE s\n"
      "#define CLOSING closing\n\n";
  int value[SAL_PROGRAM_REGISTERS];
  writing w = {.flow = flow, .value = value, .out = out};

  sal_text_add(out, "%s", head);
  write_flow(&w);
  if (flow->n_guard > 0) {
    write_guard(&w);
    write_jumps(&w);
  }
  const char *more = flow->n_guard > 0 ? ", .guard = guard, .jump = jump" : "";
  sal_text_add(out, "#if %d <= SAL_PAIR_STATES && !defined SALTUS_POINTS\n", flow->n_continuous);
  sal_text_add(out, "SAL_FLOW_WITH_PAIRS(sal_text, %d, .jac = jac, .by_time = by_time%s);\n",
               flow->n_continuous, more);
  sal_text_add(out, "#else\nSAL_FLOW(sal_text, %d, .jac = jac, .by_time = by_time%s);\n#endif\n",
               flow->n_continuous, more);
}
