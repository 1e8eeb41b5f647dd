#include "reader.h"
bool sal_reader_possible(const sal_sweep *sweep) { (void)sweep; return false; }
sal_err sal_reader_open(const sal_performance_source *s, const sal_reader_fit *f, sal_reader **r) { (void)s; (void)f; *r = 0; return SAL_OK; }
void sal_reader_close(sal_reader **r) { (void)r; }
const sal_reader_fit *sal_reader_fit_of(const sal_reader *r) { (void)r; return 0; }
sal_err sal_reader_map(sal_reader *r, const sal_map *m, int64_t f, int64_t c, sal_map_answer a[]) { (void)r;(void)m;(void)f;(void)c;(void)a; return SAL_OK; }
