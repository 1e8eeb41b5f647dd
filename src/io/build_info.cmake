# cmake -DSOURCE=.. -DTEMPLATE=.. -DOUT=.. -DVERSION=.. -DCOMPILER=.. -DFLAGS=.. -P build_info.cmake
# Runs at every build, so that the commit is the one that is built; configure_file leaves the header
# alone while nothing changes.
set(COMMIT unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git) # not the repository around an unpacked archive
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=40 --exclude=*
    OUTPUT_VARIABLE found RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    set(COMMIT ${found})
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
string(REGEX REPLACE "  +" " " FLAGS "${FLAGS}")
string(REPLACE "\\" "\\\\" FLAGS "${FLAGS}")
string(REPLACE "\"" "\\\"" FLAGS "${FLAGS}")
configure_file(${TEMPLATE} ${OUT} @ONLY)
