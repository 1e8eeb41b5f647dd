"""The reader once more, in the plainest NumPy, to compare the page with; see src/answers/reader.h."""

import math

import numpy as np


class PlainReader:
    """error, work [cell][pair][rung], NaN where a contender does not count; rungs loosest first."""

    def __init__(self, places, sample, error, work, tolerances, scale, share):
        self.places, self.sample, self.scale, self.share = places, np.asarray(sample), np.asarray(scale), share
        self.ln_error, self.ln_work = np.log(np.maximum(error, 1e-16)), np.log(work)
        self.tolerances, self.stations = list(tolerances), self.ladder(list(tolerances))

    @staticmethod
    def ladder(t):
        """[(tolerance, rung, share)] of the candidates."""
        found = []
        for j in range(len(t) - 1):
            n = max(1, round(16 * math.log10(t[j] / t[j + 1])))
            found += [(t[j] * (t[j + 1] / t[j]) ** (i / n), j, i / n) for i in range(n)]
        return [*found, (t[-1], len(t) - 1, 0.0)]

    def near(self, z, sample):
        cells = np.flatnonzero(self.sample == sample)
        distance = np.sqrt((((self.places[cells] - z) * self.scale) ** 2).sum(1))
        last = np.sort(distance)[min(max(32, 4 * (len(z) + 1)), cells.size) - 1] * (1 + 5e-10)
        beyond = distance[distance > last]
        reach = beyond.min() if beyond.size else (1.25 * last or 1.0)
        kept = cells[distance <= last]
        x = np.column_stack([np.ones(kept.size), (self.places[kept] - z) * self.scale / reach])
        return kept, x, (1 - (distance[distance <= last] / reach) ** 3) ** 3

    @staticmethod
    def rows(x, w):
        normal = x.T @ (w[:, None] * x) + 1e-3 * w.sum() * np.diag([0.0] + [1.0] * (x.shape[1] - 1))
        return np.linalg.solve(normal, x.T * w)

    def ask(self, z, sample, asked):
        """{pair, tolerance, probability, error, work, total} of the least total, or None."""
        cells, x, w = self.near(np.asarray(z), sample)
        b = self.rows(x, w)
        effective = w.sum() ** 2 / (w**2).sum()
        widest = max(1.0, math.sqrt((1 + (b[0] ** 2).sum()) / max(0.2, 1 - x.shape[1] / effective)))
        width, shape = 1 + self.share * (widest - 1), self.ln_error.shape[1:]
        mu, work, residual = np.full(shape, np.nan), np.full(shape, np.nan), np.full((cells.size, *shape), np.inf)
        for c in np.ndindex(shape):
            y, there = self.ln_error[(cells, *c)], ~np.isnan(self.ln_error[(cells, *c)])
            if w[there].sum() < 0.5 * w.sum() or there.sum() < x.shape[1] + 1:
                continue
            own = self.rows(x[there], w[there])
            beta = own @ y[there]
            mu[c], work[c] = beta[0], own[0] @ self.ln_work[(cells, *c)][there]
            residual[(there, *c)] = width * (y[there] - x[there] @ beta)
        return self.least(mu, work, residual, w, math.log(asked))

    def least(self, mu, work, residual, w, ln_asked):
        best, likely = None, 0.0
        dearest = math.exp(np.nanmax(work))

        def at(pair, rung, share):
            value = [v[pair, rung] if share == 0 else (1 - share) * v[pair, rung] + share * v[pair, rung + 1] for v in (mu, work)]
            if math.isnan(value[0]):
                return None
            hits = [(w * (value[0] + residual[:, pair, r] <= ln_asked)).sum() / w.sum() for r in (rung, min(rung + 1, mu.shape[1] - 1))]
            return math.exp(value[1]), (1 - share) * hits[0] + share * hits[1], math.exp(value[0])

        for pair in range(mu.shape[0]):
            for tolerance, rung, share in self.stations:
                own = at(pair, rung, share)
                if own is None:
                    continue
                likely = max(likely, own[1])
                total, missed, try_ = own[0], 1 - own[1], tolerance
                while missed > 0:
                    try_ *= 10**-0.75
                    again = at(pair, *self.place(try_)) if try_ >= self.tolerances[-1] * (1 - 1e-9) else None
                    if again is None:
                        total += missed * dearest
                        break
                    total += missed * again[0]
                    missed = 0.5 * min(missed, 1 - again[1]) + 0.5 * missed * (1 - again[1])
                if best is None or total < best["total"]:
                    best = {"pair": pair, "tolerance": tolerance, "probability": own[1], "error": own[2], "work": own[0], "total": total}
        return best if likely >= 0.5 else None

    def place(self, tolerance):
        t = self.tolerances
        for j, rung in enumerate(t):
            if abs(tolerance / rung - 1) < 1e-9:
                return j, 0.0
        j = max(i for i in range(len(t) - 1) if t[i] > tolerance)
        return j, math.log(t[j] / tolerance) / math.log(t[j] / t[j + 1])
