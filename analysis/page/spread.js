// A slider whose handle is spread to a range, and what is said of the box that such ranges make.

const SPREAD = 0.1; // of an axis to either side, when a handle is spread
const LEAST = 0.005; // between two handles, which do not pass each other
const SLACK = 1e-9; // by which a typed end may be off that of its axis
const PART = 10; // milliseconds of answers over a box between two frames

const middleOf = (c, [lo, hi]) => (c.log ? Math.sqrt(lo) * Math.sqrt(hi) : (lo + hi) / 2);
const sayRange = ([lo, hi], n) => `${digits(lo, n)}..${digits(hi, n)}`;
const saysRange = (text) => text.includes("..");

// [lo, hi] of "1500..2500" or "1.5..2.5 kN/m", a text why not otherwise.
function typedRange(c, text) {
  const parts = text.split(".."),
    unit = /[^\d.,eE+-].*$/.exec((parts[1] || "").trim()),
    first = /[^\d.,eE+\s-]/.test(parts[0]) || !unit ? parts[0] : `${parts[0].trim()} ${unit[0].trim()}`,
    [lo, hi] = [first, parts[1] || ""].map((part) => typedNumber(part, c.unit));
  if (parts.length !== 2 || !(lo < hi)) return `${c.name}: "${text.trim()}" is not a range, and ${c.name} stays as it was; allowed: LEAST..MOST.`;
  const slack = SLACK * Math.max(Math.abs(c.lo), Math.abs(c.hi));
  if (lo < c.lo - slack || hi > c.hi + slack)
    return `${c.name}: ${digits(lo)}..${digits(hi)} reaches out of what was compared, from ${digits(c.lo)} to ${digits(c.hi)}; ${c.name} stays as it was.`;
  return [Math.max(lo, c.lo), Math.min(hi, c.hi)];
}

// The range of a column, which its value is the middle of; null: the value alone.
function setRange(explorer, i, range) {
  const c = explorer.meta.columns[i];
  explorer.range[i] = range;
  if (range) explorer.value[i] = middleOf(c, range);
}

// Takes what was typed for a column or stands in an address; a text why not.
function takeRange(explorer, i, text) {
  const found = typedRange(explorer.meta.columns[i], text);
  if (typeof found === "string") return found;
  setRange(explorer, i, found);
  return "";
}

// The two handles of a column and the button that spreads them: {button, pair, show}.
function spreadHandles(explorer, i, id) {
  const c = explorer.meta.columns[i],
    between = make("div", { class: "between" });
  const handle = (end) =>
    make("input", { type: "range", id: `${id}-${end}`, min: 0, max: 1000, step: 1, "aria-label": `${c.name}, ${end}` });
  const ends = [handle("least"), handle("most")],
    pair = make("div", { class: "spread" }, between, ends),
    button = make("button", { type: "button", class: "spreads", id: `${id}-spread` }, "\u2194");
  const show = () => {
    const range = explorer.range[i];
    pair.hidden = !range;
    button.setAttribute("aria-pressed", String(Boolean(range)));
    button.setAttribute("aria-label", range ? `${c.name}: one value again` : `${c.name}: spread to a range`);
    button.title = range ? "one value again" : "spread to a range";
    if (!range) return;
    const [lo, hi] = range.map((v) => placeOf(c, v));
    ends.forEach((e, k) => {
      e.value = String(1000 * [lo, hi][k]);
      e.setAttribute("aria-valuetext", `${digits(range[k], 4)}${c.unit && c.unit !== "1" ? ` ${c.unit}` : ""}`);
    });
    between.style.left = `calc(0.5rem + ${lo} * (100% - 1rem))`;
    between.style.width = `calc(${hi - lo} * (100% - 1rem))`;
  };
  const move = (k) => {
    const at = ends.map((e) => Number(e.value) / 1000);
    at[k] = k ? Math.max(at[1], at[0] + LEAST) : Math.min(at[0], at[1] - LEAST);
    const found = [...explorer.range[i]];
    found[k] = valueAt(c, at[k]);
    if (found[0] < found[1]) setRange(explorer, i, found);
  };
  ends.forEach((e, k) => {
    e.addEventListener("input", () => {
      move(k);
      explorer.complaint = "";
      explorer.shows.forEach((shown) => shown());
      explorer.draw(true);
    });
    e.addEventListener("change", () => explorer.draw());
  });
  button.addEventListener("click", () => {
    const at = Math.min(1, Math.max(0, placeOf(c, explorer.value[i])));
    const around = [Math.max(0, at - SPREAD), Math.min(1, at + SPREAD)].map((u) => valueAt(c, u));
    setRange(explorer, i, explorer.range[i] ? null : around);
    explorer.shows.forEach((shown) => shown());
    explorer.draw();
  });
  return { button, pair, show };
}

