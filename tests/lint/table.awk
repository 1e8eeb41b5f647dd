# The table of layers, for the awk programs beside this file: -v table=FILE.

# sees[layer, other] and uses[layer, library]; row[layer] for every layer there is
function read_table(    line, part, word, n, i) {
  while ((getline line < table) > 0) {
    if (line ~ /^[ \t]*(#|$)/) continue
    split(line, part, ":")
    gsub(/[ \t]/, "", part[1])
    row[part[1]] = 1
    n = split(part[2], word, " ")
    for (i = 1; i <= n; i++) sees[part[1], word[i]] = 1
    n = split(part[3], word, " ")
    for (i = 1; i <= n; i++) uses[part[1], word[i]] = 1
  }
  close(table)
}

# kernels/a.c -> kernels, src/io/b.c -> io, else ""
function layer_of(path,    part) {
  split(path, part, "/")
  return part[1] == "src" ? part[2] : part[1] == "kernels" ? "kernels" : ""
}

function complain(text) {
  print text
  wrong = 1
}
