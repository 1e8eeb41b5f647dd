/** @file src/sweep/key_alias.c
 *  Reading keys by their second names.
 */
#include "document_edit.h"
#include "keys.h"

sal_err sal_key_alias_parse(const char *path, const char *text, sal_document *document)
{
  SAL_TRY(sal_document_parse(path, text, document));
  sal_err err = SAL_OK;
  for (const sal_key_alias *a = sal_key_aliases; a->alias && err == SAL_OK; ++a)
    err = sal_document_rename(document, a->alias, a->key);
  if (err != SAL_OK) sal_document_free(document);
  return err;
}
