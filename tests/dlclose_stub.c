/* Leak reports name their module only while it is loaded, and Open MPI unloads its components:
 * in sanitizer builds nothing is unloaded, so that tests/lsan.supp can match. */
int dlclose(void *handle);
int dlclose(void *handle)
{
  (void)handle;
  return 0;
}
