"""Families and non-families with the truth known from elsewhere.

A row is a formula, where the truth comes from, and what is known besides: the domain if it is to be stated,
`every` if m/g is a log-partition function for each g > 0 and `whole` if it is one for g = 1/n only.
Sources: SciPy's name of the law, `table` for tables of Laplace transforms, else a proof in a few words.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERY, WHOLE = "every", "whole"


@dataclass(frozen=True)
class Entry:
    m: str
    source: str
    is_family: bool
    domain: str | None = None
    dispersions: str | None = None


def rows(rows: str, is_family: bool) -> list[Entry]:
    """`formula | source`, then if need be `| domain A,B` and `| every` or `| whole`."""
    found = []
    for row in filter(None, map(str.strip, rows.splitlines())):
        m, source, *rest = (part.strip() for part in row.split("|"))
        domain = next((part.removeprefix("domain ") for part in rest if part.startswith("domain ")), None)
        dispersions = next((part for part in rest if part in (EVERY, WHOLE)), None)
        assert len(rest) == (domain is not None) + (dispersions is not None), row
        found.append(Entry(m, source, is_family, domain, dispersions))
    return found


FAMILIES = rows(
    """
    log(1+exp(z)) | bernoulli | whole
    5*log(1+exp(z)) | binom
    exp(z) | poisson | every
    -log(1-exp(z)) | geom | every
    -3*log(1-exp(z)) | nbinom | every
    -log(1-exp(z))/2 | nbinom | every
    z-log(2-exp(z)) | geom, counted from 1 | every
    log(-log(1-exp(z))) | logser; log-convex masses (Kaluza) | every
    log(-log(1-exp(z)/2)) | logser | every
    log(1-sqrt(1-exp(z))) | Sibuya; log-convex masses (Kaluza) | every
    -sqrt(1-exp(z)) | discrete stable, Poisson many Sibuya numbers | every
    log(exp(exp(z))-1) | Poisson without 0
    log(exp(exp(z))-1-exp(z)) | Poisson without 0 and 1
    log(1/4+3*exp(exp(z))/4) | Poisson with more zeros
    cosh(z) | skellam | every
    2*exp(z)+3*exp(-z) | skellam | every
    log(cosh(z)) | fair sign | whole
    log(1+2*cosh(z)) | randint on -1, 0, 1
    log(1+exp(z)+exp(2*z)) | randint
    log((exp(5*z)-1)/(exp(z)-1)) | randint
    log(1/2+exp(z)/3+exp(4*z)/6) | three atoms
    log(1+exp(z)+exp(sqrt(2)*z)) | three atoms, not on a lattice
    log(1+exp(z)+exp(3*z)+exp(2*z)/10**6) | four atoms
    log((1+exp(z))**3+exp(5*z)) | five atoms
    exp(exp(z)) | Neyman type A | every
    exp(z)+exp(2*z)/2 | Hermite law | every
    exp(z)-z | Poisson, moved | every
    -log(2-exp(z)) | geom | every
    -2*log(3-exp(z)-exp(2*z)) | renewal numbers: 1/(1 - f), f a transform | every
    -log(4-exp(z)-exp(3*z)) | renewal numbers | every
    -log(3-cosh(z)) | green function of a killed walk | every
    log(besseli(0,2*exp(z))) | masses 1/(k!)^2 on even numbers
    log(cosh(exp(z))) | even Poisson numbers
    log(sinh(exp(z))) | odd Poisson numbers
    log(1+exp(z))-log(2-exp(z)) | sum of a coin and a geometric number
    log((1-exp(z)/3)/(1-exp(z)/2)) | geometric with more zeros; masses (a^k - b^k)/k of the jumps | every
    sinh(z)**2 | (cosh(2z) - 1)/2 | every
    log(1+2*exp(z)+exp(2*z))/2 | bernoulli in disguise | whole
    1000*log(1+exp(z)) | binom
    log(exp(-z)+exp(z/3)) | two atoms | whole
    z**2/2 | norm | every
    3*z**2+z | norm | every
    -log(1-z) | expon | every
    -3*log(2-z) | gamma | every
    -log(1-2*z)/2 | chi2 | every
    -log(1+z) | expon, reflected | every
    -log(1-z**2) | laplace | every
    -log(1-z)-log(1+z/2) | laplace_asymmetric | every
    -log(1-z)-log(1-z/2) | sum of two exponentials | every
    -log(1-z**2/2)/2 | variance gamma | every
    -2*log(1-z-z**2/2) | variance gamma | every
    z**2/2-log(1-z) | exponnorm | every
    z**2/2+exp(z) | norm plus poisson | every
    z/(1-2*z)-log(1-2*z)/2 | ncx2 | every
    1/(1-z) | Poisson many exponentials | every
    1/(1-z)**2 | Poisson many gammas | every
    exp(1/(1-z)) | Poisson many compound Poisson numbers | every
    log((1-z/2)/(1-z)) | atom and exponential; Frullani | every
    log(1/3+2/(3*(1-z))) | atom and exponential; Frullani | every
    log(1/(2*(1-z))+1/(2-z)) | two exponentials mixed (Goldie, Steutel) | every
    log((2-z)/(1-z)**2) | Lindley: (1 + r) exp(-r) | every
    log(2/(1-z)-1/(2-z)) | density 2 exp(-r) - exp(-2r) > 0 | every
    log(1/(1-z)-1/(2-z)) | sum of two exponentials | every
    log(1/(1-z)+1/(2-z)**2) | mixture of gammas
    log(1/(1-z)+exp(z)) | exponential or 1
    log(sinh(z)/z) | uniform
    log((exp(z)-1)/z) | uniform
    log((exp(2*z)-exp(-z))/(3*z)) | uniform
    log((exp(z-1)-1)/(z-1)) | truncexpon
    2*log((exp(z)-1)/z) | irwinhall
    log(2*(exp(z)-1-z)/z**2) | triang, c = 0
    log(2*(exp(z)*(z-1)+1)/z**2) | triang, c = 1
    log((cosh(z)-1)/z**2) | triang, c = 1/2
    log(4*(exp(z/2)-1)**2/z**2) | triang, c = 1/2
    log(6*(exp(z)*(z-2)+z+2)/z**3) | beta(2, 2)
    log(12*(exp(z)*(z-2)+z+2)/z**3) | beta(2, 2), not normalised
    log((exp(z)*(z**2-6*z+12)-z**2-6*z-12)/z**5) | beta(3, 3)
    log((exp(z)*(z**2-2*z+2)-2)/z**3) | beta(3, 1)
    log((exp(z)-1-z-z**2/2)/z**3) | beta(1, 3)
    log((z*cosh(z)-sinh(z))/z**3) | Epanechnikov: 1 - r^2
    log((exp(z-1)*(z-2)+1)/(z-1)**2) | r exp(-r) cut at 1
    log((1+z*exp(z))/z**2) | r below 1, r - 1 above | domain -oo,0
    log(besseli(0,z)) | arcsine
    log(2*besseli(1,z)/z) | semicircular
    log(2*besseli(1,3*z)/(3*z)) | semicircular
    log(besseli(2,z)/z**2) | (1 - r^2)^(3/2), table
    besseli(0,z) | Poisson many arcsine variables | every
    log(besseli(0,z))+z**2/2 | arcsine plus norm
    -log(cos(z)) | hypsecant | every
    -2*log(cos(z/2)) | Meixner | every
    -log(sin(pi*z)/(pi*z)) | logistic | every
    log(z/sin(z)) | logistic | every
    log(z/sin(z))+z**2 | logistic plus norm | every
    loggamma(1-z) | gumbel_r | every
    loggamma(z) | loggamma | every
    loggamma(2*z+1) | loggamma, scaled | every
    loggamma(1-z)-loggamma(3-z) | logarithm of beta(1, 2) | every
    log(gamma(1-z)*gamma(1+z)) | logistic | every
    loggamma(2-z)+loggamma(1+z) | genlogistic of type four | every
    loggamma(z)-loggamma(z+1)/2 | half of loggamma(z) - log(z) | every
    -sqrt(-2*z) | levy | every
    1-sqrt(1-2*z) | invgauss | every
    -sqrt(1-z**2) | norminvgauss | every
    sqrt(3)-sqrt(4-(z+1)**2) | norminvgauss | every
    -sqrt(-z)+z**2 | levy plus norm | every
    (-z)**(3/2) | levy_stable, index 3/2, skew to one side | every
    (1-z)**(3/2) | levy_stable, tilted | every
    -(1-z)**(1/3) | positive stable, tilted | every
    -(2-z)**(2/3) | positive stable, tilted | every
    z*log(z) | landau | every
    (1+z)*log(1+z) | landau, tilted | every
    z*atanh(z) | m'' = 2/(1 - z^2)^2 is a transform | every
    -1/z | Poisson many exponentials | every
    1/z | Poisson many exponentials | domain 0,oo | every
    z**2/2+log(1+erf(z/sqrt(2))) | halfnorm
    z**2/2+log(1-erf(z/sqrt(2))) | halfnorm, reflected
    z**2/2+log(1+erf(z/2)) | skewnorm, a = 1
    z**2/2+log(1-erf(z/2)) | skewnorm, a = -1
    z**2/2+log(1+erf(z/10)) | skewnorm
    log(1+sqrt(pi/2)*z*exp(z**2/2)*(1+erf(z/sqrt(2)))) | rayleigh
    log(z+sqrt(pi/2)*(1+z**2)*exp(z**2/2)*(1+erf(z/sqrt(2)))) | maxwell
    z**2/2+log(1+z**2) | r^2 times the normal density
    z**2/2+log(2+z+z**2) | 1 + r + r^2 times the normal density
    z**2/2+log(z**4+6*z**2+3) | r^4 times the normal density
    z**2+log(1+z**4/100) | a positive weight of degree four times a normal density
    z**2/2+log(cosh(z)) | two normals mixed
    log(exp(z)/3+2*exp(z**2)/3) | atom and normal
    exp(z**2/2) | Poisson many normals | every
    log(tan(z)/z) | table: partial fractions of the tangent
    z*tan(z) | partial fractions of the tangent: Poisson many Laplace variables | every
    1-z/tan(z) | partial fractions of the cotangent | every
    -log(cosh(sqrt(-2*z))) | exit time of Brownian motion, product formula | domain -oo,0 | every
    log(sqrt(-2*z)/sinh(sqrt(-2*z))) | hitting time of a Bessel process, product formula | domain -oo,0 | every
    -log(2*sinh(z)) | table: odd negative numbers | domain 0,oo | every
    -log(2-3*exp(z)+exp(2*z)) | two geometric numbers | every
    log(exp(2*z)-exp(-z))-log(z) | uniform | domain 0,oo
    log(2*log(2-z)-2*log(1-z)) | table: (exp(-r) - exp(-2r))/r
    log(sinh(pi*z)/(pi*z*(1+z**2))) | cosine
    log((1+exp(z))/(z**2+pi**2)) | density sin(pi r) on (0, 1)
    cosh(sqrt(1+z**2)) | table: jumps with density I_1(sqrt(1 - r^2))/sqrt(1 - r^2) and two atoms | every
    """,
    is_family=True,
)

NOT_FAMILIES = rows(
    """
    z**4 | no variance at 0, and no point mass
    z**6 | no variance at 0, and no point mass
    z**2/2+z**4/24 | Marcinkiewicz
    z**2/2-z**4/100 | Marcinkiewicz
    z**2/2+z**6/10**6 | Marcinkiewicz
    z**2/2+z**4/10**9 | Marcinkiewicz
    z**2+z**3/100 | Marcinkiewicz
    z**4+z**2-z**3 | Marcinkiewicz
    z**2/2+z**8/10**4 | Marcinkiewicz
    z**3 | concave near 0 once continued | domain 0,oo
    exp(z)+z**4 | growth of the modulus above the line
    exp(z)-1+z**3/1000 | not convex far to the left
    exp(z)-z**2/100 | not convex far to the left
    cosh(z)+z**4/100 | growth of the modulus above the line
    (1+z**2)**2 | Marcinkiewicz
    (1-z)**(5/2) | table: no stable index above two
    -(1-z)**(3/2) | concave
    sqrt(1-z) | concave
    sqrt(z) | concave
    abs(z) | a kink | domain -oo,oo
    abs(z)**3 | not analytic | domain -oo,oo
    sqrt(1+z**2) | branch point at i
    sqrt(100+z**2) | branch point at 10i
    z**2-sqrt(100+z**2) | branch point at 10i
    z**2-log(1+z**2)/2 | branch point at i
    asinh(z)**2 | branch point at i
    z*atan(z) | branch point at i
    sqrt(1+exp(z)) | branch point at i pi
    sqrt(1+z**4) | branch point
    log(1+z**2) | not convex
    log(1+z**2) | 1 - t^2 leaves the unit disc | domain -1,1
    log(1+z**2+z**4) | polynomial of exp(m): negative somewhere above the line
    log(1+z) | concave
    z**2+log(2+z) | weight of a normal that changes its sign
    z**2/2+log(1+z/10) | weight of a normal that changes its sign
    z**2/2+log(3-z**2) | weight of a normal that is negative far out
    z**2/2+log(1-z**2/10) | weight of a normal that is negative far out | domain -1,1
    z**2/2+log(1+z+z**2) | weight r + r^2 of a normal
    z**2/2+log(1+z**4) | weight of a normal that is negative at r^2 = 3
    log(2+cos(z)) | not convex
    z**2/2+sin(z)/10 | cosh t grows faster than t^2
    z**2/2+cos(z)/100 | cosh t grows faster than t^2
    log(sin(z)/z) | concave | domain -3,3
    log(1+erf(z)) | concave far to the left
    z**2/2+log(1+erf(z)) | skewness beyond the skew normal
    log(2+tanh(z)) | not convex
    exp(z)/(1+exp(z)) | not convex
    z**2-log(cosh(z)) | pole at i pi/2
    -log(cosh(z)) | concave
    z**2-log(1+z**2) | pole at i
    -log(1-z-z**3/10) | a pair of poles inside the strip
    -log(1-z+z**2)+z | not convex
    exp(-z**2)+z**2 | growth of the modulus above the line
    exp(z)-exp(2*z)/1000 | negative masses far out
    cosh(2*z)-cosh(z)/2 | negative masses at odd numbers
    exp(z)-exp(-z)/1000 | not convex
    z**2+sinh(z) | not convex far to the left
    z*exp(z) | not convex far to the left
    z*sinh(z) | growth of the modulus above the line
    log(cosh(z)+z*sinh(z)) | cos t - t sin t is unbounded
    log(1+exp(z)+exp(3*z)-exp(2*z)/10) | negative mass at 2
    log(1-exp(z)+exp(2*z)) | negative mass at 1
    log(1+exp(z)-exp(2*z)/100+exp(4*z)) | negative mass at 2
    log(1+exp(z)+z) | not a transform: z is the derivative of a point mass | domain 0,oo
    log(cosh(z))/2 | a coin has no root
    log(1+exp(z))/2 | a coin has no root
    3*log(1+exp(z))/2 | a coin has no root
    log(besseli(0,z))/2 | zeros above the line
    log(sinh(z)/z)/2 | zeros above the line
    log(besseli(1,z)) | concave near 0 | domain 0,oo
    log(1+exp(z))**2 | branch point at i pi
    tan(z) | concave to the left of 0
    z/tan(z) | concave
    log(cosh(sqrt(-2*z))) | concave | domain -oo,0
    log((1-z)/(1-z/2)) | concave
    log(1/(1-z)-2/(2-z)) | negative density near 0 | domain 0,1
    log(3/(1-z)-4/(2-z)) | negative density near 0
    loggamma(3-z)-loggamma(1-z) | a polynomial
    log((exp(z)*(z-1)+z+2)/z**3) | negative density beyond 1 | domain -oo,0
    log((exp(z)*(z-2)+z+2)/z**3+(exp(z)-1)/z/10-1/10) | negative atom | domain 0,oo
    log(1+exp(z)+exp(2*z)+exp(3*z)-3*exp(3*z/2)/2) | negative mass at 3/2
    """,
    is_family=False,
)

CORPUS = [*FAMILIES, *NOT_FAMILIES]

# formula, S, R_s on [-S, S] by hand.
SELF_CONCORDANCE = [
    ("log(1+exp(z))", "3", "tanh(3/2)"),
    ("exp(z)", "2", "1"),
    ("z**2/2", "5", "0"),
    ("-log(1-z)", "1/2", "4"),
    ("-log(cos(z))", "1", "2*tan(1)"),
    ("-log(1-exp(z-1))", "1/2", "(1+exp(-1/2))/(1-exp(-1/2))"),
    ("(2-z)**(3/2)", "1", "1/2"),
]

# formula, support, logarithm of the base density, is its mass one for every z?
DENSITIES = [
    ("log(1+exp(z))", "0,1", "0", True),
    ("exp(z)", "integers:0,oo", "-loggamma(r+1)", True),
    ("exp(z)", "integers:1,oo", "-loggamma(r+1)", False),
    ("z**2/2", "interval:-oo,oo", "-r**2/2-log(2*pi)/2", True),
    ("z**2/2", "interval:-oo,oo", "-r**2/2", False),
    ("-log(1-z)", "interval:0,oo", "-r", True),
    ("-2*log(1-z)", "interval:0,oo", "log(r)-r", True),
    ("-2*log(1-z)", "interval:0,oo", "-r", False),
    ("log((exp(z)-1)/z)", "interval:0,1", "0", True),
    ("log(-log(1-exp(z)))", "integers:1,oo", "-log(r)", True),
]
