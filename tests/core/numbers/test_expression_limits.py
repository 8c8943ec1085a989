"""Where a formula stops being reasonable: the last one that is read, the first one that is refused, and why."""

from __future__ import annotations

import pytest
import sympy
from glbcheck.core.expression import ExpressionError, parse, parse_relation, symbols_of, to_text

X = sympy.Symbol("x", real=True)
Y = sympy.Symbol("y", real=True)


def read(text: str) -> sympy.Expr:
    return parse(text, ["x", "y"])


def refuses(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        read(text)


def test_numbers_have_ten_thousand_binary_digits_at_most() -> None:
    longest, too_long = str(2**10_000 - 1), str(2**10_000)
    assert read(f"{longest} + x") == X + 2**10_000 - 1
    refuses(f"{too_long} + x", "a number has more than 10000 binary digits")
    refuses(f"x + 1/{too_long} + y", "a number has more than 10000 binary digits")
    assert read(f"{longest}*x + {longest}*y").coeff(X) == 2**10_000 - 1
    refuses(f"{longest}*x + {longest}*y + sin(x)", "holds numbers of more than 10000 binary digits together")
    half = sympy.Integer(3) ** 5000
    assert parse("y*y", {"y": half * X}) == 9**5000 * X**2
    with pytest.raises(ExpressionError, match="holds numbers of more than 10000 binary digits together"):
        parse("y*y", {"y": half})


def test_powers_of_numbers_are_as_long_as_numbers() -> None:
    assert read("1023**1000") == 1023**1000
    assert read("(1/1023)**1000") == sympy.Rational(1, 1023**1000)
    refuses("1024**1000", "has more than 10000 binary digits")
    refuses("(1/1024)**1000", "has more than 10000 binary digits")
    root = 2**1999 + 9
    assert read(f"{root}**(1/2)*x") == sympy.sqrt(root) * X
    refuses(f"{2 * root}**(1/2)", "has more than 2000 binary digits")
    first, second = 2**999 + 7, 2**999 + 9
    assert read(f"(y*{first}**(1/2))*({second}**(1/2))").has(Y)
    refuses(f"(y*{first}**(1/2))*({2 * second}**(1/2))", "holds roots of numbers of more than 2000 binary digits")


def test_exponents_are_a_thousand_at_most_in_numerator_and_denominator() -> None:
    assert read("x**1000") == X**1000
    assert read("x**(1/1000)") == X ** sympy.Rational(1, 1000)
    assert read("x**(-1000)") == X**-1000
    assert read("x**sqrt(2)") == X ** sympy.sqrt(2)
    assert read("sqrt(2)**x") == sympy.sqrt(2) ** X
    assert read("0**sqrt(2)") == 0
    assert read("x**(y + 2000)") == X ** (Y + 2000)
    for text in ("x**1001", "x**(1/1001)", "x**(-1001)", "exp(1001*log(x))", "x**(1001*log(2))"):
        refuses(text, "has an exponent beyond 1000")
    assert read("exp(1000*log(x))") == X**1000
    assert read("exp(100000)") == sympy.exp(100_000)
    assert read("exp(x + 200000)") == sympy.exp(X + 200_000)
    refuses("exp(100001)", "has an exponent beyond 100000")


def test_what_would_be_astronomically_large_or_small_is_refused() -> None:
    for text in ("exp(300)**900", "exp(-300)**900", "exp(300)**(-900)", "pi**exp(12)", "(1/2)**exp(13)"):
        refuses(text, r"grows beyond exp\(100000\)")
    assert read("exp(3)**900") == sympy.exp(2700)
    assert read("pi**exp(2)") == sympy.pi ** sympy.exp(2)
    for text, limit in (("sin(100001)", 100_000), ("cosh(-exp(12))", 100_000), ("besseli(1, 100001)", 100_000),
                        ("gamma(1001)", 1000), ("loggamma(1001)", 1000), ("polygamma(1, 1001)", 1000)):  # fmt: skip
        refuses(text, f"has a constant argument beyond {limit}")
    assert read("sin(100000)") == sympy.sin(100_000)
    assert read("gamma(1000)") == sympy.factorial(999)
    assert read("log(10**9) + abs(-10**9) + max(x, 10**9)").has(sympy.Max)
    assert read("besseli(1000, x) + besseli(-1000, x)").has(sympy.besseli)
    assert read("besseli(1/2, x)") == sympy.besseli(sympy.Rational(1, 2), X)
    for text in ("besseli(1001, x)", "besseli(-1001, x)", "polygamma(y, x)"):
        refuses(text, "needs a rational order of size at most 1000")


def test_what_is_not_a_finite_real_number_is_refused_for_its_reason() -> None:
    refuses("1/0", "divides by zero")
    refuses("x + 0**(-3/2)", "divides by zero")
    for text in ("atanh(-1)", "atanh(1)", "log(0)"):
        refuses(text, "is not a finite number")
    for text in ("asin(2)", "sqrt(-2)", "log(-1)", "sqrt(2)**log(-3)"):
        refuses(text, "is not a real number")
    assert read("(-2)**pi") == (-2) ** sympy.pi  # SymPy does not tell, until its size is asked for
    refuses("sin((-2)**pi)", "is not a real number")
    assert read("0*x") == 0
    assert read("sqrt(2)**(pi - pi)") == 1


def test_names_are_strings_and_relations_are_not_decided() -> None:
    strange: dict[object, object] = {3: X}
    with pytest.raises(ExpressionError, match="declared name 3 is not a plain identifier"):
        symbols_of(strange)  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="declared name 'pi' is reserved for the constant"):
        symbols_of({"pi": X})
    with pytest.raises(ExpressionError, match="declared name 'a__b' is not a plain identifier"):
        symbols_of(["x", "a__b"])
    assert symbols_of(["x"]) == {"x": X}
    assert parse("y + 1", {"y": X * sympy.Float("0.5")}) == X * sympy.Float("0.5") + 1
    relation = parse_relation("x/x <= 2", ["x"], evaluate=False)
    assert relation.lhs.free_symbols == {X}
    assert parse_relation("x + 1 <= x + 2", ["x"]) not in (sympy.true, sympy.false)


def test_a_text_that_reads_back_as_something_else_is_refused() -> None:
    with pytest.raises(ExpressionError, match=r"reads back as 2\*x, a different expression"):
        to_text(sympy.Add(X, X, evaluate=False))
    assert to_text(X <= 1) == "x <= 1"
