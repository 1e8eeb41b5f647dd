// Time of one evaluation of f: work in evaluations of f, or as a time with that of steps.  The same as
// src/sweep/step_cost.h.
// fCost: {evaluations, tried: of [cell][pair][tolerance], steps: [pair] time of a step in s, machine, lanes, table: file of one's own or ""}; null: not known.

const TIMES = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "\u00b5s"],
  [1e-9, "ns"],
];
let costOfF = 0; // in s; 0: work is in evaluations of f

function timeText(x) {
  const [size, unit] = TIMES.find(([least]) => x >= least) || TIMES[TIMES.length - 1];
  return `${digits(x / size)} ${unit}`;
}
const workText = (x) => (costOfF ? timeText(x) : `${count(x)} evaluations of f`);
// As the program takes it.
function costOption(fCost) {
  if (!costOfF) return "";
  return ` --f-costs ${digits(costOfF, 12)}s${fCost.lanes > 1 ? ` --lanes ${fCost.lanes}` : ""}${fCost.table ? ` --steps ${fCost.table}` : ""}`;
}
const workShort = (x) => (costOfF ? timeText(x) : count(x));

// The logarithms of work of all runs of a surrogate at that cost of f.
function setCost(surrogate, seconds) {
  const { fCost, nTolerance, nPair } = surrogate;
  costOfF = seconds;
  surrogate.takeWork(
    seconds
      ? Float64Array.from(fCost.evaluations, (f, i) => seconds * f + fCost.steps[Math.floor(i / nTolerance) % nPair] * fCost.tried[i])
      : surrogate.done,
  );
}

// An input field for the time, and its slider.
function addCost(explorer) {
  const { surrogate } = explorer;
  if (!surrogate.fCost) return;
  const tick = make("input", { type: "checkbox", id: "timed" }),
    column = { name: "f takes", what: "one evaluation of f, of you", unit: "s", log: true, lo: 1e-9, hi: 10, asked: true };
  const take = () => setCost(surrogate, tick.checked ? explorer.fCosts : 0),
    slider = explorer.slider(
      column,
      "f-costs",
      () => explorer.fCosts,
      (v) => {
        explorer.fCosts = v;
        tick.checked = true;
        take();
        slider.hidden = false;
      },
    );
  slider.hidden = true;
  const change = () => {
    take();
    slider.hidden = !tick.checked;
  };
  tick.addEventListener("change", () => {
    change();
    explorer.draw();
  });
  explorer.takeCost = (seconds) => {
    tick.checked = seconds > 0;
    if (seconds) explorer.fCosts = seconds;
    change();
  };
  $("asked").append(
    make("label", { title: `steps as measured on ${surrogate.fCost.machine}${surrogate.fCost.lanes > 1 ? `, ${surrogate.fCost.lanes} lanes` : ""}` }, tick, " time in place of evaluations of f, that of steps included"),
    slider,
  );
}
