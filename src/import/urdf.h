/** URDF: links and the joints between them, after the ROS wiki, http://wiki.ros.org/urdf/XML. */
#pragma once

#include "markup.h"

sal_err sal_urdf_read(sal_robot *robot, const xmlNode *root);
