# The table of layers, for the awk programs beside this file: -v table=FILE.

# sees[layer, other] and uses[layer, library]; row[layer] for every layer there is, its group
function read_table(    line, part, word, n, i, group) {
  while ((getline line < table) > 0) {
    if (line ~ /^[ \t]*(#|$)/) continue
    if (line ~ /^\[[a-z]+\]$/) {
      group = substr(line, 2, length(line) - 2)
      continue
    }
    split(line, part, ":")
    gsub(/[ \t]/, "", part[1])
    row[part[1]] = group
    n = split(part[2], word, " ")
    for (i = 1; i <= n; i++) sees[part[1], word[i]] = 1
    n = split(part[3], word, " ")
    for (i = 1; i <= n; i++) uses[part[1], word[i]] = 1
  }
  close(table)
}

# Ground and core build without wings and faces.
function check_groups(    pair, of) {
  for (pair in sees) {
    split(pair, of, SUBSEP)
    if (row[of[1]] ~ /^(ground|core)$/ && row[of[2]] ~ /^(wing|face)$/)
      complain("layers.table: " row[of[1]] " row " of[1] " may not name the " row[of[2]] " " of[2])
    if (row[of[1]] == "ground" && row[of[2]] != "ground")
      complain("layers.table: ground row " of[1] " may not name " of[2])
  }
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
