/** @file src/sweep/model_text.c
 *  Which kind of text it is, in one table.
 */
#include "model_text.h"
#include "memory.h"
#include "model_file.h"
#include "table_rows.h"
#include "text.h"

/* What a text may be: the first kind that knows it reads it. */
typedef struct {
  bool (*is)(const char *text);
  sal_err (*parse)(const char *path, const char *text, void **out);
  const sal_model *(*model)(const void *made);
  const char *(*text)(const void *made);
  const char *(*note)(const void *made); /* NULL: there are none */
  void (*free)(void *made);
} kind;

struct sal_model_text {
  const kind *kind;
  void *made;
};

static sal_err parse_equations(const char *path, const char *text, void **out)
{
  sal_equation_model *made;
  const sal_err err = sal_equation_model_parse(path, text, &made);

  *out = made;
  return err;
}
static const sal_model *model_of_equations(const void *made)
{
  return sal_equation_model_get(made);
}
static const char *text_of_equations(const void *made) { return sal_equation_model_text(made); }
static void free_equations(void *made) { sal_equation_model_free(made); }

static bool is_any(const char *text) { return text != NULL; }
static sal_err parse_bodies(const char *path, const char *text, void **out)
{
  sal_model_file *made;
  const sal_err err = sal_model_file_parse(path, text, &made);

  *out = made;
  return err;
}
static const sal_model *model_of_bodies(const void *made) { return sal_model_file_model(made); }
static const char *text_of_bodies(const void *made) { return sal_model_file_text(made); }
static const char *note_of_bodies(const void *made) { return sal_model_file_note(made); }
static void free_bodies(void *made) { sal_model_file_free(made); }

/* A model in C: its descriptor is borrowed, its text a copy. */
typedef struct {
  const sal_model *model;
  char *text;
} in_c;
static const sal_model *model_of_c(const void *made) { return ((const in_c *)made)->model; }
static const char *text_of_c(const void *made) { return ((const in_c *)made)->text; }
static void free_c(void *made)
{
  in_c *c = made;

  if (c) sal_free(c->text);
  sal_free(c);
}
static const kind kind_of_c = {NULL, NULL, model_of_c, text_of_c, NULL, free_c};

static const kind kinds[] = {
    {sal_equation_model_is, parse_equations, model_of_equations, text_of_equations, NULL,
     free_equations},
    {is_any, parse_bodies, model_of_bodies, text_of_bodies, note_of_bodies, free_bodies},
};

sal_err sal_model_text_keep(const char *path, const char *text, char **kept)
{
  if (sal_equation_model_is(text)) return sal_table_rows_keep(path, text, kept);
  *kept = sal_text_copy(text);
  return *kept ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}

sal_err sal_model_text_parse(const char *path, const char *text, sal_model_text **out)
{
  sal_model_text *made = sal_alloc(1, sizeof *made);

  *out = NULL;
  if (!made) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  made->kind = kinds;
  while (!made->kind->is(text)) ++made->kind;
  const sal_err err = made->kind->parse(path, text, &made->made);
  if (err == SAL_OK)
    *out = made;
  else
    sal_free(made);
  return err;
}

sal_err sal_model_text_of(const sal_model *model, const char *text, sal_model_text **out)
{
  sal_model_text *made = sal_alloc(1, sizeof *made);
  in_c *c = sal_alloc(1, sizeof *c);

  *out = NULL;
  if (c) *c = (in_c){model, sal_text_copy(text)};
  if (made) *made = (sal_model_text){&kind_of_c, c};
  if (made && c && c->text) {
    *out = made;
    return SAL_OK;
  }
  free_c(c);
  sal_free(made);
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", model->name);
}

void sal_model_text_free(sal_model_text *made)
{
  if (made) made->kind->free(made->made);
  sal_free(made);
}

const sal_model *sal_model_text_model(const sal_model_text *made)
{
  return made->kind->model(made->made);
}

const char *sal_model_text_string(const sal_model_text *made)
{
  return made->kind->text(made->made);
}

bool sal_model_text_is_program(const sal_model_text *made) { return made->kind == &kind_of_c; }

const char *sal_model_text_note(const sal_model_text *made)
{
  return made->kind->note ? made->kind->note(made->made) : NULL;
}

const char *sal_model_text_way(const sal_model_text *made, bool *recurs)
{
  return made->kind->parse == parse_bodies ? sal_model_file_way(made->made, recurs) : NULL;
}

sal_equation_model *sal_model_text_equations(sal_model_text *made)
{
  return made->kind->parse == parse_equations ? made->made : NULL;
}

const char *sal_model_text_engine(const sal_model_text *made)
{
  if (made->kind->parse != parse_equations) return NULL;
  return sal_equation_model_is_compiled(made->made) ? "compiled" : "interpreted";
}
