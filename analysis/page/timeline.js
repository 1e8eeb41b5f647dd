// The axis of time: intervals in which contacts are closed, events, and the time that is shown; and quantities over it.

const GUTTER = 96,
  ROW = 20;

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
}

function timeTicks(svg, X, end, y) {
  for (const t of ticks(0, end, false, svg.clientWidth > 500 ? 7 : 4)) {
    svg.append(make("svg:line", { class: "grid", x1: X(t), x2: X(t), y1: 6, y2: y }));
    svg.append(make("svg:text", { class: "quiet-text", x: X(t), y: y + 14, "text-anchor": "middle" }, digits(t, 4)));
  }
}

// The time under a pointer.
function timeAt(svg, event, end) {
  const box = svg.getBoundingClientRect();
  return (end * (event.clientX - box.left - GUTTER)) / (box.width - GUTTER - 12);
}

// contacts [{name, closed [from, to, ..]}], events {t, name, contact}.  Returns what moves the cursor.
function drawTimeline(svg, { contacts, events, end, unit }) {
  const width = svg.clientWidth || 600,
    top = events.t.length ? 20 : 8,
    bottom = top + Math.max(contacts.length, 1) * ROW;
  const X = (t) => GUTTER + ((width - GUTTER - 12) * t) / end;
  svg.setAttribute("viewBox", `0 0 ${width} ${bottom + 36}`);
  svg.style.height = `${bottom + 36}px`;
  svg.replaceChildren();
  timeTicks(svg, X, end, bottom);
  svg.append(make("svg:text", { class: "quiet-text", x: width - 12, y: bottom + 31, "text-anchor": "end" }, `time${unit}`));
  contacts.forEach((contact, k) => {
    const y = top + k * ROW;
    svg.append(make("svg:text", { x: 0, y: y + 14 }, make("svg:title", {}, contact.name), shortened(contact.name, 14)));
    svg.append(make("svg:line", { class: "grid", x1: GUTTER, x2: width - 12, y1: y + 10, y2: y + 10 }));
    for (let i = 0; i < contact.closed.length; i += 2) {
      const [a, b] = [X(contact.closed[i]), X(contact.closed[i + 1])];
      svg.append(make("svg:rect", { class: "closed-bar", x: a, y: y + 4, width: Math.max(b - a, 1.5), height: 12, rx: 2 }));
    }
  });
  events.t.forEach((t, i) => {
    const tick = make("svg:path", { class: events.closes[i] ? "event closes" : "event", d: `M${X(t)} ${top - 2}l-4 -9h8Z` });
    tick.append(make("svg:title", {}, `${events.name[i]} at ${digits(t, 6)}`));
    svg.append(tick);
  });
  const cursor = make("svg:line", { class: "cursor", y1: 4, y2: bottom + 4 });
  svg.append(cursor);
  return (t) => {
    cursor.setAttribute("x1", X(t));
    cursor.setAttribute("x2", X(t));
  };
}

// One quantity over time, y [sample].  Returns what moves the cursor.
function drawHistory(svg, { t, y, end, label, closed }) {
  const width = svg.clientWidth || 320,
    height = 104,
    left = 58,
    right = width - 8,
    top = 22,
    bottom = height - 8;
  const low = Math.min(...y),
    high = Math.max(...y),
    span = high - low || Math.abs(high) || 1;
  const X = (v) => left + ((right - left) * v) / end,
    Y = (v) => bottom - ((bottom - top) * (v - low + 0.04 * span)) / (1.08 * span);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.replaceChildren(make("svg:text", { x: 0, y: 13 }, label));
  for (let i = 0; closed && i < closed.length; i += 2)
    svg.append(make("svg:rect", { class: "closed-band", x: X(closed[i]), y: top, width: X(closed[i + 1]) - X(closed[i]), height: bottom - top }));
  for (const v of high > low ? [low, high] : [low]) {
    svg.append(make("svg:line", { class: "grid", x1: left, x2: right, y1: Y(v), y2: Y(v) }));
    svg.append(make("svg:text", { class: "quiet-text", x: left - 5, y: Y(v) + 4, "text-anchor": "end" }, digits(v, 3)));
  }
  const path = t.map((time, i) => `${i ? "L" : "M"}${X(time).toFixed(1)} ${Y(y[i]).toFixed(1)}`).join("");
  const cursor = make("svg:line", { class: "cursor", y1: top, y2: bottom }),
    dot = make("svg:circle", { class: "now", r: 3.5 });
  svg.append(make("svg:path", { class: "history", d: path }), cursor, dot);
  return (time, value) => {
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, X(time));
    dot.setAttribute("cx", X(time));
    dot.setAttribute("cy", Y(value));
  };
}
