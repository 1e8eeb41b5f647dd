/** @file src/app/cmd_export.c
 *  saltus export: a model of equations as a program of its own.
 */
#include "cli_run.h"
#include "command.h"
#include "memory.h"
#include "model_text.h"
#include "python_source.h"
#include "solver_home.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  sal_cli_run_words run;
  const char *to;
} options;
static const options presets = {.run = {SAL_CLI_RUN_PRESETS("dop853", "event", 1e-6)}};

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {{"to", 0, "PROGRAM",
                                       "scipy: a script of Python for solve_ivp", SAL_CLI_TEXT,
                                       AT(to), .missing = "to what?  --to scipy"},
                                      {.help = NULL}};

static sal_err check_words(void *given)
{
  static const char *const known[] = {"scipy", NULL};
  const options *o = given;

  if (strcmp(o->to, known[0]) == 0) return SAL_OK;
  return sal_text_unknown(SAL_ERR_USAGE, "--to", "program", o->to, known);
}

/* What follows the functions: runs from event to event. */
static const char loop[] =
    "def run(t_end, start, method, rtol, atol, events=True):\n"
    "    \"\"\"(t, states, [(t, contact, closed)]) at the end: each change of a contact is "
    "located, and the run begins "
    "anew.\"\"\"\n"
    "    t, y, seen = 0.0, np.array(start), []\n"
    "    mode = [bool(g <= 0) for g in gaps(t, y[:N], y[N:], None)] if events else None\n"
    "    for _ in range(100000):\n"
    "        found = []\n"
    "        for k in range(len(CONTACTS) if events else 0):\n"
    "            found.append(lambda t, x, k=k: gaps(t, x, y[N:], mode)[k])\n"
    "            found[k].terminal, found[k].direction = True, 1 if mode[k] else -1\n"
    "        s = solve_ivp(lambda t, x: f(t, x, y[N:], mode), (t, t_end), y[:N], method, "
    "events=found, rtol=rtol, "
    "atol=atol)\n"
    "        y, before, t = np.concatenate([s.y[:, -1], y[N:]]), t, s.t[-1]\n"
    "        if s.status < 0:\n"
    "            raise SystemExit(f\"it ended at t = {t}: {s.message}\")\n"
    "        if s.status == 0:\n"
    "            return t, y, seen\n"
    "        k = next(i for i, times in enumerate(s.t_events) if len(times))\n"
    "        mode[k] = not mode[k]\n"
    "        seen.append((t, k, mode[k]))\n"
    "        new, mode = jump(k, t, y, mode)\n"
    "        y = np.array(new, dtype=float)\n"
    "        if CONTACTS[k][2] and seen[-1][2]:\n"
    "            return t, y, seen\n"
    "        if len(seen) > 50 and t - seen[-50][0] < 1e-9:\n"
    "            raise SystemExit(f\"infinitely many impacts come to an end at t = {t}: what rests "
    "then is not written "
    "out\")\n"
    "    raise SystemExit(\"100000 events\")\n\n\n";

/* The solver's name there: what stands between the quotes of its call. */
static sal_err find_solver(const sal_setup *setup, char name[32])
{
  int home;

  SAL_TRY(sal_solver_home_find("--to", "scipy", &home));
  const char *call = sal_solver_home_call(home, setup->method);
  const char *quoted = call ? strstr(call, "method='") : NULL;
  if (quoted) {
    snprintf(name, 32, "%.*s", (int)strcspn(quoted + 8, "'"), quoted + 8);
    return SAL_OK;
  }
  return sal_fail(SAL_ERR_USAGE,
                  "--solver: SciPy has no %s; allowed: ode23, ode45, dop853, radau5, ode15s",
                  setup->method->name);
}

static void add_names(const sal_model *m, sal_text *out)
{
  sal_text_add(out, "STATES = [");
  for (int i = 0; i < m->n_state; ++i)
    sal_text_add(out, "%s\"%s\"", i ? ", " : "", m->state[i].name);
  sal_text_add(out, "]\nN = %d  # of them change by f, the others by jumps alone\nCONTACTS = [",
               sal_model_continuous(m));
  for (int k = 0; k < m->n_guard; ++k) {
    const sal_contact *c = sal_model_contact(m, k);
    sal_text_add(out, "%s(\"%s\", \"%s\", %s)", k ? ", " : "", c->closes, c->opens,
                 c->ends ? "True" : "False");
  }
  sal_text_add(out, "]  # what closing and opening are called, and whether closing ends the run\n");
}

static void add_numbers(const char *name, int n, const double value[], sal_text *out)
{
  sal_text_add(out, "%s = ", name);
  for (int i = 0; i < n; ++i) sal_text_add(out, "%s%.17g", i ? ", " : "[", value[i]);
  sal_text_add(out, n ? "]\n" : "[]\n");
}

