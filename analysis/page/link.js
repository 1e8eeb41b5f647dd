// The page's address, which holds the question and the place, so that a link opens the same answer; and the programs in
// which a solver can be run.

// Which of ours each program has: the same method under another name.  The same as src/sweep/solver_home.h.
const HOMES = {
  SciPy: (solver) => solver in SCIPY || solver.startsWith("scipy-"),
  MATLAB: (solver) => solver in MATLAB,
  Octave: (solver) => ["ode23", "ode45", "ode23s"].includes(solver) || solver.startsWith("octave-"),
  Julia: (solver) => solver in JULIA,
  PETSc: (solver) => solver.startsWith("petsc-"),
  SUNDIALS: (solver) => solver.startsWith("sundials-"),
};
const EVERYWHERE = ["switch", "event"]; // strategies of other programs

const boxes = (id) => [...document.querySelectorAll(`#${id} input`)];

// Ticks what can be run in a program; "": everything.
function tickHome(home) {
  for (const box of boxes("solvers")) box.checked = !home || HOMES[home](box.value);
  for (const box of boxes("strategies")) box.checked = !home || EVERYWHERE.includes(box.value);
}

function addressOf({ meta, value, range, word, asked, mapColumns, axes }) {
  const parts = [
    ...meta.columns.map((c, i) => [c.name, range[i] ? sayRange(range[i], 12) : digits(value[i], 12)]),
    ...meta.options.map((o, i) => [o.name, o.words[word[i]]]),
    ["error", digits(asked, 12)],
    ["map", axes.map((i) => mapColumns[i].name).join()],
  ];
  const off = [...boxes("solvers"), ...boxes("strategies")].filter((box) => !box.checked);
  if (off.length) parts.push(["without", off.map((box) => box.value).join()]);
  if (costOfF) parts.push(["f-costs", digits(costOfF, 12)]);
  if ($("rule").value) parts.push(["rule", $("rule").value]);
  return `#${parts.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}`;
}

// Applies one part of an address; false where it is invalid.
function takePart(explorer, name, text) {
  const { meta } = explorer,
    number = Number(text),
    column = meta.columns.findIndex((c) => c.name === name),
    option = meta.options.findIndex((o) => o.name === name);
  const right = (log) => text.trim() !== "" && Number.isFinite(number) && (!log || number > 0);
  if (column >= 0 && saysRange(text)) return takeRange(explorer, column, text) === "";
  if (column >= 0) {
    if (right(meta.columns[column].log)) {
      explorer.value[column] = number;
      explorer.range[column] = null;
    }
    return right(meta.columns[column].log);
  }
  if (option >= 0) {
    const { values, words } = meta.options[option],
      found = values.find((v) => words[v] === text);
    if (found === undefined) return false;
    explorer.word[option] = found;
    $(`o${option}`).value = String(found);
    return true;
  }
  if (name === "error" && right(true)) explorer.asked = number;
  else if (name === "f-costs" && right(true) && explorer.takeCost) explorer.takeCost(number);
  else if (name === "rule" && RULES.some(([value]) => value === text)) $("rule").value = text;
  else if (name === "without") {
    const off = text.split(",");
    for (const box of [...boxes("solvers"), ...boxes("strategies")]) box.checked = !off.includes(box.value);
  } else if (name === "map") {
    const axes = text.split(",").map((axis) => explorer.mapColumns.findIndex((c) => c.name === axis));
    if (axes.length !== 2 || axes.includes(-1) || axes[0] === axes[1]) return false;
    explorer.axes = axes;
    axes.forEach((axis, k) => ($(`map-${k}`).value = String(axis)));
  } else return false;
  return true;
}

// Takes the question from an address; what it does not understand is reported.
function takeAddress(explorer, hash) {
  const wrong = [];
  if (explorer.takeCost) explorer.takeCost(0);
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    let pair = ["", ""];
    try {
      pair = part.split("=").map(decodeURIComponent);
    } catch {
      wrong.push(part);
      continue;
    }
    if (pair.length !== 2 || !takePart(explorer, ...pair)) wrong.push(pair.join("="));
  }
  explorer.complaint = wrong.length ? `The address has ${wrong.map((w) => `"${w}"`).join(", ")}, which is not understood.` : "";
  explorer.shows.forEach((show) => show());
}
