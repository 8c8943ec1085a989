"""What the parameters of a family may be."""

from glbcheck.core.errors import BadInput


def positive_integer(argument: str, value: object, at_least: int = 1) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < at_least:
        raise BadInput(argument, value, f"an integer at least {at_least}")
