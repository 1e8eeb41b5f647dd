/** Changing a document, and writing it down again. */
#pragma once

#include "document.h"

/** Applies overrides "key=value" in this order; the root must be a mapping.  Second names of keys
 *  (keys.h) count as the keys. */
sal_err sal_document_override(sal_document *document, int n_set, const char *const set[]);
/** Gives an absent key the value written in YAML; does nothing where the key is there, or where its
 *  parent is not a mapping. */
sal_err sal_document_preset(sal_document *document, const char *key, const char *value);
/** Puts a list of words, or of texts, where the value of a key of the root stands, or a new key. */
sal_err sal_document_put_words(sal_document *document, const char *key, const char *const words[]);
/** Puts a text, as it is, where the value of a key of the root stands, or a new key. */
sal_err sal_document_put_text(sal_document *document, const char *key, const char *text);
/** Puts a whole number where the value of a key of that mapping stands. */
sal_err sal_document_put_whole(sal_document *document, int mapping, const char *key, int64_t value);
/** The document as YAML text, to be freed with sal_free; NULL when memory ran out. */
char *sal_document_emit(const sal_document *document);
