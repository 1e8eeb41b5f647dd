"""saltus from Python: runs of mechanical systems with impacts, many at once, and which solver to use for them.

    import saltus
    runs = saltus.integrate("monopod", {"k": numpy.linspace(10, 50, 1000)})      # arrays of 1000 runs, in lanes
    cube = saltus.run("sweep.yaml", "cube.h5")                                   # an xarray.Dataset, with a bar meanwhile
    cube.saltus.recommend(at={"b": 1951, "k": 22.8}, error=1e-4, having="scipy") # which solver, strategy and tolerance?
    cube.saltus.report()                                                         # a page, shown by Jupyter
"""

from ._cubes import Answer, Choice, Reader, Report, open, picture, report
from .errors import Error, FileError, InvalidError, StoppedError
from ._models import Model, Quantity, models, solvers, strategies
from ._program import command, run
from ._runs import Runs, integrate
from .version import __version__

__all__ = ["Answer", "Choice", "Error", "FileError", "InvalidError", "Model", "Quantity", "Reader", "Report", "Runs", "StoppedError", "__version__",
           "command", "integrate", "models", "open", "picture", "report", "run", "solvers", "strategies"]
