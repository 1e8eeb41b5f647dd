/** Which kind of description it is, by its outermost element. */
#include "import.h"
#include "base.h"
#include "mjcf.h"

static sal_err read_root(sal_robot *robot, const xmlNode *root)
{
  static const char *const kinds[] = {"robot", "mujoco", NULL};
  static sal_err (*const read[])(sal_robot *, const xmlNode *) = {sal_urdf_read, sal_mjcf_read};
  static const char *const names[] = {"name", "model"};
  const sal_markup in = {.robot = robot};
  int k;

  SAL_TRY(sal_markup_rank(&in, root, "outermost element", (const char *)root->name, kinds, &k));
  sal_robot_name(robot, sal_markup_attribute(root, names[k]), "robot", robot->name);
  SAL_TRY(read[k](robot, root));
  return sal_robot_check(robot);
}

sal_err sal_import_robot(const char *path, const char *xml, char **text, char **notes)
{
  SAL_OWN sal_robot *robot = sal_alloc(1, sizeof *robot);
  sal_text out = {0};
  xmlDoc *document;

  *text = *notes = NULL;
  if (!robot) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  robot->path = path;
  robot->gravity[2] = -9.81;
  SAL_TRY(sal_markup_parse(path, xml, &document));
  sal_err err = read_root(robot, xmlDocGetRootElement(document));
  xmlFreeDoc(document);
  if (err == SAL_OK) err = sal_robot_write(robot, &out);
  const bool lost = out.lost || robot->notes.lost;
  if (err == SAL_OK && !lost) {
    *text = sal_text_take(&out);
    if (robot->notes.string) *notes = sal_text_take(&robot->notes);
  }
  sal_text_free(&out);
  sal_text_free(&robot->notes);
  if (err != SAL_OK) return err;
  return *text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}
