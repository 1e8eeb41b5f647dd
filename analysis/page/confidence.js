// The confidence that one answer needs less work than another at a point: the same as src/answers/confidence.c.

const LEAST_SCATTER = 1e-4; // of the difference of what two take
const LARGEST = 0.9999;

// Work of a pair for an error, in one of the cells around: ln(work), and by how much ln(error) is above it times what a smaller
// one costs.
function costOf(surrogate, planes, asked, { pair, rtol }) {
  const place = surrogate.placeTolerance.indexOf(rtol),
    last = surrogate.nTolerance - 1,
    level = surrogate.placeLevel[place];
  const near = pair * surrogate.nTolerance + level + (surrogate.placeShare[place] > 0.5 ? 1 : 0),
    loose = pair * surrogate.nTolerance + Math.max(0, Math.min(level, last - 1)),
    tight = last ? loose + 1 : loose;
  const gained = planes.mu[loose] - planes.mu[tight],
    paid = planes.lnWork[tight] - planes.lnWork[loose];
  const trade = gained > 0 && paid > 0 ? Math.min(paid / gained, 1) : 0;
  return (cell) => {
    const c = cell * surrogate.nConfig + near;
    return surrogate.lnWork[c] + trade * (surrogate.lnError[c] - asked);
  };
}

// The share of Student's distribution with 4 degrees of freedom up to t.
function belowInStudent(t) {
  const u = 1 + (t * t) / 4;
  return 0.5 + ((0.375 * t) / Math.sqrt(u)) * (1 - (t * t) / (12 * u));
}

// The plane through values at some of the cells: its value at the point, and the mean square by which another cell is off it; NaN: too few.
function forecastOf(planes, rows, y, size) {
  const x = new Float64Array(rows.length * size),
    w = rows.map((i) => planes.w[i]),
    beta = new Float64Array(size);
  rows.forEach((i, k) => x.set(planes.x.subarray(i * size, (i + 1) * size), k * size));
  const inverse = weightedInverse(rows.length, size, x, w);
  let sum = 0,
    weights = 0,
    squares = 0;
  for (let p = 0; p < size; ++p) for (let k = 0; k < rows.length; ++k) beta[p] += inverse[p * rows.length + k] * y[k];
  rows.forEach((_, k) => {
    let off = y[k];
    for (let p = 0; p < size; ++p) off -= x[k * size + p] * beta[p];
    sum += w[k] * (off * off);
    weights += w[k];
    squares += w[k] * w[k];
  });
  const effective = (weights * weights) / squares;
  const enough = effective - size > 1 && weights >= 0.5 * planes.sum;
  return { at: beta[0], square: enough ? ((sum / weights) * (effective + size)) / (effective - size) : NaN };
}

// The probability that the first choice takes less work for the asked error than the second.
function confidenceOf(surrogate, planes, lnAsked, first, second) {
  const size = surrogate.d + 1,
    one = costOf(surrogate, planes, lnAsked, first),
    other = costOf(surrogate, planes, lnAsked, second);
  const differs = planes.cell.map((cell) => one(cell) - other(cell));
  const rows = [...differs.keys()].filter((i) => !Number.isNaN(differs[i]));
  if (rows.length < size + 1) return NaN;
  const more = forecastOf(planes, rows, rows.map((i) => differs[i]), size),
    t = -more.at / Math.max(Math.sqrt(more.square), LEAST_SCATTER);
  return Number.isNaN(t) ? NaN : Math.max(Math.min(belowInStudent(t), LARGEST), 1 - LARGEST);
}
