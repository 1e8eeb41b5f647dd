// The question: sliders and boxes for the axes, words, the asked error, and who may answer.

const RULES = [
  ["", "least expected work, misses included"],
  ["0.8", "least work at 80 %"],
  ["0.9", "least work at 90 %"],
  ["0.95", "least work at 95 %"],
  ["0.99", "least work at 99 %"],
];
const PREFIXES = { k: 1e3, M: 1e6, G: 1e9, c: 1e-2, m: 1e-3, u: 1e-6, "\u00b5": 1e-6, n: 1e-9 };
const measure = (column) => (column.log ? Math.log : (v) => v);
const placeOf = (c, value) => (measure(c)(value) - measure(c)(c.lo)) / (measure(c)(c.hi) - measure(c)(c.lo));

const sayAxis = (c) => `${c.name}${c.what ? `, ${c.what}` : ""}${c.unit && c.unit !== "1" ? ` [${c.unit}]` : ""}`;

// The value at a place 0 .. 1, with as many digits as are shown.
function valueAt(c, u) {
  const raw = c.log ? c.lo * (c.hi / c.lo) ** u : c.lo + (c.hi - c.lo) * u;
  const short = c.whole ? Math.round(raw) : Number(raw.toPrecision(3));
  return Math.min(c.hi, Math.max(c.lo, short));
}

