/** The sweep and the program of journals. */
#include "base.h"
#include "build_info.h"
#include "config.h"
#include "journal.h"
#include "journal_private.h"

enum { MOST_DIFF = 1200 };

/* The program, what the user has given libraries, and the sweep: other ones may give other bits. */
sal_err sal_journal_identity_set(sal_journal *j)
{
  sal_text text = {0};
  SAL_OWN char *given = sal_sweep_given(j->sweep);

  if (!given) return sal_fail(SAL_ERR_MEMORY, "no memory for the text of the sweep");
  if (*given) sal_text_add(&text, "# %s\n", given);
  sal_text_add(&text, "# saltus %s %s, %d + %d metrics\n", SAL_BUILD_VERSION, SAL_BUILD_COMMIT,
               SAL_N_CELL_METRIC, SAL_N_METRIC);
  sal_text_add(&text, "%s", j->sweep->settled);
  j->identity = sal_text_take(&text);
  if (!j->identity) return sal_fail(SAL_ERR_MEMORY, "no memory for the text of the sweep");
  j->fingerprint = sal_journal_fingerprint(j->identity);
  return SAL_OK;
}

static bool is_ours(const sal_journal *j, const sal_journal_file *file)
{
  const sal_journal_head *h = &file->head;

  return h->version == SAL_JOURNAL_VERSION && h->n_cell_metric == SAL_N_CELL_METRIC &&
         h->n_metric == SAL_N_METRIC && h->n_config == (uint32_t)sal_config_count(j->sweep) &&
         h->n_cell == j->sweep->n_cell &&
         strcmp(file->text[SAL_JOURNAL_IDENTITY], j->identity) == 0;
}

sal_err sal_journal_identity_check(const sal_journal *j, const sal_journal_file *file)
{
  SAL_OWN_BY(sal_text_free) sal_text text = {0};

  if (!file->sound || is_ours(j, file)) return SAL_OK;
  sal_text_add(&text,
               "%s: is of another sweep or program.  Differences (- there, + now):", file->path);
  if (file->head.version != SAL_JOURNAL_VERSION)
    sal_text_add(&text, "\n- journals of format %u\n+ journals of format %d", file->head.version,
                 SAL_JOURNAL_VERSION);
  else
    sal_journal_diff(file->text[SAL_JOURNAL_IDENTITY], j->identity,
                     j->identity + strlen(j->identity) - strlen(j->sweep->settled),
                     j->use == SAL_JOURNAL_READ ? NULL : j->sweep->settled_line, MOST_DIFF, &text);
  sal_text_add(
      &text, "\n%s",
      j->use == SAL_JOURNAL_READ
          ? "Parts of one cube are runs of the same sweep."
          : "Take the change back to go on from there, or discard these journals by --force.");
  return sal_fail(SAL_ERR_EXISTS, "%s", text.string ? text.string : file->path);
}

sal_journal_kin sal_journal_identity_kin(const sal_journal *j)
{
  return (sal_journal_kin){.fingerprint = j->fingerprint,
                           .n_cell = j->sweep->n_cell,
                           .n_config = sal_config_count(j->sweep)};
}