static void add_parameters(const sal_model *m, const double param[], sal_text *out)
{
  double p[SAL_MAX_P] = {0};

  sal_model_fill(m, param, p);
  sal_text_add(out, "# the parameters");
  for (int i = 0; i < m->n_param; ++i) sal_text_add(out, "%s %s", i ? "," : "", m->param[i].name);
  sal_text_add(out, ", words as their numbers, and what is computed of them once\nP = np.array([");
  for (int i = 0; i < sal_model_words(m); ++i) sal_text_add(out, "%s%.17g", i ? ", " : "", p[i]);
  sal_text_add(out, "])\n");
}

static void add_main(const sal_cli_run *run, const char *solver, sal_text *out)
{
  const sal_setup *s = &run->setup;
  const bool events = strcmp(s->strategy->name, "event") == 0;

  sal_text_add(out,
               "if __name__ == \"__main__\":\n    from scipy.integrate import solve_ivp\n\n"
               "    np.seterr(all=\"ignore\")\n"
               "    t, y, seen = run(%.17g, START, \"%s\", %.17g, %.17g, events=%s)\n"
               "    for at, k, closed in seen:\n"
               "        print(f\"{CONTACTS[k][0 if closed else 1]} at t = {at:.12g}\")\n"
               "    print(f\"at t = {t:.12g}: \" + \", \".join(f\"{name} = {v:.12g}\" for name, v "
               "in zip(STATES, "
               "y)))\n",
               s->t_end, solver, s->rtol, s->atol, events ? "True" : "False");
}

static sal_err write_script(const sal_cli_run *run, sal_text *out)
{
  const sal_model *m = run->setup.model;
  const sal_equation_model *e = run->file ? sal_model_text_equations(run->file) : NULL;
  char solver[32];

  if (!e)
    return sal_fail(SAL_ERR_USAGE,
                    "%s is no text of equations; allowed: FILE.yaml with `equations: 1`, such as "
                    "sweeps/models/monopod-equations.yaml",
                    m->name);
  const sal_flow_programs *f = sal_equation_model_programs(e);
  const char *lacks = sal_python_source_lacks(f);
  if (lacks)
    return sal_fail(SAL_ERR_USAGE, "%s needs %s, which is not written out", m->name, lacks);
  if (strcmp(run->setup.strategy->name, "event") != 0 &&
      strcmp(run->setup.strategy->name, "switch") != 0)
    return sal_fail(SAL_ERR_USAGE, "--strategy %s is none of SciPy's; allowed: switch, event",
                    run->setup.strategy->name);
  SAL_TRY(find_solver(&run->setup, solver));
  sal_text_add(out,
               "\"\"\"%s for SciPy, written from its equations: f, gaps, jumps, and a run from "
               "event to event.\"\"\"\n\n"
               "import numpy as np\n\n",
               m->name);
  add_names(m, out);
  add_parameters(m, run->param, out);
  add_numbers("START", m->n_state, run->initial, out);
  sal_text_add(out, "\n\n");
  sal_python_source_write(f, out);
  sal_text_add(out, "%s", loop);
  add_main(run, solver, out);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "no memory for a script") : SAL_OK;
}

static sal_err run_export(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};
  SAL_OWN_BY(sal_text_free) sal_text out = {0};

  (void)call;
  SAL_TRY(sal_cli_run_check(&o->run, &run));
  SAL_TRY(write_script(&run, &out));
  fputs(out.string, stdout);
  return SAL_OK;
}

const sal_command sal_cmd_export = {
    .name = "export",
    .group = SAL_COMMAND_STUDY,
    .summary = "write a model of equations out as a program of its own",
    .description =
        "Write a text of equations out as a script that needs nothing of saltus: f, the gaps, the "
        "jumps, and a run from event to event by the solver of another program.",
    .notes = "The script has the parameters and the start that are given, with the solver, "
             "strategy and tolerances that "
             "were asked for, as `saltus recommend --in scipy` names them; it prints each change "
             "of a contact and the "
             "state at the end.  What comes to rest after infinitely many impacts is not written "
             "out: the script says "
             "so and ends.  Tables are not written either.",
    .examples = "  saltus export --to scipy --model sweeps/models/rocking-block.yaml --rtol 1e-8 > "
                "block.py\n"
                "  saltus export --to scipy --model sweeps/models/monopod-equations.yaml --solver "
                "ode45 \\\n"
                "    --param b=1951,m1=1.88,k=22.8,f=0.051 > hopper.py",
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(options, run)}},
    .size = sizeof(options),
    .presets = &presets,
    .check = check_words,
    .run = run_export};
