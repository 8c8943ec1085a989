"""One SMT solver in a process of its own: questions come in on stdin, answers go out on stdout.

Run as a script (`python solver_process.py z3 1`, or `cvc5`; the number is a share of the limits); each line is a JSON
object.  Limits count the solver's own steps, so an answer does not depend on how busy the machine is; the alarm is a
last guard, and the parent reads silence as `unknown`.
This file imports nothing of ours, so a crash or a leak in a solver stays here.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

STEPS = {"z3": 20_000_000, "cvc5": 2_000_000}  # about ten seconds of an idle machine
LAST_GUARD = 300  # seconds


def ask_z3(text: str) -> tuple[str, dict[str, str]]:
    """z3's reading of the script: its answer, and the values of a model with algebraic ones rounded."""
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.set("rlimit", STEPS["z3"])
    solver.from_string(text)
    status = str(solver.check())
    values: dict[str, str] = {}
    if status == "sat":
        model = solver.model()
        for declaration in model.decls():
            value = model[declaration]
            value = value.approx(40) if z3.is_algebraic_value(value) else value
            values[declaration.name()] = f"{value.numerator_as_long()}/{value.denominator_as_long()}"
    return status, values


def ask_cvc5(text: str) -> tuple[str, dict[str, str]]:
    """cvc5's reading of the script: its answer, and the values of a model with algebraic ones rounded."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(STEPS["cvc5"]))
    solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, status = parser.getSymbolManager(), "unknown"
    while not (command := parser.nextCommand()).isNull():
        output = str(command.invoke(solver, symbols)).strip()
        if output not in ("", "sat", "unsat", "unknown"):
            return output, {}  # a complaint about any line voids the answer
        status = output or status
    values: dict[str, str] = {}
    if status == "sat":
        for term in symbols.getDeclaredTerms():
            values[str(term.getSymbol())] = cvc5_value(solver.getValue(term))
    return status, values


def cvc5_value(value: Any) -> str:
    if value.isRealAlgebraicNumber():
        low = value.getRealAlgebraicNumberLowerBound().getRealValue()
        high = value.getRealAlgebraicNumberUpperBound().getRealValue()
        return str((low + high) / 2)
    return str(value.getRealValue())


def solver_version(name: str) -> str:
    from importlib.metadata import version

    return version({"z3": "z3-solver"}.get(name, name))


def serve(name: str) -> None:
    ask = {"z3": ask_z3, "cvc5": ask_cvc5}[name]
    for line in sys.stdin:
        question = json.loads(line)
        signal.alarm(LAST_GUARD)
        version = ""
        try:
            version = solver_version(name)
            status, model = ask(question["text"])
        except Exception as error:
            status, model = f"error: {error}", {}
        signal.alarm(0)
        reply = {"ticket": question["ticket"], "status": status, "model": model, "version": version}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    STEPS = {name: int(steps * float(sys.argv[2])) for name, steps in STEPS.items()}
    serve(sys.argv[1])
