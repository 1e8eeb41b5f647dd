// Lines to paste: the chosen solver in the words of other programs.  A feature that a program lacks
// is replaced by the nearest one that it has.

const MATLAB = { ode23: 1, ode45: 1, ode113: 1, ode15s: 1, ode23s: 1, ode23t: 1, ode23tb: 1 };
const NEAREST_MATLAB = { dop853: "ode89", tsit5: "ode45", radau5: "ode15s", rosnys4: "ode23s", rosnysw2: "ode23s" };
const SCIPY = { ode23: "RK23", ode45: "RK45", dop853: "DOP853", ode15s: "BDF", radau5: "Radau" };
const NEAREST_SCIPY = {
  ode113: "LSODA",
  tsit5: "RK45",
  ode23s: "Radau",
  ode23t: "Radau",
  ode23tb: "Radau",
  rosnys4: "Radau",
  rosnysw2: "Radau",
};
const JULIA = {
  ode23: "BS3",
  ode45: "DP5",
  tsit5: "Tsit5",
  dop853: "DP8",
  ode113: "VCABM",
  ode15s: "QNDF",
  ode23s: "Rosenbrock23",
  ode23t: "Trapezoid",
  ode23tb: "TRBDF2",
  radau5: "RadauIIA5",
};
const OCTAVE = { ode23: 1, ode45: 1, ode23s: 1 };
const PAIRS_IN_C = { ode23: 1, ode45: 1, tsit5: 1, dop853: 1 };
const STRATEGY_SAYS = {
  switch: "the contact is an if-else in f; the error control handles it",
  event: "each change of contact is located, the run stops there and begins anew",
  ess: "fixed steps, and projection onto the surface of contact",
  ess2: "adaptive steps, and projection onto the surface of contact within a zone in time",
};

function nearest(program, ours, own, near) {
  if (own[ours]) return { name: own[ours] === 1 ? ours : own[ours], note: "" };
  if (near[ours])
    return { name: near[ours], note: `${program} has no ${ours}; ${near[ours]} is the nearest, and was not measured` };
  return null;
}

// The command that prints the one which writes this answer out as a program; none of other strategies, and of models without a text.
function writtenOut(program, { strategy, solver }, { cube, point, written }) {
  if (!written || (strategy !== "switch" && strategy !== "event")) return "";
  return `f, gaps and restarts are written out by saltus export, which this names:\n#   saltus recommend ${cube} ${point} --solvers ${solver} --strategies ${strategy} --in ${program}`;
}

// {language: text} for an answer {strategy, solver, rtol} at the point and error asked; question: of a box, whose middle point is.
function linesToPaste(answer, at) {
  const { strategy, solver, rtol } = answer,
    { end, question, point, cube } = at,
    program = (name) => writtenOut(name, answer, at);
  const tol = digits(rtol, 2),
    event = strategy !== "switch";
  const says = `${strategy}: ${STRATEGY_SAYS[strategy] || "see saltus list strategies"}`;
  const lines = { saltus: `saltus recommend ${cube} ${question}${question === point ? " --run" : ""}\nsaltus check ${cube} ${point}  # is it a miss?\n# ${says}` };
  const matlab = nearest("MATLAB", solver, MATLAB, NEAREST_MATLAB);
  if (matlab)
    lines.MATLAB = [
      `% ${says}`,
      matlab.note && `% ${matlab.note}`,
      `options = odeset('RelTol', ${tol}, 'AbsTol', ${tol}${event ? ", 'Events', @contact" : ""});`,
      `[t, y] = ${matlab.name}(@f, [0 ${end}], y0, options);${event ? "  % again from each event on" : ""}`,
    ]
      .filter(Boolean)
      .join("\n");
  if (OCTAVE[solver] && program("octave"))
    lines.Octave = [
      `# ${says}`,
      `# ${program("octave")}`,
      `[t, y] = ${solver}(@f, [0 ${end}], y0, odeset('RelTol', ${tol}, 'AbsTol', ${tol}${event ? ", 'Events', @contact" : ""}));`,
    ].join("\n");
  if (PAIRS_IN_C[solver] && program("saltus")) lines.C = `# ${says}\n# ${program("saltus")}`;
  const scipy = nearest("SciPy", solver, SCIPY, NEAREST_SCIPY);
  if (scipy)
    lines.SciPy = [
      `# ${says}`,
      scipy.note && `# ${scipy.note}`,
      !scipy.note && program("scipy") && `# ${program("scipy")}`,
      event && "contact.terminal = True  # and again from each event on",
      `solution = solve_ivp(f, (0, ${end}), y0, method="${scipy.name}", rtol=${tol}, atol=${tol}, max_step=${end / 10}${event ? ", events=contact" : ""})`,
    ]
      .filter(Boolean)
      .join("\n");
  if (JULIA[solver])
    lines.Julia = [
      `# ${says}`,
      event && "callback = ContinuousCallback(gap, change_contact!)",
      `solve(ODEProblem(f!, y0, (0.0, ${end})), ${JULIA[solver]}(); reltol=${tol}, abstol=${tol}${event ? ", callback" : ""})`,
    ]
      .filter(Boolean)
      .join("\n");
  return lines;
}
