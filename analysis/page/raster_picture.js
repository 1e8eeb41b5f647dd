// A raster on a canvas: colours of solvers, textures of strategies, borders, names.

const PERIOD = 6, // of textures, in pixels of the page
  TEXTURE = 0.16, // how much darker it is
  WIDTHS = [0.6, 1, 1.5, 2.1], // of borders from faint to dark
  SHADES = [0.35, 0.55, 0.8, 1];
const TEXTURES = { switch: "", event: "dots", ess: "rising", ess2: "falling" },
  OTHER_TEXTURE = "level";
const GAPS = {
  no_config: { name: "none", texture: "rising" },
  no_reference: { name: "?", texture: "crosses" },
  captured: { name: "captured", texture: "level" },
};
const NAME_SIZES = [13, 11, 10];

// Is a pixel of the page darker? x to the right, y downwards.
const textures = {
  dots: (x, y) => (x + (Math.floor(y / (PERIOD / 2)) % 2) * (PERIOD / 2)) % PERIOD < 1.2 && y % (PERIOD / 2) < 1.2,
  rising: (x, y) => (x + y) % PERIOD < 1.2,
  falling: (x, y) => (x - y + 1e4 * PERIOD) % PERIOD < 1.2,
  level: (x, y) => y % PERIOD < 1.2,
  crosses: (x, y) => textures.rising(x, y) || textures.falling(x, y),
};
const textureOf = (strategy) => textures[strategy in TEXTURES ? TEXTURES[strategy] : OTHER_TEXTURE];

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const mixed = (from, to, share) => from.map((v, i) => Math.round(v + (to[i] - v) * share));

// Colours of a cell: its ground and, where its texture is, another colour.
function paintOf(cell, card, quiet, tie) {
  if (cell.gap) return { ground: cell.gap === "no_config" ? tie : card, line: quiet, texture: textures[GAPS[cell.gap].texture] };
  const ground = mixed(card, rgb(cell.look.colour), FULLNESS[marginStep(cell.margin)]);
  return { ground, line: mixed(ground, [0, 0, 0], TEXTURE), texture: textureOf(cell.strategy) };
}

function paintCells(raster, wide, high, scale) {
  const { n, cells } = raster,
    image = new ImageData(wide, high),
    [card, quiet, tie] = ["--card", "--quiet", "--tie"].map((name) => rgb(variable(name))),
    paints = new Map();
  const set = (at, [r, g, b]) => {
    image.data[at] = r;
    image.data[at + 1] = g;
    image.data[at + 2] = b;
    image.data[at + 3] = 255;
  };
  const column = Array.from({ length: wide }, (_, u) => Math.min(n - 1, Math.floor((n * u) / wide)));
  for (const cell of new Set(cells)) paints.set(cell, paintOf(cell, card, quiet, tie));
  const all = cells.map((cell) => paints.get(cell));
  for (let v = 0, at = 0; v < high; ++v) {
    const row = n * Math.min(n - 1, Math.floor((n * (high - 1 - v)) / high));
    for (let u = 0; u < wide; ++u, at += 4) {
      const { ground, line, texture } = all[row + column[u]];
      set(at, texture && texture(u / scale, v / scale) ? line : ground);
    }
  }
  return image;
}

// Borders, each kind in one stroke; X and Y: from points to pixels.
function strokeBorders(g, raster, X, Y) {
  const { n, cells } = raster,
    step = borderSteps(raster),
    paths = Array.from({ length: BORDERS }, () => new Path2D());
  const line = (k, x0, y0, x1, y1) => {
    const path = paths[step(k)];
    path.moveTo(X(x0), Y(y0));
    path.lineTo(X(x1), Y(y1));
  };
  for (let j = 0; j < n; ++j)
    for (let i = 0; i < n; ++i) {
      const k = j * n + i;
      if (i + 1 < n && cells[k].kind !== cells[k + 1].kind) line(k, i + 1, j, i + 1, j + 1);
      if (j + 1 < n && cells[k].kind !== cells[k + n].kind) line(k, i, j + 1, i + 1, j + 1);
    }
  g.save();
  g.strokeStyle = variable("--ink");
  g.lineCap = "round";
  paths.forEach((path, kind) => {
    g.lineWidth = WIDTHS[kind];
    g.globalAlpha = SHADES[kind];
    g.stroke(path);
  });
  g.restore();
}

function writeName(g, text, x, y, size, upright) {
  g.save();
  g.translate(x, y);
  if (upright) g.rotate(-Math.PI / 2);
  g.font = `${size}px system-ui, sans-serif`;
  const half = g.measureText(text).width / 2 + 4;
  g.globalAlpha = 0.82;
  g.fillStyle = variable("--card");
  g.fillRect(-half, -0.7 * size, 2 * half, 1.4 * size);
  g.globalAlpha = 1;
  g.fillStyle = variable("--ink");
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, 0, 0);
  g.restore();
}

// Names where there is room for them, upright where there is none across.
function writeNames(g, raster, X, Y) {
  const { n } = raster,
    point = [(X(n) - X(0)) / n, (Y(0) - Y(n)) / n];
  for (const kind of new Set(raster.cells.map((cell) => cell.kind))) {
    const text = kind in GAPS ? GAPS[kind].name : kind,
      across = NAME_SIZES.map((size) => ({ size, long: 0.62 * (text.length + 1) * size, tall: 1.7 * size })),
      boxes = [false, true].flatMap((upright) =>
        across.map(({ size, long, tall }) => ({ size, upright, wide: (upright ? tall : long) / point[0], high: (upright ? long : tall) / point[1] })),
      );
    const place = nameAt(raster, kind, boxes);
    if (place) writeName(g, text, X(place.x), Y(place.y), place.box.size, place.box.upright);
  }
}

// A strategy's texture, or a gap's, for a legend.
function textureSample(texture) {
  const canvas = make("canvas", { width: 26, height: 14, class: "swatch", "aria-hidden": "true" }),
    g = canvas.getContext("2d");
  g.fillStyle = variable("--tie");
  g.fillRect(0, 0, 26, 14);
  g.fillStyle = variable("--quiet");
  for (let v = 0; texture && v < 14; ++v) for (let u = 0; u < 26; ++u) if (texture(u, v)) g.fillRect(u, v, 1, 1);
  return canvas;
}
