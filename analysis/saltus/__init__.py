"""saltus from Python: runs of mechanical systems with impacts, many at once, and which solver to use for them.

    import saltus
    runs = saltus.integrate("monopod", {"k": numpy.linspace(10, 50, 1000)})      # arrays of 1000 runs, in lanes
    cube = saltus.run("sweep.yaml", "cube.h5")                                   # an xarray.Dataset, with a bar meanwhile
    both = saltus.concat(["a.h5", "b.h5"])                                       # cubes of one model as one, with a number for each sweep
    cube.saltus.recommend(at={"b": 1951, "k": 22.8}, error=1e-4, having="scipy") # which solver, strategy and tolerance?
    cube.saltus.report()                                                         # a page, shown by Jupyter
    saltus.motion("monopod", {"zeta_F": 0.02, "zeta_G": -0.05}, orbit=True)      # a page in which it bounces, or .svg
    saltus.solve_ivp(fun, (0, 2), [1.0, 0.0], events=hit, reset=bounce)          # as SciPy's, with resets
    saltus.advise(fun, (0, 2), [1.0, 0.0], error=1e-4, events=hit, reset=bounce) # for your own f(t, y), as solve_ivp takes it
"""

import sys as _sys

if _sys.version_info < (3, 9):
    raise ImportError("saltus takes Python 3.9 or later, and this is %d.%d" % _sys.version_info[:2])

from ._advise import advise
from ._cubes import Answer, Choice, Surrogate, Report, concat, open, picture, report
from .errors import Error, FileError, InvalidError, OutcomeWarning, StoppedError
from ._functions import Functions
from ._models import Model, Quantity, models, solvers, strategies
from ._motion import Motion, motion
from ._program import command, run
from ._runs import Runs, integrate
from ._solve import Result, solve_ivp
from .version import __version__

__all__ = ["Answer", "Choice", "Error", "FileError", "Functions", "InvalidError", "Model", "Motion", "OutcomeWarning", "Quantity", "Surrogate", "Report", "Result", "Runs", "StoppedError", "__version__",
           "advise", "command", "concat", "integrate", "models", "motion", "open", "picture", "report", "run", "solve_ivp", "solvers", "strategies"]
