/** Operations by their texts, with values in place of the letters. */
#include "program_source.h"
#include "base.h"
#include <ctype.h>

void sal_program_source_begin(sal_program_source *w, const sal_program *program, bool jump)
{
  for (int i = 0; i < SAL_PROGRAM_REGISTERS; ++i) {
    sal_free(w->text[i]);
    w->text[i] = NULL;
  }
  w->program = program;
  w->jump = jump;
  w->n_value = 0;
  w->line = 0;
}

void sal_program_source_number(const sal_program_source *w, double x)
{
  char text[40], whole[48];

  if (isnan(x)) {
    sal_text_add(w->out, "%s%s%s", w->in->number[0], w->in->nan, w->in->number[1]);
    return;
  }
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    double back;
    if (sscanf(text, "%lf", &back) == 1 && back == x) break;
  }
  if (isinf(x))
    snprintf(whole, sizeof whole, "%s%s", x < 0 ? "-" : "", w->in->inf);
  else
    snprintf(whole, sizeof whole, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
  sal_text_add(w->out, "%s%s%s", w->in->number[0], whole, w->in->number[1]);
}

void sal_program_source_element(const sal_program_source *w, const char *array, int i)
{
  sal_text_add(w->out, "%s%s%d%s", array, w->in->element[0], w->in->base + i, w->in->element[1]);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Is an expression one call of a function? */
static bool is_call(const char *text)
{
  int depth = 0;

  while (is_word(*text) || *text == '.') ++text;
  if (*text != '(') return false;
  do depth += (*text == '(') - (*text == ')');
  while (*text++ && depth > 0);
  return !*text;
}

void sal_program_source_register(const sal_program_source *w, int reg)
{
  const sal_flow_programs *f = w->flow;
  const int y = f->n_words, q = y + f->n_continuous, t = q + f->n_discrete, dy = t + 1;
  const int constant = w->program->first_constant;

  if (reg < y)
    sal_program_source_element(w, w->in->word, reg);
  else if (reg < q || (reg < t && w->jump))
    sal_program_source_element(w, "y", reg - y);
  else if (reg < t)
    sal_program_source_element(w, w->in->discrete, reg - q);
  else if (reg == t)
    sal_text_add(w->out, "t");
  else if (reg < constant)
    sal_program_source_element(w, "dy", reg - dy);
  else if (reg < constant + w->program->n_constant)
    sal_program_source_number(w, w->program->constant[reg - constant]);
  else if (w->text[reg])
    sal_text_add(w->out, is_call(w->text[reg]) ? "%s" : "(%s)", w->text[reg]);
  else
    sal_text_add(w->out, "v%d", w->value[reg]);
}

/* One word of an operation's text. */
static void add_word(const sal_program_source *w, const sal_instruction *i, int n, const char *word)
{
  static const char *const letter[] = {"A", "B", "C"}, *const number[] = {"INDEX_A", "INDEX_B"};
  const int operand[] = {i->a, i->b, i->c};

  for (int k = 0; k < 3; ++k)
    if (n == 1 && *word == *letter[k]) {
      sal_program_source_register(w, operand[k]);
      return;
    }
  for (int k = 0; k < 2; ++k)
    if (n == 7 && memcmp(word, number[k], 7) == 0) {
      sal_text_add(w->out, "%d", w->in->base + operand[k]);
      return;
    }
  sal_text_append(w->out, word, (size_t)n);
}

static void add_operation(const sal_program_source *w, const sal_instruction *i)
{
  for (const char *at = w->in->operation[i->op]; *at;) {
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

static int count_letter(const char *text, char letter)
{
  int n = 0;

  for (const char *at = text; *at; ++at)
    n += *at == letter && !is_word(at[1]) && (at == text || !is_word(at[-1]));
  return n;
}

/* use [of each instruction]: how often its value is written; NULL where memory ran out. */
static int *count_uses(const sal_program_source *w)
{
  const sal_program *p = w->program;
  int n = 0, last[SAL_PROGRAM_REGISTERS] = {0};

  while (p->code && p->code[n].op != SAL_PROGRAM_end) ++n;
  int *use = sal_alloc((size_t)n + 1, sizeof *use);
  for (int k = 0; k < p->n_out; ++k) ++last[p->out[k]];
  for (int k = n - 1; use && k >= 0; --k) {
    const sal_instruction *i = &p->code[k];
    const char *text = w->in->operation[i->op];
    use[k] = last[i->to];
    last[i->to] = 0;
    last[i->a] += count_letter(text, 'A');
    last[i->b] += count_letter(text, 'B');
    last[i->c] += count_letter(text, 'C');
  }
  return use;
}

/* Writes "v7 = TEXT", with others on a line where the language has them there. */
static void add_statement(sal_program_source *w, const sal_text *text)
{
  enum { WIDEST = 120 };
  const bool joins = w->in->joined && w->line > 0 && w->line + text->length < WIDEST;

  if (joins) w->out->length -= strlen(w->in->end);
  w->line = (joins ? w->line : 0) + text->length + strlen("v10 = ; ");
  sal_text_add(w->out, "%sv%d = %s%s", joins ? w->in->joined : w->in->statement, w->n_value,
               text->string, w->in->end);
  w->out->lost |= text->lost;
}

/* Keeps the expression of a value that is used once and is short. */
static bool inline_value(sal_program_source *w, const sal_instruction *i, int uses)
{
  sal_text text = {0}, *out = w->out;

  w->out = &text;
  add_operation(w, i);
  w->out = out;
  sal_free(w->text[i->to]);
  w->text[i->to] = NULL;
  if (uses == 1 ? text.length <= (size_t)w->in->inlined
                : text.length <= (size_t)w->in->inlined / 10) {
    w->text[i->to] = sal_text_take(&text);
    return w->text[i->to] != NULL;
  }
  add_statement(w, &text);
  sal_text_free(&text);
  return false;
}

void sal_program_source_code(sal_program_source *w)
{
  SAL_OWN int *use = count_uses(w);

  for (const sal_instruction *i = w->program->code; i && i->op != SAL_PROGRAM_end; ++i)
    if (!inline_value(w, i, use ? use[i - w->program->code] : 0)) w->value[i->to] = w->n_value++;
}
