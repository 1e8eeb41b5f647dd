"""The program without any wing: the core runs, and messages name what it lacks.  The arguments are those of cli.py, and
the program without wings last."""
import os
import pathlib
import sys

WINGLESS = os.path.abspath(sys.argv.pop())

import cli  # noqa: E402 (it reads the other arguments)

MODELS = pathlib.Path(cli.SWEEPS, "models")


class Wingless(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.whole = cli.SALTUS
        self.addCleanup(setattr, cli, "SALTUS", self.whole)
        cli.SALTUS = WINGLESS

    def test_the_core_runs_a_sweep_with_the_same_values(self):
        words = ("run", cli.DALLAS, *cli.sets(*cli.SHORT), "-q", "-o")
        self.works(*words, "core.h5")
        self.assertIn("event:ode45", self.works("map", "core.h5") + self.works("tables", "core.h5"))
        cli.SALTUS = self.whole
        self.works(*words, "whole.h5")
        self.works("diff", "core.h5", "whole.h5")

    def test_commands_of_wings_are_absent(self):
        usage = self.works("help")
        for command in ("orbit", "continue", "export", "score", "model", "solver", "calibrate-eps"):
            self.assertNotIn(f"\n  {command} ", usage)
            self.refused(command, says=("unknown command", "allowed: plan, run"))

    def test_what_lacks_is_named(self):
        solver = pathlib.Path(cli.SWEEPS, "solvers", "dormand-prince.yaml")
        for model, kind, option in (("slip-equations", "equations", "EQUATIONS"), ("vehicle-dof10", "bodies", "MULTIBODY")):
            self.refused("trajectory", "-m", MODELS / f"{model}.yaml", "-o", "t.csv",
                         says=(f"{model}.yaml: this build reads no texts of {kind}", f"-DSAL_WITH_{option}=ON"))
        self.refused("trajectory", "-m", "monopod", "-M", solver, "-o", "t.csv",
                     says=("dormand-prince.yaml: this build reads no texts of tableaus", "-DSAL_WITH_TABLEAUS=ON"))
        self.refused("run", cli.DALLAS, "--set", "solvers=[petsc-bdf]", "-o", "c.h5",
                     says=("'petsc-bdf' needs PETSc, which this build lacks", "-DSALTUS_PETSC=ON"))
        self.assertIn("-DSAL_WITH_NATIVE=ON", self.works("doctor"))


cli.main()
