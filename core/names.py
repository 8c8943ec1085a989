"""Names of algorithms, for those who must not know the algorithms: tables and figures."""

OURS = "hcw-glb-omd"
SCOUTED = "hcw-glb-omd-scout"
OWN = (SCOUTED, OURS)  # of both, where they are played, the first is judged
SUFFIX = "+unknown-C"  # of a learner that is not told C
