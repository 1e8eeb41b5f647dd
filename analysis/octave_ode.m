## Runs the tasks of `saltus score --export` with a solver of GNU Octave and records the trajectories.
##
##   octave-cli analysis/octave_ode.m TASKS.yaml METHOD OUT.txt [MOST]
##
## METHOD: ode45, ode23, ode23s, ode15s.  MOST: calls of f at which a run is given up (300000).  The model is the
## monopod.  Options of the solver are its presets but for the tolerances, and `Events` with the strategy `event`:
## a terminal event, at which the mode changes and the solver begins anew.  Octave finds its time by linear
## interpolation between the ends of a step, and none in the first step after a start.  Counted are all calls of f.
## Recorded are the ends of steps; for ode45 three points inside each besides, by its own dense output.
1;

function varargout = count (varargin)
  ## count("start", most); f calls count(); count("read")
  persistent n most;
  if (nargin == 2)
    n = 0; most = varargin{2};
  elseif (nargin == 1)
    varargout{1} = n;
  elseif (++n > most)
    error ("recorded:over_cutoff", "over_cutoff");
  endif
endfunction

## Dallas, Machairas, Papadopoulos, eqs (18)-(19), as in kernels/models/monopod.c.
function dy = slope (y, closed, p)
  count ();
  c = 4 * pi ^ 2 - p.m1;
  e = y(1) - y(3) + 1;
  force = 0;
  delta = p.zeta_F / pi;
  if (closed)
    delta = p.zeta_G / pi;
    depth = abs (y(1));
    force = sqrt (depth) * (p.b * depth * y(2) + c * p.k * y(1));
    if (p.clamp && force > 0)
      force = 0;
    endif
  endif
  damped = delta * (y(4) - y(2));
  dy = [y(2); c * damped - (c * e + p.f) - force; y(4); p.m1 * e - p.f - p.m1 * damped];
endfunction

function [gap, terminal, direction] = event (y, closed)
  gap = y(1);
  terminal = 1;
  direction = pick (closed, 1, -1);
endfunction

## The tasks as `saltus score --export` writes them: one key or one cell a line.
function tasks = read_tasks (path)
  lines = strsplit (fileread (path), "\n");
  if (! strcmp (lines{1}, "trajectories: 1"))
    error ("%s: expected: trajectories: 1", path);
  endif
  tasks = struct ("cells", {{}}, "head", {{}});
  for i = 2:numel (lines)
    words = regexp (lines{i}, "[^][{}:, ]+", "match");
    if (isempty (words))
      continue;
    endif
    if (! any (strcmp (words{1}, {"strategies", "rtol"})))
      tasks.head{end + 1} = lines{i};
    endif
    switch (words{1})
      case {"model", "states", "strategies", "rtol"}
        tasks.(words{1}) = words(2:end);
      case {"t_end", "mesh"}
        tasks.(words{1}) = str2double (words{2});
      case "-"
        cell = cell2struct (num2cell (str2double (words(3:2:end))), words(2:2:end), 2);
        cell.clamp = any (strcmp (words, "clamp"));
        tasks.cells{end + 1} = cell;
    endswitch
  endfor
  if (! strcmp (tasks.model{1}, "monopod"))
    error ("%s: no model '%s' here; there is: monopod", path, tasks.model{1});
  endif
endfunction

## Three points inside each step of ode45, from the ends of its steps: [12, steps], t and y of each.
function inner = inside_ode45 (sol, f, stages, interpolate)
  n = numel (sol.x) - 1;
  inner = zeros (15, n);
  for i = 1:n
    t = sol.x([i, i + 1]);
    [~, ~, ~, k] = stages (f, t(1), sol.y(:, i), t(2) - t(1), [], [], t(2));
    at = t(1) + (t(2) - t(1)) * [0.25, 0.5, 0.75];
    inner(:, i) = [at; interpolate(5, t, sol.y(:, [i, i + 1]), at, k)](:);
  endfor
endfunction

## Rows of run number `run`; their number.
function n = write_piece (file, run, y0, t0, sol, inner)
  row = [",%.17g", repmat(",%.15g", 1, rows (sol.y)), "\n"];
  [ends, inside] = deal (sprintf ("%d,0", run), sprintf ("%d,1", run));
  fprintf (file, [ends, row], t0, y0);
  if (isempty (inner))
    fprintf (file, [ends, row], [sol.x(2:end); sol.y(:, 2:end)]);
  else
    fprintf (file, [inside, row, inside, row, inside, row, ends, row], [inner; sol.x(2:end); sol.y(:, 2:end)]);
  endif
  n = 1 + (numel (sol.x) - 1) * pick (isempty (inner), 1, 4);
endfunction

