# Environment of an MPI x OpenMP job of saltus; to be sourced. Variables that are already set are kept.
# shellcheck shell=bash

# Threads of OpenBLAS inside OpenMP threads make a small solve two hundred times slower.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"

# By default one or two ranks are bound to one core each, and the threads of a rank share it.
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy:-none}"
# mpirun counts cores, not hardware threads, and refuses more ranks than it counts.
export OMPI_MCA_rmaps_base_oversubscribe="${OMPI_MCA_rmaps_base_oversubscribe:-1}"
# A rank that waits leaves its core to those that compute.
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
# Windows of osc/ucx abort in Debian's build.
export OMPI_MCA_osc="${OMPI_MCA_osc:-^ucx}"
# Copies between processes are forbidden in many containers, and small messages do not need them.
export OMPI_MCA_btl_vader_single_copy_mechanism="${OMPI_MCA_btl_vader_single_copy_mechanism:-none}"

# mpirun looks after a host that has gone silent for a minute, and ends the run (205) when it does not answer for 15 s:
# when a rank has said which one is lost (`saltus run --silence`). By itself it would take eight minutes.
export OMPI_MCA_oob_tcp_keepalive_time="${OMPI_MCA_oob_tcp_keepalive_time:-60}"
export OMPI_MCA_oob_tcp_keepalive_intvl="${OMPI_MCA_oob_tcp_keepalive_intvl:-5}"
export OMPI_MCA_oob_tcp_keepalive_probes="${OMPI_MCA_oob_tcp_keepalive_probes:-3}"

# The same for mpirun of Open MPI 5 (PRRTE), as its manual has it; not run. That of MPICH takes as many ranks as are asked for.
export PRTE_MCA_hwloc_default_binding_policy="${PRTE_MCA_hwloc_default_binding_policy:-none}"
export PRTE_MCA_rmaps_default_mapping_policy="${PRTE_MCA_rmaps_default_mapping_policy:-:oversubscribe}"

# mpirun refuses root, who is the only user in many containers; both names are needed.
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
