# Debian packages of what `cmake --install` installs, by `cpack -G DEB` in a build: the program with its data, the C library, and
# what programs are compiled with that use it (README.md).  Read by CMakeLists.txt.
set(SAL_MAINTAINER "saltus developers <saltus@localhost>" CACHE STRING "Maintainer of Debian packages: name and address")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${SAL_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "which ODE solver for mechanical systems with impacts")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb_documents.cmake)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(CMAKE_CROSSCOMPILING) # else that of the machine
  string(REPLACE aarch64 arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME saltus)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "Integrates every cell of a grid of parameters with every solver, way of
handling impacts and tolerance, measures each run against a certified
reference, and answers which of them to use where. With sweeps, models,
job scripts and scripts for pictures.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "python3:any") # scripts of analysis
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
  "openmpi-bin, python3-numpy, python3-xarray, python3-h5netcdf, python3-matplotlib, python3-yaml, libsaltus${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gcc, man-db, bash-completion")
if(TARGET dep_petsc) # loaded by runs that ask for it
  get_filename_component(petsc ${SAL_PETSC_LIBRARY} REALPATH)
  execute_process(COMMAND dpkg-query -S ${petsc} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:,]+)")
    string(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ", ${CMAKE_MATCH_1}")
  endif()
endif()

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsaltus${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "The C library of saltus: ensembles of runs in lanes of registers, and
answers from the files that saltus writes.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsaltus-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "The header of the C library of saltus, its description for pkg-config and
CMake, and two examples.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsaltus${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS pkg-config)

include(CPack)
