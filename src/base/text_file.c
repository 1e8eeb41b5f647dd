/** Texts in files. */
#include "base.h"
#include "plain_file.h"
#include <errno.h>
#include <limits.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, MAX_FILE = 1 << 28 };
#define MARK "\xef\xbb\xbf" /* some programs put it before UTF-8 */

/* The text without the mark at its beginning, where no character is forbidden. */
static sal_err take_text(const char *path, sal_text *text, char **out)
{
  char where[PATH_MAX + 24];
  unsigned code;
  const char *all = text->string ? text->string : "", *at = sal_text_forbidden(all, &code);

  if (at) {
    size_t line = 1;
    for (const char *c = all; c < at; ++c) line += *c == '\n';
    snprintf(where, sizeof where, "%s:%zu", path, line);
    return sal_text_check(where, at);
  }
  *out = sal_text_copy(all + (strncmp(all, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0));
  return *out ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}

/* All of a stream; a NUL in it would end the text for all C functions. */
static sal_err read_stream(const char *path, const char *what, FILE *file, sal_text *text)
{
  char chunk[CHUNK];
  size_t n, line = 1;
  while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
    for (size_t i = 0; i < n; ++i) {
      if (chunk[i] == '\0')
        return sal_fail(SAL_ERR_INPUT, "%s:%zu: byte %zu is not text (NUL); UTF-8 text is expected",
                        path, line, text->length + i);
      line += chunk[i] == '\n';
    }
    sal_text_append(text, chunk, n);
    if (text->lost) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
    if (text->length > MAX_FILE)
      return sal_fail(SAL_ERR_INPUT, "%s: longer than %d MB; %s is expected", path, MAX_FILE >> 20,
                      what);
  }
  if (ferror(file)) return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  return SAL_OK;
}

sal_err sal_text_file_read(const char *path, const char *what, char **out)
{
  sal_text text = {0};
  int fd;

  *out = NULL;
  SAL_TRY(sal_plain_file_open(path, what, &fd));
  if (sal_plain_file_is_hdf5(path)) {
    close(fd);
    return sal_fail(SAL_ERR_INPUT,
                    "%s: is an HDF5 file; %s is expected; did you mean 'saltus info'?", path, what);
  }
  FILE *file = fdopen(fd, "rb");
  if (!file) close(fd);
  sal_err err = file ? read_stream(path, what, file, &text)
                     : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (file) fclose(file);
  if (err == SAL_OK) err = take_text(path, &text, out);
  sal_text_free(&text);
  return err;
}
