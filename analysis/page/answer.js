// The answer in words: what to use, what speaks for something else, and lines to paste.

class Answer extends Question {
  ask() {
    const probability = $("rule").value ? Number($("rule").value) : NaN;
    return this.surrogate.ask(this.places(), this.sample, this.asked, { probability, allowed: this.may });
  }

  pair(i) {
    const [strategy, solver] = this.meta.pairs[i];
    const theme = document.documentElement.dataset.theme === "dark" ? 1 : 0;
    return {
      strategy,
      solver,
      name: `${solver} with ${strategy}`,
      look: { colour: this.meta.colours[solver][theme], ...this.meta.marks[strategy] },
    };
  }

  say(found) {
    const best = found.best,
      asked = this.sayError(this.asked),
      metric = this.meta.metric;
    $("use").replaceChildren();
    if (best) {
      const { solver, strategy, look } = this.pair(best.pair),
        chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = look.colour;
      $("use").append(
        chip,
        make("span", {}, solver),
        make("small", {}, " with "),
        strategy,
        make("small", {}, " at rtol "),
        digits(best.rtol, 2),
      );
      $("calibration").textContent =
        `${this.range.some(Boolean) ? "in the middle of the range it " : ""}reaches a ${metric} of ${asked} with probability ${this.chance(best.probability)}, for about ${workText(best.work)}.`;
    } else if (found.likely && found.reason === "") {
      $("use").append("Nothing is that sure here");
      $("calibration").textContent =
        `No solver reaches a ${metric} of ${asked} with the probability asked for. The likeliest is ${this.describe(found.likely)}.`;
    } else {
      const { head, text } = {
        no_reference: {
          head: "Not known here",
          text: `The references of the cells around are not known to ${asked}: which run would reach it cannot be determined. A looser error can be asked.`,
        },
        captured: {
          head: "Not known here: captured",
          text: "The references of most cells around have no end, where time stepping has: its error is not known.",
        },
        no_config: {
          head: "No solver reaches it here",
          text:
            `The references are good enough, but no solver that was compared reaches a ${metric} of ${asked}` +
            (found.likely ? `. The likeliest is ${this.describe(found.likely)}.` : "."),
        },
      }[found.reason];
      $("use").append(head);
      $("calibration").textContent = text;
    }
    this.warn(found);
    this.choices(found);
    this.lines(best);
  }

  // After n cells without a miss, the next one misses with probability 1 / (n + 2) in the mean (Laplace's rule
  // of succession): the cells do not support more than that.
  chance(p) {
    const n = this.surrogate.n,
      most = Math.min((n + 1) / (n + 2), 0.99);
    return p > most ? `over ${Math.floor(100 * most)} %` : percent(p);
  }

  sayError(error) {
    return `${digits(error, 2)}${this.meta.unit === "1" ? "" : ` ${this.meta.unit}`}`;
  }

  describe(choice) {
    return `${this.pair(choice.pair).name} at ${digits(choice.rtol, 2)} (${this.chance(choice.probability)}, ${workText(choice.total)} with what follows a miss)`;
  }

  warn(found) {
    const said = this.complaint ? [this.complaint] : [];
    this.meta.columns.forEach((c, i) => {
      const slack = 4 * Number.EPSILON * Math.max(Math.abs(c.lo), Math.abs(c.hi));
      if (this.value[i] < c.lo - slack || this.value[i] > c.hi + slack)
        said.push(
          `${c.name} = ${digits(this.value[i])} is outside of what was compared, from ${digits(c.lo)} to ${digits(c.hi)}; the answer is that of the nearest edge.`,
        );
    });
    if (found.best && found.unverified >= 0.05)
      said.push(
        `The references of ${percent(found.unverified)} of the cells around do not reach this error; what is said of them is not known.`,
      );
    $("warnings").replaceChildren(...said.map((text) => make("p", { class: "warn" }, text)));
  }

