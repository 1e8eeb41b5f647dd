"""A recipe for Spack 1: in the folder packages/saltus of a repository of one's own; `spack dev-build saltus@4.0.0` in the checkout builds it."""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import depends_on, license, variant, version


class Saltus(CMakePackage):
    """Runs of mechanical systems with impacts, many at once, and which ODE solver, strategy and tolerance to use for them."""

    license("MIT")

    version("4.0.0")  # from a checkout: no archive, and no checksum of one

    variant("petsc", default=False, description="integrators of PETSc")
    variant("sundials", default=False, description="integrators of SUNDIALS")
    variant("libxml2", default=True, description="robots in URDF and MJCF as models")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3.1:")
    depends_on("hdf5@1.10:+mpi+hl")
    depends_on("openblas")  # LAPACK with its C interface
    depends_on("libyaml")
    depends_on("xxhash@0.8:")
    depends_on("zlib-api")
    depends_on("libxml2", when="+libxml2")
    depends_on("petsc@3.18:+mpi+double~complex", when="+petsc")
    depends_on("sundials@6 +CVODE+ARKODE", when="+sundials")
    depends_on("python@3.9:", type="run")
    depends_on("py-numpy", type="run")
    depends_on("py-xarray", type="run")
    depends_on("py-h5netcdf", type="run")
    depends_on("py-matplotlib", type="run")
    depends_on("py-pyyaml", type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("CMAKE_BUILD_TYPE", "RelWithDebInfo"),
            self.define("CMAKE_C_FLAGS_RELWITHDEBINFO", "-O3"),
            self.define_from_variant("SALTUS_LIBXML2", "libxml2"),
            self.define_from_variant("SALTUS_PETSC", "petsc"),
            self.define_from_variant("SALTUS_SUNDIALS", "sundials"),
        ]

    def setup_run_environment(self, env):
        env.set("OPENBLAS_NUM_THREADS", "1")
