/** @file src/document/document_mark.h
 *  Where a node comes from, kept in start_mark.index, which nothing else needs.
 */
#ifndef SAL_DOCUMENT_MARK_H
#define SAL_DOCUMENT_MARK_H

#include <stdint.h>

#define SAL_MARK_FILE ((size_t)0)
#define SAL_MARK_SET ((size_t)1) /* + number of the override */
#define SAL_MARK_PRESET SIZE_MAX

enum { SAL_MAX_KEY = 128 }; /* bytes of a part of a dotted key */

#endif