  choices(found) {
    const rows = [],
      best = found.best;
    if (best) {
      const row = (name, text) => rows.push(make("dt", {}, name), make("dd", {}, text));
      this.schedule(found, row);
      row("Expected error", `${this.sayError(best.error)} (half of the runs err less)`);
      const { safe } = found;
      if (safe && (safe.pair !== best.pair || safe.rtol !== best.rtol))
        row(
          "Safe choice",
          `${this.pair(safe.pair).name} at ${digits(safe.rtol, 2)}: ${this.chance(safe.probability)}, ${workText(safe.work)}, ${this.more(safe.total, best.total)} expected, misses included`,
        );
      else
        row(
          "Safe choice",
          safe
            ? "the same"
            : `none has a probability of 99 %; the likeliest is ${this.describe(found.likely)}`,
        );
      const near = found.pairs
        .slice(1)
        .filter((p) => p.total <= 1.1 * best.total)
        .slice(0, 4);
      near.forEach((p, i) =>
        row(
          i ? "" : "As good within 10 %",
          `${this.pair(p.pair).name} at ${digits(p.rtol, 2)}: ${this.more(p.total, best.total)}${this.speaksFor(p, best)}`,
        ),
      );
      if (!near.length && found.pairs[1])
        row(
          "Next best",
          `${this.pair(found.pairs[1].pair).name} at ${digits(found.pairs[1].rtol, 2)}: ${this.more(found.pairs[1].total, best.total)} work`,
        );
    }
    if (best && found.pairs[1]) rows.push(...this.confidence(found));
    const calibration = this.kept();
    if (calibration) rows.push(make("dt", {}, "Calibration"), make("dd", {}, calibration));
    $("choices").replaceChildren(...rows);
  }

  // The confidence that the answer needs less work than the runner-up.
  confidence(found) {
    const p = confidenceOf(this.surrogate, found.planes, Math.log(this.asked), found.best, found.pairs[1]),
      but = p < 0.5 ? ", but its failures cost less" : "";
    if (Number.isNaN(p)) return [];
    return [
      make("dt", {}, "Confidence"),
      make("dd", {}, `${percent(p)} that it needs less work for the error than ${this.pair(found.pairs[1].pair).name}, the runner-up${but}`),
    ];
  }

  // Attempts to make when a check shows a miss.
  schedule(found, row) {
    const names = ["If its check fails", "If that fails, too"];
    found.schedule.slice(1, 3).forEach((p, i) =>
      row(
        names[i],
        `${this.pair(p.pair).name} at ${digits(p.rtol, 2)}: ${this.chance(p.probability)}, ${workText(p.work)} (needed in ${percent(p.needed)} of cases)`,
      ),
    );
    row(
      "How to see a miss",
      `run it again at a tenth of its tolerance: a difference of more than ${this.sayError(this.asked)} is a miss (saltus check)`,
    );
    row("The whole schedule", `${workText(found.best.total)} expected, misses included`);
  }

  more(a, b) {
    const share = Math.round(100 * (a / b - 1));
    return share > 300 ? `${(a / b).toPrecision(2)} times the` : share >= 0 ? `+${share} %` : `\u2212${-share} %`;
  }

  speaksFor(p, best) {
    const said = [];
    if (p.probability > best.probability + 0.02) said.push(`more probable (${this.chance(p.probability)})`);
    if (p.error < 0.75 * best.error) said.push(`smaller error (${this.sayError(p.error)})`);
    if (p.work < 0.98 * best.work) said.push("less work when it hits at once");
    return said.length ? `, ${said.join(", ")}` : "";
  }

  // The calibration of this map in its own cells at the nearest of the errors that were tried.
  kept() {
    const tried = this.meta.calibration.filter((p) => p.answers > 0);
    if (!tried.length) return "";
    const far = (p) => Math.abs(Math.log(p.asked / this.asked)),
      one = tried.reduce((p, q) => (far(q) < far(p) ? q : p));
    return `asked for ${digits(one.asked)} in ${one.answers} of its own cells, each left out in turn, this map predicted ${percent(one.predicted)} and observed ${percent(one.observed)}`;
  }

  lines(best) {
    const lines = best
      ? linesToPaste(
          { ...this.pair(best.pair), rtol: best.rtol },
          { end: this.meta.end, cube: this.meta.cube, written: this.meta.written, question: this.question(), point: this.question(this.value.map((v) => digits(v, 12))) },
        )
      : { saltus: `saltus recommend ${this.meta.cube} ${this.question()}` };
    if (!lines[this.language]) this.language = "saltus";
    const buttons = Object.keys(lines).map((name) => {
      const button = make("button", { type: "button", "aria-pressed": String(name === this.language) }, name);
      button.addEventListener("click", () => {
        this.language = name;
        this.lines(best);
        [...$("languages").children].find((b) => b.textContent === name).focus();
      });
      return button;
    });
    const copy = make("button", { type: "button", class: "copy" }, "copy");
    copy.addEventListener("click", () => copyText($("code"), copy));
    $("languages").replaceChildren(...buttons, copy);
    $("code").textContent = lines[this.language];
  }
}

async function copyText(from, button) {
  try {
    await navigator.clipboard.writeText(from.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(from);
    button.textContent = "selected";
  }
  setTimeout(() => (button.textContent = "copy"), 1500);
}
