"""Families and non-families that were chosen after the audit was written, and put to it once before they came here."""

from __future__ import annotations

from tests.corpus.families import rows

FAMILIES = rows(
    """
    log(2+exp(z)+3*exp(-2*z)) | three atoms
    log(1+exp(z)/4+exp(-z)/4) | three atoms, masses 1/4, 1, 1/4
    7*log(2+exp(3*z)) | sum of seven coins of step 3
    exp(z)+z**2/2 | Poisson and Gaussian, independent | every
    exp(3*z)-1+exp(-z/2)-1 | two Poisson processes of jumps 3 and -1/2 | every
    -4*log(1-z/3) | gamma of shape 4 | every
    -log(1-z**2/9) | laplace of scale 3 | every
    -2*log(1-z-z**2/4) | sum of gammas with rates of both signs: roots of 1 - z - z^2/4 are real | every
    log(exp(exp(z)/2)-exp(-exp(z)/2)) | odd Poisson numbers of mean 1/2
    log(exp(exp(z))-1-exp(z)-exp(2*z)/2) | Poisson without 0, 1, 2
    log(3/4+exp(exp(z)-1)/4) | Poisson with more zeros
    2*z-log(3-2*exp(z)) | geometric from 2 on | every
    -5*log(2-exp(z)) | nbinom of shape 5 | every
    exp(exp(z)-1)-1 | Neyman type A | every
    log((exp(3*z)-1)/z) | uniform on 0, 3
    3*log(sinh(z/2)/(z/2)) | Irwin-Hall of three, centred
    log(sinh(2*z)/z)+z | uniform on -1, 3
    log(cosh(2*z)+cosh(z)) | four atoms
    log(besseli(0,3*z)) | arcsine on -3, 3
    log(besseli(1,2*z)/z) | semicircle of radius 2
    -log(cos(z/2)) | hyperbolic secant, half the scale | every
    3-sqrt(9-z) | inverse gaussian | every
    2-2*sqrt(1-z)+z**2 | inverse gaussian and Gaussian | every
    -(3-z)**(1/4) | one-sided stable of index 1/4, tilted | every
    (2+z)*log(2+z) | one-sided stable of index 1, tilted | every
    (3-z)**(3/2) | stable of index 3/2, tilted | every
    loggamma(2-z) | log of a gamma variable | every
    loggamma(1-z)+z**2 | Gumbel and Gaussian | every
    loggamma(1+z)-loggamma(4+z) | log of a beta variable | every
    z**2+log(1+z**2) | Gaussian with weight 1/2 + r^2/4
    z**2/2+log(2+z**2) | Gaussian with weight 1 + r^2
    log(exp(z**2/2)+exp(z)) | mixture of a Gaussian and a point mass
    log(exp(z**2)+exp(z**2/8)) | mixture of two Gaussians
    log(1/(1-z)+1/(1+z)) | exponential on both sides
    -log(5-exp(z)-exp(-z)) | green function of a killed walk on the integers | every
    exp(2*z)/(3-exp(2*z)) | compound Poisson, geometric jumps | every
    log(2-z)-log(1-z)+z | exponential with an atom, moved | every
    -log(3-exp(z)-z) | potential of a killed Poisson process with drift | domain -oo,1/2 | every
    -log(1-z)-log(1-z/2)-log(1-z/3) | hypoexponential of three rates
    log(1/(2*(1-z)**3)+1/(2*(1-z))) | mixture of gammas of shape 1 and 3
    z/2+log(besseli(0,z/2)) | beta(1/2, 1/2) on (0, 1)
    log(besseli(0,z))+log(besseli(0,2*z)) | sum of two arcsine variables
    log(sinh(z)/z)+log(sinh(sqrt(2)*z)/(sqrt(2)*z)) | sum of two uniforms
    exp(z)-log(2-exp(z)) | Poisson plus geometric
    exp(z)/(2-exp(z)) | Polya-Aeppli
    exp(z)/2-3*log(2-exp(z)) | Delaporte
    log(1/2+1/(2*(2-exp(z)))) | geometric with more zeros
    log((1+exp(z))**4/32+(1+2*exp(z))**4/162) | mixture of two binomials
    -3*sqrt(4-z**2)+z | norminvgauss
    -sqrt(1-z)-sqrt(1+z) | difference of two inverse Gaussians
    loggamma(3/2+z)-z | loggamma, moved
    loggamma(2+z)+loggamma(3-z) | logarithm of an F variable
    -log(cos(z)-sin(z)/2) | hyperbolic secant, tilted
    -log(1-2*z+z**2/2) | sum of two exponentials
    log(besseli(1,z)/z)+z**2/2 | semicircle plus norm
    log((cosh(2*z)-cosh(z))/z**2) | trapezoid: two uniforms
    log(cosh(pi*z/2)/(1+z**2)) | density cos(r) on (-pi/2, pi/2)
    log(1/(1-z)+2/(2+z)) | asymmetric Laplace
    exp(2*z**2+z) | Poisson many normals
    z/(1-2*z)-3*log(1-2*z)/2 | ncx2 of three degrees
    loggamma(1+z/2) | logarithm of a Weibull variable
    log(1+exp(z)+exp(2*z)/2) | Poisson cut at 2
    log(1+9*exp(z)+9*exp(2*z)+exp(3*z)) | hypergeom(6, 3, 3)
    (1-z)**(7/4) | stable of index 7/4, tilted
    log(exp(-sqrt(1-z))+exp(-2*sqrt(1-z))) | mixture of two tilted Levy laws
    log(2+2*cosh(z)) | two fair signs of half size
    log((exp(z)*(z**3-3*z**2+6*z-6)+6)/z**4) | beta(4, 1)
    exp(z)*(1+exp(z))/2 | compound Poisson, jumps 1 or 2 | every
    exp((exp(z)+exp(-z))/4) | Poisson many steps of a walk | every
    log((1+exp(z))/2)+log(sinh(z)/z) | coin plus uniform
    log((exp(z)-1)/z)-log(1-z/3) | uniform plus exponential
    z**2/2+log(sinh(z)/z) | normal plus uniform
    log((exp(z)-1)/z)+exp(z)-1 | uniform plus Poisson
    log(exp(2*exp(z))-1-2*exp(z)) | Poisson of mean 2 without 0 and 1
    log(9/10+exp(exp(z)-1)/10) | Poisson with more zeros
    log((3/4)/(1-z)+(1/4)*(1-z/5)**(-2)) | mixture of an exponential and a gamma
    -log(1-z/2)/3-log(1+z/4)*2 | difference of gammas | every
    log(1/2+cosh(z)/2) | lazy step of a walk
    -log(7/2-cosh(z)-cosh(2*z)) | green function of a killed walk | every
    2-sqrt(4-2*z)+exp(z) | invgauss plus Poisson | every
    z**2/2-log(cos(z/3)) | normal plus hypsecant | every
    log(exp(z**2/2)/2+exp(2*z**2)/2)+z | scale mixture of normals, moved
    log(cosh(z))+log(cosh(2*z))+log(cosh(4*z)) | three signs
    log(besseli(0,z)+exp(z)) | arcsine or 1
    log(besseli(1,z)/z+1) | semicircle or 0
    loggamma(2-z)+loggamma(2+z) | genlogistic of type three | every
    3*loggamma(1-z/3) | sum of three Gumbel variables | every
    loggamma(1-z)-loggamma(1-z/2) | logarithm of a stable variable of index 1/2 | every
    -log(3-2*exp(z))+z**2 | geometric plus normal | every
    log(exp(z)/(2-exp(z))+1/(1-z)) | geometric or exponential | domain -oo,log(2)
    log((1-exp(-3+3*z))/(1-z)) | truncexpon on 0, 3
    log((exp(2*z)-1)/(2*z))+log((1+exp(z))/2) | uniform plus coin
    (1-z)**(3/2)+z**2 | stable of index 3/2, tilted, plus normal | every
    1/(2-z)-log(1-z) | compound Poisson plus exponential | every
    log(1/(2-exp(z))**2+1/(3-exp(z))) | mixture of negative binomials
    -log(1-z**2/4)+log(cosh(z)) | laplace plus sign
    log(z/sin(z))+exp(z) | logistic plus Poisson | every
    -log(1-z)-log(2-exp(z)) | exponential plus geometric | every
    -2*log(cos(2*z)+3*sin(2*z)) | Meixner, tilted | every
    log(exp(z**2/2)-exp(z**2/4)/4) | difference of normal densities, positive as exp(-r^2/2)/sqrt(8) < 1
    """,
    True,
)

