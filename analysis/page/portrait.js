// Orbits in the plane: the phase portrait of a position with its velocity, and multipliers beside the unit circle.

// xs, ys: least and largest value; log: is the axis up logarithmic; square: has a unit the same length on both?
function frameOf(svg, { xs, ys, left = 56, square = false, high = 0, log = false }) {
  const width = svg.clientWidth || 360,
    height = high || Math.max(220, Math.min(360, 0.72 * width)),
    measure = log ? Math.log10 : (v) => v;
  const pad = ([lo, hi]) => {
    const span = hi - lo || Math.abs(hi) || 1;
    return [lo - 0.06 * span, hi + 0.06 * span];
  };
  let [x0, x1] = pad(xs),
    [y0, y1] = pad(ys.map(measure));
  const right = width - 10,
    top = 10,
    bottom = height - 40;
  if (square) {
    const scale = Math.max((x1 - x0) / (right - left), (y1 - y0) / (bottom - top));
    const mx = (x0 + x1) / 2,
      my = (y0 + y1) / 2;
    [x0, x1] = [mx - (scale * (right - left)) / 2, mx + (scale * (right - left)) / 2];
    [y0, y1] = [my - (scale * (bottom - top)) / 2, my + (scale * (bottom - top)) / 2];
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.replaceChildren();
  const X = (x) => left + ((right - left) * (x - x0)) / (x1 - x0),
    Y = (y) => bottom - ((bottom - top) * (measure(y) - y0)) / (y1 - y0);
  const [low, most] = log ? [10 ** y0, 10 ** y1] : [y0, y1];
  return { X, Y, x0, x1, y0: low, y1: most, left, right, top, bottom, width, height, log };
}

function axesOf(svg, f, across, up) {
  for (const x of ticks(f.x0, f.x1, false, f.width > 420 ? 6 : 4)) {
    svg.append(make("svg:line", { class: "grid", x1: f.X(x), x2: f.X(x), y1: f.top, y2: f.bottom }));
    svg.append(make("svg:text", { class: "quiet-text", x: f.X(x), y: f.bottom + 15, "text-anchor": "middle" }, digits(x, 4)));
  }
  for (const y of ticks(f.y0, f.y1, f.log, 5)) {
    svg.append(make("svg:line", { class: "grid", x1: f.left, x2: f.right, y1: f.Y(y), y2: f.Y(y) }));
    svg.append(make("svg:text", { class: "quiet-text", x: f.left - 6, y: f.Y(y) + 4, "text-anchor": "end" }, digits(y, 4)));
  }
  svg.append(make("svg:text", { x: f.right, y: f.height - 6, "text-anchor": "end" }, across));
  svg.append(make("svg:text", { x: 12, y: f.top + 12, transform: `rotate(-90 12 ${f.top + 12})`, "text-anchor": "end" }, up));
}

const extent = (values) => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);

// Events of a portrait, each where it leads to; of a few the names stand beside them, one below the other where they are the same place.
function nameLandings(svg, f, landings, names) {
  const taken = [];
  landings.forEach(([cx, cy], k) => {
    if (!names[k]) return;
    svg.append(make("svg:circle", { class: "landing", cx, cy, r: 3 }, make("svg:title", {}, names[k])));
    const right = cx > (f.left + f.right) / 2,
      free = (y) => y > f.top + 8 && y < f.bottom && !taken.some(([x, at]) => Math.abs(x - cx) < 90 && Math.abs(at - y) < 13);
    const y = [-7, 15, -21, 29, -35, 43].map((off) => cy + off).find(free);
    if (landings.length > 6 || y === undefined) return;
    taken.push([cx, y]);
    svg.append(make("svg:text", { class: "quiet-text", x: cx + (right ? -7 : 7), y, "text-anchor": right ? "end" : "start" }, names[k]));
  });
}

// x, y [sample]; t [sample], of which two that are equal lie on either side of a jump.  Returns what moves the point.
function drawPortrait(svg, { t, x, y, across, up, names = [] }) {
  const f = frameOf(svg, { xs: extent(x), ys: extent(y), left: 66 });
  axesOf(svg, f, across, up);
  const landings = [];
  let d = "",
    jumps = "";
  t.forEach((time, i) => {
    const at = `${f.X(x[i]).toFixed(1)} ${f.Y(y[i]).toFixed(1)}`,
      jump = i > 0 && time === t[i - 1];
    if (jump) landings.push([f.X(x[i]), f.Y(y[i])]);
    if (jump) jumps += `M${f.X(x[i - 1]).toFixed(1)} ${f.Y(y[i - 1]).toFixed(1)}L${at}`;
    d += `${i && !jump ? "L" : "M"}${at}`;
  });
  const dot = make("svg:circle", { class: "now", r: 4.5 });
  svg.append(make("svg:path", { class: "history", d }), make("svg:path", { class: "jump", d: jumps }));
  nameLandings(svg, f, landings, names);
  svg.append(dot);
  return (px, py) => {
    dot.setAttribute("cx", f.X(px));
    dot.setAttribute("cy", f.Y(py));
  };
}

// Where a multiplier is: beyond 3 it is drawn at the border, on its own ray.
const MOST_SIZE = 3;

function drawMultipliers(svg, multipliers) {
  const sizes = multipliers.map(([re, im]) => Math.hypot(re, im)),
    reach = Math.min(Math.max(1.25, 1.08 * Math.max(...sizes)), MOST_SIZE);
  const f = frameOf(svg, { xs: [-reach, reach], ys: [-reach, reach], left: 44, square: true, high: Math.min(320, Math.max(240, svg.clientWidth || 300)) });
  axesOf(svg, f, "real part", "imaginary part");
  svg.append(make("svg:circle", { class: "unit", cx: f.X(0), cy: f.Y(0), r: f.X(1) - f.X(0) }));
  multipliers.forEach(([re, im], i) => {
    const out = sizes[i] > 1 + MARGIN,
      share = sizes[i] > reach ? reach / sizes[i] : 1,
      x = f.X(re * share),
      y = f.Y(im * share);
    const made = out
      ? make("svg:path", { class: "multiplier outside", d: `M${x - 5} ${y - 5}l10 10M${x - 5} ${y + 5}l10 -10` })
      : make("svg:circle", { class: "multiplier", cx: x, cy: y, r: 4.5 });
    made.append(make("svg:title", {}, complexText(re, im)));
    svg.append(made);
  });
}

const complexText = (re, im) =>
  im === 0 ? digits(re, 6) : `${digits(re, 6)} ${im < 0 ? "\u2212" : "+"} ${digits(Math.abs(im), 6)} i`;

// Closer to the unit circle than this is on it.
const MARGIN = 1e-6;

function sideOf([re, im]) {
  const size = Math.hypot(re, im);
  return Math.abs(size - 1) <= MARGIN ? "on it" : size < 1 ? "inside" : "outside";
}

function multiplierTable(multipliers) {
  const row = ([re, im]) =>
    make("tr", {}, make("td", {}, complexText(re, im)), make("td", { class: "n" }, digits(Math.hypot(re, im), 6)), make("td", {}, sideOf([re, im])));
  const head = make("tr", {}, make("th", {}, "multiplier"), make("th", { class: "n" }, "size"), make("th", {}, "unit circle"));
  return make("table", {}, head, ...multipliers.map(row));
}