// Answers over the box, made between frames and shown when all are there.
class BoxShown {
  constructor(explorer) {
    this.explorer = explorer;
  }

  // The ends of each coordinate, in 0 .. 1; null: no range; a text why nothing is said of the box.
  ends() {
    const { meta, range, value } = this.explorer;
    if (!range.some(Boolean)) return null;
    const out = meta.columns.findIndex((c, i) => !range[i] && Math.abs(placeOf(c, value[i]) - 0.5) > 0.5 + SLACK);
    if (out >= 0) return `${meta.columns[out].name} = ${digits(value[out])} is outside of what was compared: nothing is said of a range there.`;
    return meta.columns.map((c, i) => (range[i] || [value[i], value[i]]).map((v) => Math.min(1, Math.max(0, placeOf(c, v)))));
  }

  ask(moving) {
    const { explorer } = this,
      ends = this.ends();
    clearTimeout(this.later);
    this.box = null;
    $("box").hidden = !ends;
    $("box").setAttribute("aria-busy", String(Array.isArray(ends)));
    if (!Array.isArray(ends)) {
      $("box-said").replaceChildren(...(ends ? [make("dt", {}, "In the range"), make("dd", {}, ends)] : []));
      return;
    }
    const probability = $("rule").value ? Number($("rule").value) : NaN;
    this.box = new BoxAnswer(explorer.surrogate, { ends, sample: explorer.sample, error: explorer.asked, probability, allowed: explorer.may });
    this.later = setTimeout(() => this.goOn(), moving ? 160 : 0);
  }

  goOn() {
    const began = performance.now();
    while (!this.box.done && performance.now() - began < PART) this.box.next();
    if (!this.box.done) {
      this.later = setTimeout(() => this.goOn());
      return;
    }
    this.say(this.box.found());
    $("box").setAttribute("aria-busy", "false");
    document.documentElement.dataset.box = String(this.explorer.turn);
  }

  say(found) {
    const { explorer } = this,
      rows = [],
      row = (name, text) => rows.push(make("dt", {}, name), make("dd", {}, text)),
      chances = ({ least, most }) => `probability ${explorer.chance(least)} to ${explorer.chance(most)}`,
      works = ({ least, most }) => `${workShort(least)} to ${workText(most)}`;
    const said = found.winners.map(({ pair, share }) => `${explorer.pair(pair).name} at ${percent(share)} of its places`);
    if (found.unanswered > 0)
      said.push(`no solver that was compared at ${percent(found.unanswered)}${found.unverified > 0 ? ", for want of references in a part of it" : ""}`);
    row("In the range", said.join("; "));
    if (found.winners.length)
      row(
        "The best of each place",
        `${chances(found.probability)} (mean ${explorer.chance(found.probability.mean)}), ${works(found.work)} (mean ${workShort(found.work.mean)})`,
      );
    const { one } = found;
    row(
      "One answer for all of it",
      one
        ? `${explorer.pair(one.pair).name} at rtol ${digits(one.rtol, 2)}: ${chances(one.probability)}, ${works(one.work)}, in total ${percent(one.more)} more than the best of each place`
        : "none has one that holds in all of it",
    );
    $("box-said").replaceChildren(...rows);
  }
}
