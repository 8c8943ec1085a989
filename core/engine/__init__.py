"""One learner step and one choice, compiled: what `HCWGLBOMD`, single runs, replicates and rivals share.

An algorithm is three kernels on plain arrays, and two Python functions that make the arrays:

    choose(state, room, arms) -> int              # the row of `arms` to pull
    observe(state, x, reward, dispersion) -> None # learn from one reward
    trust(state, x, dispersion) -> float          # α g / ‖x‖ in H⁻¹, which an adversary may look at
    initial(parameters) -> state
    room_for(parameters, K) -> room

- `state`: one flat, C-contiguous float64 array.  Copying, comparing, pickling and resuming a learner is copying it.
  `core.engine.state` names its scalars (`state[RADIUS]`) and its parts (`vector(state, THETA)`,
  `square(state, H)`).
- `room`: a (ROWS, K) float64 array of intermediate results about the arms.  It may have more columns than there are
  arms.  What is in it before the first choice does not matter.
- `arms`: a C-contiguous (K, d) float64 array, rows of norm at most 1.  Kernels trust their input.
- `state[SAME_ARMS]` is set by the caller and never by a kernel: 0.0 (as `initial` leaves it) says that the arms may be
  others than in the previous call of `choose`.  1.0 says that `arms` and `room` are those of the previous call, and
  unchanged.  A loop over a fixed arm set calls `choose` once with 0.0, then sets 1.0; a loop over changing arms leaves
  it at 0.0.  Wrong use of 1.0 gives wrong arms; 0.0 is always right.  Any number of `observe` may lie between.
- `choose` changes scalars of `state` that later choices start from, never θ, H or the radius.

The kernels of HCW-GLB-OMD: `optimism.choose_by_closed_form` and `optimism.choose_exactly` (`choose` takes whichever
`parameters.index` asks for), `learner.observe`, `learner.trust`; with a scout `scout.choose` and `scout.observe` on the
state of `scout.initial`.  `initial(parameters, variant)` also starts broken learners for sensitivity controls and the
unweighted learners among the rivals.

All of them are decorated by `compiling.kernel`.  A function that Python calls is decorated by `compiling.entry`: it is
compiled when it is first called, and cached on disk for the next process.  A loop is an entry like any other; take the
kernels as globals of its module.
"""
