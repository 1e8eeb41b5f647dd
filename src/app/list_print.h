/** @file src/app/list_print.h
 *  The lists of `saltus list`, from the registries of the kernels and of other libraries.
 */
#ifndef SAL_LIST_PRINT_H
#define SAL_LIST_PRINT_H

#include "json.h"
#include "model.h"
#include <stdio.h>

enum { SAL_LIST_MOST = 256 };

/** A list: how many entries, and of entry i its name, its lines of text, its JSON object. */
typedef struct {
  int (*count)(void);
  const char *(*name)(int i);
  void (*print)(FILE *out, int i);
  void (*put)(sal_json *json, int i);
  /** What is said behind the whole list, and its members behind the array; NULL: nothing. */
  void (*print_end)(FILE *out);
  void (*put_end)(sal_json *json);
} sal_list_source;

/** Any model, as text and as an element of an array. */
void sal_list_print_model(FILE *out, const sal_model *model);
void sal_list_put_model(sal_json *json, const sal_model *model);

extern const sal_list_source sal_list_models, sal_list_methods, sal_list_strategies,
    sal_list_metrics;

#endif
