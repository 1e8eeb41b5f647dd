// Pictures of the page: a raster on a canvas and lines in an SVG, with ticks by decades.  Colours
// come from the page's variables, so that both themes are drawn by the same code.

const SVG = "http://www.w3.org/2000/svg";

// An element of HTML or, with a name like "svg:path", of SVG.  Texts are texts, whatever is in them.
function make(name, attributes = {}, ...children) {
  const svg = name.startsWith("svg:");
  const made = svg ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key in made && !svg && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// 0.0034 and 1.2e-7 with n digits, as one would type them.
function digits(x, n = 3) {
  if (x === 0) return "0";
  const size = Math.abs(x),
    short = Number(x.toPrecision(n));
  if (size >= 1e-3 && size < 1e6) return String(short);
  return short.toExponential().replace("e+", "e");
}

// 12 345 with thin spaces, for counts.
function count(x) {
  if (x >= 1e7) return digits(x);
  const whole = x < 100 ? digits(x, 3) : String(Math.round(Number(x.toPrecision(4))));
  return whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

const percent = (p) =>
  p > 0.995 && p < 1 ? "over 99 %" : p > 0 && p < 0.005 ? "under 1 %" : `${Math.round(100 * p)} %`;

// Values for ticks between lo and hi: decades, or round numbers.
function ticks(lo, hi, log, most = 7) {
  const found = [];
  if (log) {
    const decades = Math.log10(hi / lo),
      every = Math.max(1, Math.ceil(decades / most));
    for (let p = Math.ceil(Math.log10(lo) - 1e-9); p <= Math.log10(hi) + 1e-9; ++p)
      if (p % every === 0) found.push(10 ** p);
    if (found.length > 2 || decades > 3) return found;
    const part = [];
    for (let p = Math.floor(Math.log10(lo)); p <= Math.log10(hi); ++p)
      for (const m of decades > 1.2 ? [1, 3] : [1, 2, 5])
        if (m * 10 ** p >= lo * (1 - 1e-9) && m * 10 ** p <= hi * (1 + 1e-9)) part.push(m * 10 ** p);
    if (part.length > 1) return part;
  }
  const rough = (hi - lo) / Math.min(most, 5),
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; ++k)
    found.push(Number((k * step).toPrecision(12)));
  return found;
}

// The shape of a strategy's mark around 0, 0, of about the size 2 r.
const MARKS = {
  circle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  diamond: (r) => `M0 ${-1.25 * r}L${1.25 * r} 0L0 ${1.25 * r}L${-1.25 * r} 0Z`,
  triangle: (r) => `M0 ${-1.2 * r}L${1.1 * r} ${0.85 * r}L${-1.1 * r} ${0.85 * r}Z`,
  square: (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  cross: (r) => `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`,
};

function mark(look, x, y, r, more = {}) {
  return make("svg:path", {
    d: MARKS[look.mark](r),
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    fill: look.filled ? look.colour : variable("--card"),
    stroke: look.colour,
    "stroke-width": 1.5,
    ...more,
  });
}

// For a legend: a piece of line with its mark.
function sample(look) {
  const svg = make("svg:svg", { viewBox: "0 0 26 14", "aria-hidden": "true" });
  svg.append(
    make("svg:line", {
      x1: 0,
      x2: 26,
      y1: 7,
      y2: 7,
      stroke: look.colour,
      "stroke-width": 2,
      "stroke-dasharray": look.dash,
    }),
    mark(look, 13, 7, 3.4),
  );
  return svg;
}

// Error against work: lines {look, title, points [[work, error]], band [[least, most error]] or [], weight}, the chosen point and the asked error.
function drawPrecision(svg, { lines, chosen, asked, label, name, width, height }) {
  const left = 54,
    right = width - 12,
    top = 12,
    bottom = height - 42;
  const all = lines.flatMap((line) => line.points),
    floor = 1e-13;
  const errors = all.map((p) => Math.max(p[1], floor)),
    works = all.map((p) => p[0]);
  const ends = (values, more) => {
    const lo = Math.min(...values, more),
      hi = Math.max(...values, more);
    return [10 ** (Math.floor(Math.log10(lo) * 2 - 0.2) / 2), 10 ** (Math.ceil(Math.log10(hi) * 2 + 0.2) / 2)];
  };
  const [xl, xh] = ends(works, works[0] || 1),
    [yl, yh] = ends(
      errors.map((e) => Math.min(e, Math.max(10, asked))),
      asked,
    );
  const X = (w) => left + ((right - left) * Math.log(w / xl)) / Math.log(xh / xl);
  const Y = (e) => bottom - ((bottom - top) * Math.log(Math.min(Math.max(e, yl), yh) / yl)) / Math.log(yh / yl);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const text = (x, y, said, more) => svg.append(make("svg:text", { x, y, ...more }, said));
  for (const t of ticks(xl, xh, true)) {
    svg.append(make("svg:line", { class: "grid", x1: X(t), x2: X(t), y1: top, y2: bottom }));
    text(X(t), bottom + 17, workShort(t), { "text-anchor": X(t) > right - 24 ? "end" : "middle", class: "quiet-text" });
  }
  for (const t of ticks(yl, yh, true)) {
    svg.append(make("svg:line", { class: "grid", x1: left, x2: right, y1: Y(t), y2: Y(t) }));
    text(left - 7, Y(t) + 4, digits(t), { "text-anchor": "end", class: "quiet-text" });
  }
  text((left + right) / 2, height - 6, costOfF ? "time of one run" : "work of one run, in evaluations of f", {
    "text-anchor": "middle",
    class: "quiet-text",
  });
  svg.append(
    make("svg:rect", {
      x: left,
      y: Y(asked),
      width: right - left,
      height: Math.max(0, bottom - Y(asked)),
      fill: variable("--accent"),
      opacity: 0.07,
    }),
  );
  svg.append(
    make("svg:line", {
      x1: left,
      x2: right,
      y1: Y(asked),
      y2: Y(asked),
      stroke: variable("--accent"),
      "stroke-width": 1.5,
    }),
  );
  text(right - 4, Y(asked) - 5, `${name} asked`, { "text-anchor": "end" });
  for (const line of [...lines].sort((p, q) => p.weight - q.weight)) {
    const points = line.points.map(([w, e]) => [X(w), Y(e)]),
      bold = line.weight === 2;
    const group = make("svg:g", { opacity: line.weight ? 1 : 0.5 }, make("svg:title", {}, line.title));
    const edges = [0, 1].map((side) => line.band.map((ends, i) => [points[i][0], Y(ends[side])]));
    if (line.band.length > 1)
      group.append(
        make("svg:polygon", {
          class: "band",
          points: [...edges[0], ...edges[1].reverse()].map((p) => p.map((v) => v.toFixed(1)).join()).join(" "),
          fill: line.look.colour,
          opacity: 0.18,
        }),
      );
    group.append(
      make("svg:polyline", {
        points: points.map((p) => p.map((v) => v.toFixed(1)).join()).join(" "),
        fill: "none",
        stroke: line.look.colour,
        "stroke-width": bold ? 3.2 : 1.4,
        "stroke-dasharray": line.look.dash,
        "stroke-linejoin": "round",
      }),
    );
    for (const p of points) group.append(mark(line.look, p[0], p[1], bold ? 3.6 : 2.6));
    svg.append(group);
  }
  if (!chosen) return;
  const x = X(chosen.work),
    y = Y(chosen.error);
  svg.append(make("svg:circle", { cx: x, cy: y, r: 9, fill: "none", stroke: variable("--ink"), "stroke-width": 2.2 }));
  const end = x > (left + right) / 2;
  const box = make(
    "svg:text",
    {
      x: x + (end ? -14 : 14),
      y: y + (y > bottom - 24 ? -12 : 20),
      "text-anchor": end ? "end" : "start",
      "font-weight": 650,
      style: `paint-order:stroke;stroke:${variable("--card")};stroke-width:4px`,
    },
    label,
  );
  svg.append(box);
}

// Winners over two axes: raster {n, cells [y][x]}, axes {x, y: {name, column}}, the point at 0 .. 1.
function drawMap(canvas, { raster, x, y, at, ends, width, height }) {
  const scale = window.devicePixelRatio || 1,
    left = 58,
    right = width - 10,
    top = 8,
    bottom = height - 40;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const g = canvas.getContext("2d"),
    ink = variable("--ink"),
    quiet = variable("--quiet");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  const device = [left, top, right - left, bottom - top].map((v) => Math.round(v * scale)),
    X = (i) => left + ((right - left) * i) / raster.n,
    Y = (j) => bottom - ((bottom - top) * j) / raster.n;
  g.putImageData(paintCells(raster, device[2], device[3], scale), device[0], device[1]);
  strokeBorders(g, raster, X, Y);
  writeNames(g, raster, X, Y);
  g.strokeStyle = variable("--line");
  g.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
  g.fillStyle = quiet;
  g.font = "12px system-ui, sans-serif";
  const place = (axis, value) =>
    (axis.measured(value) - axis.measured(axis.lo)) / (axis.measured(axis.hi) - axis.measured(axis.lo));
  g.textAlign = "center";
  for (const t of ticks(x.lo, x.hi, x.log, 6))
    g.fillText(digits(t), Math.min(right - 12, left + (right - left) * place(x, t)), bottom + 15);
  g.fillText(x.said, (left + right) / 2, height - 6);
  g.textAlign = "right";
  for (const t of ticks(y.lo, y.hi, y.log, 6))
    g.fillText(digits(t), left - 6, Math.max(top + 10, bottom - (bottom - top) * place(y, t) + 4));
  g.save();
  g.translate(11, (top + bottom) / 2);
  g.rotate(-Math.PI / 2);
  g.textAlign = "center";
  g.fillText(y.said, 0, 0);
  g.restore();
  const px = left + (right - left) * at[0],
    py = bottom - (bottom - top) * at[1];
  for (const [colour, thick] of [
    [variable("--card"), 5],
    [ink, 2.2],
  ]) {
    g.strokeStyle = colour;
    g.lineWidth = thick;
    g.beginPath();
    g.arc(px, py, 8, 0, 2 * Math.PI);
    g.stroke();
    if (!ends) continue;
    const [[x0, x1], [y0, y1]] = ends;
    g.strokeRect(left + (right - left) * x0, bottom - (bottom - top) * y1, (right - left) * (x1 - x0), (bottom - top) * (y1 - y0));
  }
  g.lineWidth = 1;
  return (u, v) => [(u - left) / (right - left), (bottom - v) / (bottom - top)];
}