## One trajectory: its pieces from event to event, and how it ended.
function [pieces, outcome, steps] = run_task (tasks, p, strategy, tolerance, method)
  y = [p.y1; p.v1; p.y2; p.v2];
  [t, closed, pieces, outcome, steps, idle] = deal (0, y(1) <= 0, {}, "done", 0, 0);
  options = odeset ("RelTol", tolerance, "AbsTol", tolerance);
  try
    while (true)
      if (strcmp (strategy, "switch"))
        f = @(t, y) slope (y, y(1) <= 0, p);
      else
        f = @(t, y) slope (y, closed, p);
        options = odeset (options, "Events", @(t, y) event (y, closed));
      endif
      sol = method (f, [t, tasks.t_end], y, options);
      if (isfield (sol, "xe") && ! isempty (sol.xe) && sol.xe(end) < sol.x(end) && sol.xe(end) > sol.x(end - 1))
        ## ode15s leaves the end of the step in which the event was
        sol.x(end) = sol.xe(end);
        sol.y(:, end) = sol.ye(:, end);
      endif
      sol.f = f;
      pieces{end + 1} = struct ("t", t, "y", y, "sol", sol);
      steps += numel (sol.x) - 1;
      if (sol.x(end) >= tasks.t_end)
        break;
      elseif (! isfield (sol, "xe") || isempty (sol.xe) || sol.xe(end) != sol.x(end))
        outcome = "step_underflow";
        break;
      endif
      idle = pick (sol.x(end) > t, 0, idle + 1);
      if (idle > 20)
        outcome = "stuck";
        break;
      endif
      t = sol.x(end);
      y = [0; sol.y(2:end, end)];
      closed = ! closed;
    endwhile
  catch why
    outcome = pick (strcmp (why.identifier, "recorded:over_cutoff"), "over_cutoff", "step_underflow");
  end_try_catch
endfunction

function value = pick (condition, yes, no)
  if (condition)
    value = yes;
  else
    value = no;
  endif
endfunction

## Octave's own functions for a step of ode45 are private.
function [stages, interpolate] = own_functions ()
  here = cd (fullfile (fileparts (which ("ode45")), "private"));
  stages = @runge_kutta_45_dorpri;
  interpolate = @runge_kutta_interpolate;
  cd (here);
endfunction

function words = linear_algebra (name, rhs, steps, restarts)
  words = "";
  starts = restarts + 1;
  if (strcmp (name, "ode23s")) # 13 calls of f in each attempt, 2 choose the first step
    attempts = floor ((rhs - 2 * starts) / 13);
    words = sprintf (", jacobians: %d, factorisations: %d, solves: %d, failed: %d", attempts, attempts, 3 * attempts, ...
                     max (0, attempts - steps));
  endif
endfunction

function main (path, name, out, most)
  warning ("off", "all");
  tasks = read_tasks (path);
  method = str2func (name);
  [stages, interpolate] = own_functions ();
  orders = struct ("ode45", 5, "ode23", 3, "ode23s", 2, "ode15s", 5);
  file = tempname ();
  table = fopen (file, "w+");
  fprintf (table, "run,inside,t,%s\n", strjoin (tasks.states, ","));
  [runs, n] = deal ({}, 0);
  for cell = 1:numel (tasks.cells)
    for strategy = tasks.strategies(ismember (tasks.strategies, {"switch", "event"}))
      for tolerance = tasks.rtol
        count ("start", most);
        began = cputime ();
        [pieces, outcome, steps] = run_task (tasks, tasks.cells{cell}, strategy{1}, ...
                                             str2double (tolerance{1}), method);
        seconds = cputime () - began;
        rhs = count ("read");
        restarts = max (0, numel (pieces) - strcmp (outcome, "done"));
        line = sprintf ("  - {cell: %d, strategy: %s, rtol: %s, outcome: %s, steps: %d, rhs: %d, seconds: %.6g%s", cell, ...
                        strategy{1}, tolerance{1}, outcome, steps, rhs, seconds, ...
                        linear_algebra (name, rhs, steps, restarts));
        if (strcmp (strategy{1}, "event"))
          line = sprintf ("%s, events: %d, restarts: %d", line, restarts, restarts);
        endif
        runs{end + 1} = [line, "}"];
        count ("start", Inf);
        if (isempty (pieces))
          p = tasks.cells{cell};
          fprintf (table, "%d,0,0,%.15g,%.15g,%.15g,%.15g\n", numel (runs), p.y1, p.v1, p.y2, p.v2);
          n++;
        endif
        for i = 1:numel (pieces)
          inner = [];
          if (strcmp (name, "ode45"))
            inner = inside_ode45 (pieces{i}.sol, pieces{i}.sol.f, stages, interpolate);
          endif
          n += write_piece (table, numel (runs), pieces{i}.y, pieces{i}.t, pieces{i}.sol, inner);
        endfor
      endfor
    endfor
  endfor
  fclose (table);
  table = fileread (file);
  unlink (file);
  file = fopen (out, "w");
  fprintf (file, "trajectories: 1\nlibrary: Octave %s\ntype: %s\norder: %d\n", version (), name, orders.(name));
  fprintf (file, "select: '[t, y] = %s (f, [0, t_end], y0, odeset (\"RelTol\", rtol, \"AbsTol\", rtol))'\n", name);
  fprintf (file, "%s\n", tasks.head{:});
  fprintf (file, "rows: %d\nruns:\n", n);
  fprintf (file, "%s\n", runs{:}, "---");
  fputs (file, table);
  if (fclose (file) != 0)
    error ("%s: cannot be written", out);
  endif
endfunction

words = argv ();
if (! any (numel (words) == [3, 4]))
  fprintf (stderr, "usage: octave-cli octave_ode.m TASKS.yaml METHOD OUT.txt [MOST]\n");
  exit (2);
endif
main (words{1:3}, pick (numel (words) > 3, str2double (words{end}), 3e5));
