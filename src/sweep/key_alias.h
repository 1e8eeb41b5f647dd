/** @file src/sweep/key_alias.h
 *  Reading the text of a sweep whose keys may go by their second names (keys.h).
 */
#ifndef SAL_KEY_ALIAS_H
#define SAL_KEY_ALIAS_H

#include "document.h"

/** Parses the text (sal_document_parse); the keys of the document have the names of keys.def, whichever
 *  stand in the text.  A key that stands there by both names is refused. */
SAL_MUST_CHECK sal_err sal_key_alias_parse(const char *path, const char *text,
                                           sal_document *document);

#endif