NOT_FAMILIES = rows(
    """
    z**8 | degree over two (Marcinkiewicz)
    z**2+z**5/100 | degree over two (Marcinkiewicz)
    z**2/2+z**10/10**9 | degree over two (Marcinkiewicz)
    exp(z)+z**3 | entire of the form f + polynomial of degree 3: no positive law
    log(1+exp(z)-exp(2*z)/20+exp(3*z)) | an atom of negative mass
    log(5-exp(z)+exp(2*z)) | an atom of negative mass
    log(1+exp(2*z)-exp(sqrt(2)*z)/10) | an atom of negative mass | domain -oo,oo
    log(2+exp(z))/3 | a root of a polynomial with one zero: square root branch
    log(1+exp(z)+exp(2*z))/2 | sqrt of a polynomial in exp(z) that is no square
    log(cosh(z))/3 | root of cosh has branch points
    log(sinh(z)/z)/3 | root of an entire function with simple zeros
    log(2+sin(z)) | bounded on the line and not constant
    log(3+cos(2*z)) | bounded on the line and not constant
    z**2/2+sin(z)/5 | modulus grows off the line
    exp(z)-exp(3*z)/10**6 | not convex far away
    2*exp(z)-exp(2*z)/100 | not convex far away
    -log(1+z**2) | not convex
    sqrt(4+z**2) | branch points off the line
    sqrt(1+exp(2*z)) | branch points off the line
    log(1+z**4) | zeros off the line and bounded growth: not convex
    log(3+tanh(z)) | not convex
    z**2-log(cosh(2*z)) | poles off the line in the strip
    z**2-log(1+z**2)/4 | branch points off the line
    z**2/2-log(1+exp(z)) | poles off the line
    exp(z)-log(1+exp(z)) | poles off the line
    log(besseli(0,z))/3 | root of an entire function with simple zeros
    z**2/2+log(1+z**6) | a Gaussian with a weight that is negative
    log(2-sqrt(1-z)) | not convex left of 0 | domain -3,1
    z**2/2+exp(z)-exp(2*z)/10**4 | not convex far to the right
    log(cosh(z)-1/4) | an atom of negative mass
    log(sinh(z)/z-1/10) | a uniform less an atom
    z**2/2+log(cosh(z))-log(cosh(2*z))/8 | branch points off the line
    loggamma(1-z)-z**2/10 | the modulus grows along the imaginary axis
    -log(cos(z))-z**2/4 | the modulus grows along the imaginary axis
    log(besseli(0,z))-z**2/100 | not convex far away
    sqrt(1+z**2)+z**2/2 | branch point at i
    log(1+z**2/10)+z**2/100 | a Gaussian with a weight negative at 0
    3*z**2/2+log(cos(z)) | entire with a zero on the line | domain -1,1
    log(tanh(z/2)/z) | concave
    log(1+2*exp(z)+exp(2*z)+exp(3*z))/2 | root of a polynomial that is no square
    log(cosh(z)+cosh(2*z)/4-1/8) | negative mass at 0
    exp(z)+exp(-z)-z**4/100 | the modulus grows along the imaginary axis
    log(exp(z)+exp(3*z)-exp(2*z)/50) | negative mass at 2
    z**2/2+log(1+z**3/100) | a Gaussian with a weight that is negative | domain -4,oo
    log(sinh(z)/z)-z**2/100 | not convex far away
    -log(1+z**2/9)+z**2 | poles at 3i and -3i
    log(2/(1-z)-3/(3-z)-1/4) | negative mass at 0
    log(1+exp(z))-log(1+exp(2*z)/50) | poles above the line
    log(besseli(0,z))-log(cosh(z/4)) | poles above the line
    exp(z)-exp(z/2)/50 | negative jumps
    z**2/2+cosh(z)-cosh(2*z)/1000 | negative jumps
    3*log(sinh(z)/z)/4 | root of an entire function with simple zeros
    5*log(cosh(z))/3 | a fraction of a sum of signs
    log(besseli(1,z)/z)/2 | root of an entire function with simple zeros
    log(2+cosh(z))/2 | root of an entire function with simple zeros
    (1-z)**(9/4) | no stable index above two
    z**4/4+exp(z) | the modulus grows along the imaginary axis
    log(1/2+exp(z)/2+exp(z**2/2)/10-exp(2*z)/1000) | negative mass at 2
    """,
    False,
)

HELD_OUT = [*FAMILIES, *NOT_FAMILIES]
