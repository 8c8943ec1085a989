"""The step of `core.algorithm.reference`, under the name that rivals and claims still use."""

from glbcheck.core.algorithm.reference import Step, into_ball, omd_step, project

__all__ = ["Step", "into_ball", "omd_step", "project"]
