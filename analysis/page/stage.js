// The moving picture: shapes of a scene at any time between two samples, contacts that are closed, and flashes of events.

const COILS = 6;

// The points of a spring from a to b: straight ends and coils of the half width w.
function coil(ax, ay, bx, by, w) {
  const long = Math.hypot(bx - ax, by - ay) || 1e-12,
    nx = -(by - ay) / long,
    ny = (bx - ax) / long;
  const found = [ax, ay];
  for (let i = 0; i <= 2 * COILS; ++i) {
    const s = 0.12 + (0.76 * i) / (2 * COILS),
      off = i === 0 || i === 2 * COILS ? 0 : i % 2 ? w : -w;
    found.push(ax + s * (bx - ax) + off * nx, ay + s * (by - ay) + off * ny);
  }
  return found.concat([bx, by]);
}

// Samples by columns of float32, one after the other: [column][sample].
class Samples {
  constructor(times, numbers) {
    this.t = times;
    this.n = times.length;
    this.numbers = numbers;
  }

  // The sample before t, of several at one time the last, and how far t is from it to the next.
  place(t) {
    let lo = 0,
      hi = this.n - 1;
    while (hi - lo > 1) {
      const middle = (lo + hi) >> 1;
      if (this.t[middle] <= t) lo = middle;
      else hi = middle;
    }
    const long = this.t[hi] - this.t[lo];
    return { i: lo, share: long > 0 ? Math.min(Math.max((t - this.t[lo]) / long, 0), 1) : 0 };
  }

  value(column, at) {
    const k = column * this.n + at.i;
    return at.share > 0 ? (1 - at.share) * this.numbers[k] + at.share * this.numbers[k + 1] : this.numbers[k];
  }
}

const FLASH = 0.35; // seconds of the clock for which an event flashes

// Numbers of the contacts [{number, closed [from, to, ..]}] that are closed at t: an interval has its beginning, and not its end, where it is open again.
function closedAt(contacts, t, end) {
  const found = new Set();
  for (const { number, closed } of contacts)
    for (let i = 0; i < closed.length; i += 2)
      if (closed[i] <= t && (t < closed[i + 1] || closed[i + 1] >= end)) found.add(number);
  return found;
}

// {contact: 0 .. 1}: how much of a flash is over since it changed, at `rate` units of time a second; in an orbit also in the round before.
function flashesAt(events, time, rate, period) {
  const found = new Map(),
    long = FLASH * rate;
  for (let i = 0; i < events.t.length; ++i)
    for (const round of period ? [0, period] : [0]) {
      const age = time + round - events.t[i];
      if (age >= 0 && age < long) found.set(events.contact[i], age / long);
    }
  return found;
}

class Stage {
  constructor(svg, scene, samples) {
    this.svg = svg;
    this.scene = scene;
    this.samples = samples;
    const [x, y, wide, high] = scene.view;
    this.size = high;
    svg.setAttribute("viewBox", [x, -(y + high), wide, high].join(" "));
    this.world = make("svg:g");
    this.drawn = scene.shapes.map((shape) => this.element(shape));
    this.rings = Object.keys(scene.marks).map((k) => ({
      contact: Number(k),
      dot: make("svg:circle", { class: "touch", r: 0.02 * high }),
      ring: make("svg:circle", { class: "ring", "vector-effect": "non-scaling-stroke" }),
    }));
    this.world.append(...this.rings.flatMap((r) => [r.dot, r.ring]));
    svg.replaceChildren(this.world);
  }

  element(shape) {
    const made = make(shape.kind === "disc" ? "svg:circle" : "svg:path", {
      class: `shape ${shape.look}`,
      "vector-effect": "non-scaling-stroke",
    });
    if (shape.kind === "disc") made.setAttribute("r", shape.size);
    if (shape.name) made.append(make("svg:title", {}, shape.name));
    this.world.append(made);
    if (shape.still) this.put(made, shape, shape.still);
    return made;
  }

  put(element, shape, points) {
    if (shape.kind === "disc") {
      element.setAttribute("cx", points[0]);
      element.setAttribute("cy", -points[1]);
      return;
    }
    const all = shape.kind === "spring" ? coil(...points, shape.size) : points;
    let d = "";
    for (let i = 0; i < all.length; i += 2) d += `${i ? "L" : "M"}${all[i].toPrecision(6)} ${(-all[i + 1]).toPrecision(6)}`;
    element.setAttribute("d", shape.kind === "area" ? `${d}Z` : d);
  }

  points(shape, at) {
    return Array.from({ length: shape.n }, (_, k) => this.samples.value(shape.from + k, at));
  }

  // closed: numbers of the contacts that are; flashes: {contact: 0 .. 1}, how long ago it changed, as a share of a flash.
  show(t, closed, flashes) {
    const at = this.samples.place(t);
    this.scene.shapes.forEach((shape, k) => {
      if (!shape.still) this.put(this.drawn[k], shape, this.points(shape, at));
      if (shape.contact >= 0) this.drawn[k].classList.toggle("closed", closed.has(shape.contact));
    });
    if (this.scene.camera >= 0)
      this.world.setAttribute("transform", `translate(${-this.samples.value(this.scene.camera, at)} 0)`);
    for (const { contact, dot, ring } of this.rings) {
      const from = this.scene.marks[contact],
        age = flashes.get(contact);
      dot.style.display = closed.has(contact) ? "" : "none";
      ring.style.display = age === undefined ? "none" : "";
      for (const mark of [dot, ring]) {
        mark.setAttribute("cx", this.samples.value(from, at));
        mark.setAttribute("cy", -this.samples.value(from + 1, at));
      }
      if (age !== undefined) {
        ring.setAttribute("r", (0.025 + 0.07 * age) * this.size);
        ring.style.opacity = 1 - age;
      }
    }
  }
}