// A number, with the unit of the axis or a thousandth, a thousand .. of it; NaN: neither.
function typedNumber(text, unit) {
  const parts = /^\s*([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/.exec(text);
  if (!parts) return NaN;
  const said = parts[2].replace(/\s+/g, " "),
    number = Number(parts[1].replace(",", "."));
  if (said === "" || said === unit) return number;
  const scale = unit && unit !== "1" && said.slice(1) === unit ? PREFIXES[said[0]] : undefined;
  return scale === undefined ? NaN : Number((number * scale).toPrecision(12));
}

function complaintOf(c, text) {
  const allowed = `a number${c.log ? " above 0" : ""}${c.unit && c.unit !== "1" ? `, in ${c.unit} if nothing else is said` : ""}`;
  return `${c.name}: "${text.trim()}" is not understood, and ${c.name} stays as it was; allowed: ${allowed}.`;
}

class Question {
  constructor(meta, surrogate) {
    Object.assign(this, { meta, surrogate });
    this.error = {
      name: "error",
      what: `the ${meta.metric} allowed`,
      unit: meta.unit,
      log: true,
      lo: meta.errorEnds[0],
      hi: meta.errorEnds[1],
      asked: true,
    };
    this.value = meta.columns.map((c, i) => meta.start[i]);
    this.range = meta.columns.map(() => null); // [lo, hi] where a handle is spread; the value is its middle
    this.word = meta.options.map((o) => o.values[0]);
    this.asked = meta.error;
    this.may = meta.pairs.map(() => true); // answer
    this.language = "saltus";
    this.fCosts = 1e-6; // of one evaluation [s], where work is a time
    this.mapColumns = [...meta.columns, this.error]; // the asked error is an axis, too
    this.axes = meta.columns.length > 1 ? meta.mapAxes : [0, 1];
    this.shown = { key: "" };
    this.most = MOST_POINTS; // of the map, that are asked about
    this.turn = 0;
    this.redrawn = [];
  }

  start() {
    this.meta.columns.forEach((c, i) =>
      $("axes").append(
        this.slider(
          c,
          `a${i}`,
          () => this.value[i],
          (v) => {
            this.value[i] = v;
            this.range[i] = null;
          },
          i,
        ),
      ),
    );
    this.boxShown = new BoxShown(this);
    this.meta.options.forEach((o, i) => $("axes").append(this.words(o, i)));
    $("asked").append(
      this.slider(
        this.error,
        "error",
        () => this.asked,
        (v) => (this.asked = v),
      ),
    );
    addCost(this);
    $("rule").append(...RULES.map(([value, said]) => make("option", { value }, said)));
    for (const [id, place] of [
      ["strategies", 0],
      ["solvers", 1],
    ])
      for (const name of new Set(this.meta.pairs.map((p) => p[place])))
        $(id).append(make("label", {}, make("input", { type: "checkbox", value: name, checked: true }), ` ${name}`));
    const homes = Object.keys(HOMES).filter((home) => this.meta.pairs.some(([, solver]) => HOMES[home](solver)));
    $("home").append(...["", ...homes].map((value) => make("option", { value }, value || "any program")));
    $("home").addEventListener("change", () => {
      tickHome($("home").value);
      this.draw();
    });
    const { kept, cells, fixed } = this.meta;
    $("kept").textContent = [
      fixed.length ? `The same everywhere: ${fixed.map(([name, , value]) => `${name} = ${value}`).join(", ")}.` : "",
      kept < cells
        ? `This page holds ${kept} of the ${cells} cells, spread evenly over the box; the program reads all of them, and its answers are finer.`
        : "",
    ]
      .join(" ")
      .trim();
    this.pickers();
    $("question").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["rule", "solvers", "strategies"]) $(id).addEventListener("change", () => this.draw());
    $("map").addEventListener("click", (event) => this.pick(event));
    new ResizeObserver(() => this.redraw()).observe($("explorer"));
    window.addEventListener("hashchange", () => {
      takeAddress(this, location.hash);
      this.draw();
    });
    takeAddress(this, location.hash);
    this.draw();
  }

  // column: the number of a column, whose handle can be spread.
  slider(c, id, get, set, column = -1) {
    const spread = column < 0 ? null : spreadHandles(this, column, id),
      unit = c.unit && c.unit !== "1" ? ` [${c.unit}]` : "";
    const box = make("input", {
      type: "text",
      id,
      inputmode: "decimal",
      autocomplete: "off",
      "aria-describedby": `${id}-ends`,
    });
    const range = make("input", {
      type: "range",
      id: `${id}-range`,
      min: 0,
      max: 1000,
      step: c.whole && !c.log ? 1000 / (c.hi - c.lo) : 1,
      "aria-label": `${c.name}${c.what ? `, ${c.what}` : ""}`,
    });
    const show = () => {
      const ends = spread && this.range[column];
      if (spread) spread.show();
      range.hidden = Boolean(ends);
      box.classList.toggle("two", Boolean(ends));
      box.value = ends ? sayRange(ends, 3) : digits(get(), c.asked ? 2 : 4);
      range.value = String(1000 * Math.min(1, Math.max(0, placeOf(c, get()))));
      range.setAttribute("aria-valuetext", `${box.value}${unit}`);
    };
    const take = (text) => {
      const typed = typedNumber(text, c.unit);
      if (!Number.isFinite(typed) || (c.log && !(typed > 0))) return complaintOf(c, text);
      set(typed);
      return "";
    };
    range.addEventListener("input", () => {
      this.complaint = "";
      box.removeAttribute("aria-invalid");
      set(c.asked ? Number(valueAt(c, range.value / 1000).toPrecision(2)) : valueAt(c, range.value / 1000));
      box.value = digits(get(), c.asked ? 2 : 4);
      range.setAttribute("aria-valuetext", `${box.value}${unit}`);
      this.draw(true);
    });
    range.addEventListener("change", () => this.draw());
    box.addEventListener("change", () => {
      this.complaint = spread && saysRange(box.value) ? takeRange(this, column, box.value) : take(box.value);
      box.setAttribute("aria-invalid", String(this.complaint !== ""));
      show();
      this.draw();
    });
    (this.shows = this.shows || []).push(show);
    show();
    const ends = `from ${digits(c.lo)} to ${digits(c.hi)}`;
    const label = make(
      "label",
      { for: id, title: `${c.name}${c.what ? `, ${c.what}` : ""}: ${ends}` },
      make("b", {}, c.name),
      make("span", {}, `${c.what}${unit}`),
      box,
    );
    return make(
      "div",
      { class: "axis" },
      spread ? make("div", { class: "row" }, label, spread.button) : label,
      range,
      spread && spread.pair,
      make("span", { class: "hidden", id: `${id}-ends` }, ends),
    );
  }

  words(option, i) {
    const select = make(
      "select",
      { id: `o${i}` },
      option.values.map((v) => make("option", { value: v }, option.words[v])),
    );
    select.addEventListener("change", () => {
      this.word[i] = Number(select.value);
      this.draw();
    });
    return make(
      "div",
      { class: "axis" },
      make("label", { for: `o${i}` }, make("b", {}, option.name), make("span", {}, option.what), select),
    );
  }

  pickers() {
    const columns = this.mapColumns;
    ["to the right", "upwards"].forEach((way, k) => {
      const select = make(
        "select",
        { id: `map-${k}` },
        columns.map((c, i) => make("option", { value: i }, c.name)),
      );
      select.value = String(this.axes[k]);
      select.addEventListener("change", () => {
        const before = this.axes[k];
        this.axes[k] = Number(select.value);
        if (this.axes[1 - k] === this.axes[k]) this.axes[1 - k] = before;
        $(`map-${1 - k}`).value = String(this.axes[1 - k]);
        this.draw();
      });
      $("pickers").append(make("label", {}, `${way} `, select));
    });
  }

  get allowed() {
    const off = new Set(
      [...document.querySelectorAll("#solvers input, #strategies input")].filter((i) => !i.checked).map((i) => i.value),
    );
    return this.meta.pairs.map(([strategy, solver]) => !off.has(strategy) && !off.has(solver));
  }

  get sample() {
    return this.meta.samples.indexOf(this.word.join(" "));
  }

  places(values = this.value) {
    return this.meta.columns.map((c, i) => Math.min(1, Math.max(0, placeOf(c, values[i]))));
  }

  mapPlaces() {
    return [...this.places(), Math.min(1, Math.max(0, placeOf(this.error, this.asked)))];
  }

  // In the words of the program; at: of each column.
  question(at = this.meta.columns.map((c, i) => (this.range[i] ? sayRange(this.range[i], 12) : digits(this.value[i], 12)))) {
    const said = [
      ...this.meta.columns.map((c, i) => `${c.name}=${at[i]}`),
      ...this.meta.options.map((o, i) => `${o.name}=${o.words[this.word[i]]}`),
    ];
    return `--at ${said.join(",")} --error ${digits(this.asked, 12)}${$("rule").value ? ` --probability ${$("rule").value}` : ""}${costOption(this.surrogate.fCost)}`;
  }
}
