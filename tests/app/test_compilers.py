"""The bits of a sweep do not depend on the compiler: this build beside another one.

Called as test_compilers.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG OTHER_SALTUS.
"""
import os
import sys

import h5py

import cli

OTHER = sys.argv.pop(1)
# Every method, strategy and width, stiff cells and soft ones.
CELLS = "cells={axes: [{columns: [b, m1, k, f], points: 16, random: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}"
PLATE = os.path.join(cli.SWEEPS, "contacts.yaml")
SWEEPS = ((cli.DALLAS, (*cli.SHORT, CELLS)), (PLATE, ("t_end=1", "rtol=[1e-3]", "divergence={}", "timing.repeats=0")))


class Compilers(cli.InFolder):
    def run_by(self, program, sweep, out, pairs):
        cli.SALTUS, ours = program, cli.SALTUS
        try:
            self.works("run", sweep, "-q", "-o", out, *cli.sets(*pairs))
        finally:
            cli.SALTUS = ours

    def test_the_bits_are_the_same(self):
        self.assertTrue(os.access(OTHER, os.X_OK), f"{OTHER} is not built: cmake --build it first")
        for sweep, pairs in SWEEPS:
            for width in (1, 4, 8):
                name = os.path.basename(sweep)
                with self.subTest(sweep=name, width=width):
                    ours, theirs = f"{name}.{width}.ours.h5", f"{name}.{width}.theirs.h5"
                    self.run_by(cli.SALTUS, sweep, ours, (*pairs, f"width={width}"))
                    self.run_by(OTHER, sweep, theirs, (*pairs, f"width={width}"))
                    self.assertIn("the same", self.works("diff", ours, theirs))
                    with h5py.File(self.folder / ours) as a, h5py.File(self.folder / theirs) as b:
                        self.assertNotEqual(a.attrs["compiler"], b.attrs["compiler"])


cli.main()
