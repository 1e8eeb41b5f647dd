# cmake -DFOLDER=.. "-DFILES=a.h;b.h" -DTYPE=sal_native_file -DHEADER=native_parts.h -DOUT=.. -P embed.cmake: C that holds the
# files as bytes, an array TYPEs [] of {name, text, bytes} that ends with an empty one; HEADER declares it.
# -DFOLDED=PATTERN: in files with such names a line that begins with one blank goes on the line above.
set(text "#include \"${HEADER}\"\n")
set(rows "")
foreach(name IN LISTS FILES)
  file(READ ${FOLDER}/${name} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  if(FOLDED AND name MATCHES "${FOLDED}")
    string(REGEX REPLACE "0x0a,(0x20,0x([^2].|2[^0]))" "\\1" bytes "${bytes}")
  endif()
  string(MAKE_C_IDENTIFIER ${name} id)
  string(APPEND text "static const unsigned char file_${id}[] = {${bytes}0};\n")
  string(APPEND rows "  {\"${name}\", (const char *)file_${id}, sizeof file_${id} - 1},\n")
endforeach()
file(WRITE ${OUT} "${text}const ${TYPE} ${TYPE}s[] = {\n${rows}  {0}};\n")
