/** C of a program: each operation is its text in program_ops.def, with values in place of its letters. */
#include "c_source.h"
#include "base.h"
#include "program_source.h"

#define SAL_PROGRAM_OP(name, operands, does, range) #does,
static const char *const operation[] = {
    "",
#include "program_ops.def"
};
#undef SAL_PROGRAM_OP

static const sal_source_language lanes = {.operation = operation,
                                          .number = {"sal_set(", ")"},
                                          .nan = "NAN",
                                          .element = {"[", "]"},
                                          .inf = "INFINITY",
                                          .word = "s->p",
                                          .discrete = "s->q",
                                          .statement = "  const sal_v ",
                                          .end = ";\n"};

/* A right-hand side stands once in each stage of each pair, so a long one is called. */
enum { INLINE_WORK = 150, FUNCTION_WORK = 30 };

typedef sal_program_source writing;

static void add_code(writing *w) { sal_program_source_code(w); }
static void add_register(const writing *w, int reg) { sal_program_source_register(w, reg); }

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
  sal_program_source_begin(w, program, jump);
}

/* Cost of an evaluation of a right-hand side, in additions. */
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

static bool is_zero(const sal_program *p, int reg)
{
  const int i = reg - p->first_constant;

  return i >= 0 && i < p->n_constant && p->constant[i] == 0 && !signbit(p->constant[i]);
}

/* Zeros, of which a long row has most, are set by a loop. */
static void write_jacobian(writing *w)
{
  const sal_flow_programs *f = w->flow;
  int at = 0;

  sal_text_add(w->out,
               "static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])\n{\n"
               "  (void)s, (void)t, (void)y;\n  for (int i = 0; i < %d; ++i) J[i] = sal_set(0);\n",
               f->n_continuous * f->n_continuous);
  for (int part = 0; part < f->n_jac; ++part) {
    begin(w, &f->jac[part], false);
    sal_text_add(w->out, "  {\n");
    add_code(w);
    for (int i = 0; i < f->jac[part].n_out; ++i, ++at) {
      if (is_zero(&f->jac[part], f->jac[part].out[i])) continue;
      sal_text_add(w->out, "  J[%d] = ", at);
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
  if (f->n_jac > 0) write_jacobian(w);
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
  if (w->flow->contacts && w->flow->contacts->release)
    sal_text_add(w->out, "  sal_program_release(s, t, y, dy, gap, rate);\n");
  sal_text_add(w->out, "}\n\n");
}

/* Bounds of gaps are rarely needed, and compiling intervals takes as long as all else: the programs serve. */
static void write_range(writing *w)
{
  sal_text_add(w->out,
               "static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const "
               "sal_v y1[],\n"
               "                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v "
               "gap1[], sal_v rate0[],\n"
               "                  sal_v rate1[])\n{\n"
               "  const sal_flow_programs *f = s->inner;\n\n"
               "  f->SAL_WIDTH(w)->range(s, t0, t1, y0, y1, dy0, dy1, gap0, gap1, rate0, rate1);\n"
               "}\n\n");
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
  for (int k = 0; k < w->flow->n_guard; ++k)
    if (!w->flow->jump[k].joint) write_jump(w, k);
  sal_text_add(w->out,
               "static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])\n{\n");
  for (int k = 0; k < w->flow->n_guard; ++k)
    if (w->flow->jump[k].joint)
      sal_text_add(w->out, "  if (k == %d) sal_program_joint(s, k, lanes, t, y);\n", k);
    else
      sal_text_add(w->out, "  if (k == %d) jump_%d(s, lanes, t, y);\n", k, k);
  sal_text_add(w->out, "}\n\n");
}

void sal_c_source_write(const sal_flow_programs *flow, sal_text *out)
{
  static const char head[] =
      "/* Written from equations; kernels/model.h describes the functions. */\n"
      "#include \"contacts.c\"\n"
      "#include \"lane_functions.h\"\n"
      "#include \"program.h\"\n"
      "#include \"stages.h\"\n\n"
      "#define MASK(value) sal_bits(value)\n"
      "#define PUT(mask) sal_from_bits(mask)\n"
      "#define PHASE s\n"
      "#define CLOSING closing\n\n";
  writing w = {.in = &lanes, .flow = flow, .out = out};

  sal_text_add(out, "%s", head);
  write_flow(&w);
  if (flow->n_guard > 0) {
    write_guard(&w);
    write_range(&w);
    write_jumps(&w);
  }
  sal_text_add(out, "#define MEMBERS .by_time = by_time%s%s\n",
               flow->n_jac > 0 ? ", .jac = jac" : "",
               flow->n_guard > 0 ? ", .guard = guard, .range = range, .jump = jump" : "");
  sal_text_add(out, "#if %d <= SAL_PAIR_STATES && !defined SALTUS_POINTS\n", flow->n_continuous);
  sal_text_add(
      out,
      "SAL_FLOW_WITH_PAIRS(sal_text, %d, MEMBERS);\n#else\nSAL_FLOW(sal_text, %d, MEMBERS);\n"
      "#endif\n",
      flow->n_continuous, flow->n_continuous);
}
