// What one evaluation of f takes: work in evaluations of f, or as a time with that of steps.  The same as
// src/sweep/step_cost.h.
// price: {evaluations, tried: of [cell][pair][tolerance], steps: [pair] time of a step in s, machine, lanes, table: file of one's own or ""}; null: not known.

const TIMES = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "\u00b5s"],
  [1e-9, "ns"],
];
let priceOfF = 0; // in s; 0: work is in evaluations of f

function timeText(x) {
  const [size, unit] = TIMES.find(([least]) => x >= least) || TIMES[TIMES.length - 1];
  return `${digits(x / size)} ${unit}`;
}
const workText = (x) => (priceOfF ? timeText(x) : `${count(x)} evaluations of f`);
// As the program takes it.
function priceOption(price) {
  if (!priceOfF) return "";
  return ` --f-costs ${digits(priceOfF, 12)}s${price.lanes > 1 ? ` --lanes ${price.lanes}` : ""}${price.table ? ` --steps ${price.table}` : ""}`;
}
const workShort = (x) => (priceOfF ? timeText(x) : count(x));

// The logarithms of work of all runs of a reader at that price.
function setPrice(reader, seconds) {
  const { price, nRung, nPair } = reader;
  priceOfF = seconds;
  reader.takeWork(
    seconds
      ? Float64Array.from(price.evaluations, (f, i) => seconds * f + price.steps[Math.floor(i / nRung) % nPair] * price.tried[i])
      : reader.done,
  );
}

// A box that asks for the time, and its slider.
function addPrice(explorer) {
  const { reader } = explorer;
  if (!reader.price) return;
  const tick = make("input", { type: "checkbox", id: "timed" }),
    column = { name: "f takes", what: "one evaluation of f, of you", unit: "s", log: true, lo: 1e-9, hi: 10, asked: true };
  const take = () => setPrice(reader, tick.checked ? explorer.fCosts : 0),
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
  explorer.takePrice = (seconds) => {
    tick.checked = seconds > 0;
    if (seconds) explorer.fCosts = seconds;
    change();
  };
  $("asked").append(
    make("label", { title: `steps as measured on ${reader.price.machine}${reader.price.lanes > 1 ? `, ${reader.price.lanes} lanes` : ""}` }, tick, " work as a time, that of steps included"),
    slider,
  );
}
