# cmake -DSALTUS=.. "-DCOMMANDS=run;plan" -DOUT=.. -P manual.cmake: pages and completions as files, by `saltus help`.
file(REMOVE_RECURSE ${OUT}) # pages of commands that are gone would be installed, too
file(MAKE_DIRECTORY ${OUT})
function(ask file)
  execute_process(COMMAND ${SALTUS} help ${ARGN} OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
foreach(command IN LISTS COMMANDS)
  ask(saltus-${command}.1 man ${command})
endforeach()
ask(saltus.bash bash)
ask(_saltus zsh)
ask(saltus.1 man)
