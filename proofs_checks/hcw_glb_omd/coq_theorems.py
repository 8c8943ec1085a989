"""The theorems that Coq checks end to end, as repaired and with the constants of `core/theory/constants.py`.

What is written here is compared, by a reader, with what Coq prints: every hypothesis of a theorem is listed.
"""

from __future__ import annotations

from glbcheck.verify.writing import proves

from .inverse_regret import SETTING

LINK = (
    "m three times differentiable with mu' >= 0 on the line",
    "|mu''| <= R_s mu' on the whole line",
    "mu' <= L_mu on [-S, S]",
)
PLAY = (
    "d >= 1, |x_t| <= 1, g_t > 0, both chosen with knowledge of the past",
    "what is known before a reward is a measurable function of the past",
    "likelihood ratios of the reward have conditional mean at most 1, as for a normalised GLM density",
    "the observed reward is r_t + c_t, and sum |c_t| <= C for a C fixed in advance",
    "theta_1, theta_* in Theta, R_s >= 0, S, alpha > 0, 0 < delta <= 1",
)
GAME = (*PLAY, "eta = 1 + R_s S, lambda = max(6 eta R_s^2, 36 (eta alpha R_s S L_mu)^2, d/(4 S^2))")

proves(
    "HCW.ConfidenceSequence.confidence_sequence",
    "theorem:confidence-sequence",
    "eq:CS",
    id="confidence_sequence_with_explicit_constants",
    title="With probability at least 1 - delta, theta_* lies in C_t for all t at once, with the repaired constants.",
    math=r"\mathbb{P} \left( \theta_\star \in C_t \text{ for all } t \right) \ge 1 - \delta, \; \beta_t^2 = 2 \eta "
    r"\log \frac{1}{\delta} + \tfrac{81}{40} \eta^2 d \log \left( 1 + \frac{L_\mu}{d \lambda} \sum_{s < t} "
    r"\frac{1}{g_s} \right) + 4 \lambda S^2",
    reading="repaired",
    hypotheses=(*LINK, *GAME),
    control=("3 lambda S^2 in place of 4 lambda S^2 in beta_t^2", "HCW.Controls.confidence_start_false"),
    witness="HCW.Witness.premises_met",
    why="C_t is the set of theta in Theta with |theta_t - theta| <= beta_t + 2 eta alpha C in the norm of H_t.  For "
    "every dimension, every adaptive choice of arms and every adversary; lambda is smaller than the printed one, so "
    "this is the theorem for the repaired algorithm, and the one with the printed constants stays argued.",
)

proves(
    "HCW.SharperConfidence.sharper_confidence_sequence",
    "app:proof-cs",
    id="sharper_confidence_sequence_in_coq",
    title="With probability at least 1 - delta the sharper beta_t bounds the error for all t at once.",
    math=r"\mathbb{P} \left( \lVert \theta_t - \theta_\star \rVert_{H_t} \le \beta_t + 2 \eta \alpha C \text{ for all "
    r"} t \right) \ge 1 - \delta, \; \beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{c \eta^2}{1 - \varepsilon} \log "
    r"\frac{\det H_t}{\det H_1} + \lambda (S + \lVert \theta_1 \rVert)^2",
    reading="repaired",
    hypotheses=(
        *LINK,
        *PLAY,
        "eta = 1 + R_s S, lambda > 0, 0 <= eps < 1, a >= 0",
        "E[(e^(x|N|) - 1 - x|N|)/x^2] <= c/2 for a standard normal N and 0 <= x <= a, read as 1/2 at x = 0",
        "(1 - eps) a^2 lambda >= eta R_s^2",
        "eps^2 lambda >= (2 eta alpha R_s S L_mu)^2, or eps lambda g_t >= 2 eta R_s S L_mu in every round",
    ),
    control=("lambda S^2 in place of lambda (S + |theta_1|)^2", "HCW.SharperControls.sharper_start_false"),
    witness="HCW.Witness.sharper_premises_met",
    why="The theorem of `sharper_confidence_sequence`, with a = 1/sqrt(k); its pairs (a, c) are those of "
    "`mixture_pairs_in_coq`.  With a = 1/2, c = 27/20, eps = 1/3 and |theta_1| <= S, Coq derives "
    "`confidence_sequence_with_explicit_constants` from it.",
)

proves(
    "Glbcheck.MixtureTable.mixture_table",
    "lemma:mixture-ineq",
    id="mixture_pairs_in_coq",
    title="(a, c) = (1, 49/25), (1/2, 27/20), (1/4, 29/25) and (0, 1) are pairs of the sharper theorem.",
    math=r"\mathbb{E} \, \frac{e^{x \lvert N \rvert} - 1 - x \lvert N \rvert}{x^2} \le \frac{c}{2} \text{ for } 0 "
    r"\le x \le a, \; N \sim \mathcal{N}(0, 1)",
    reading="repaired",
    hypotheses=("N is standard normal", "1/2, the limit, is meant at x = 0"),
    control=(
        "(1, 3/2), (1/2, 9/8), (1/4, 103/100) or (0, 99/100) among them",
        "Glbcheck.MixtureTable.smaller_table_false",
    ),
    why="With a = 1/sqrt(k) these are the pairs (k, c) of `mixture_bound_sharper`, and (0, 1) is the one for R_s = 0.  "
    "Above the excess lies a combination of cosh(x u), u^2 and e^(-5 u^2/8), whose normal means are known.",
)

proves(
    "HCW.ConfidenceSequence.linear_confidence_sequence",
    "app:proof-cs",
    id="linear_confidence_sequence",
    title="For R_s = 0, as for Gaussian rewards, every lambda > 0 will do and the coefficient of log det is 1.",
    math=r"\beta_t^2 = 2 \log \frac{1}{\delta} + \log \frac{\det H_t}{\det H_1} + \lambda (S + \lVert \theta_1 "
    r"\rVert)^2, \; \lVert \theta_t - \theta_\star \rVert_{H_t} \le \beta_t + 2 \alpha C",
    reading="repaired",
    hypotheses=(*LINK, *PLAY, "R_s = 0, eta = 1, lambda > 0"),
    control=("lambda S^2 in place of lambda (S + |theta_1|)^2", "HCW.SharperControls.linear_start_false"),
    witness="HCW.Witness.sharper_premises_met",
    why="With probability at least 1 - delta for all t at once; the case eps = 0, a = 0, c = 1 of "
    "`sharper_confidence_sequence_in_coq`.",
)

proves(
    "HCW.RegretTheorem.regret_high_probability",
    "theorem:regret",
    "theorem:regret/eq1",
    id="regret_with_explicit_constants",
    title="With probability at least 1 - delta the explicit repaired bound on the regret holds for every T at once.",
    math=r"\operatorname{Reg}(T) \le \gamma_1 \sqrt{V} + \gamma_1 \sqrt{g_{\max} R_s D} + g_{\max} R_s \gamma_1^2 + D, "
    r"\; V = \sum_t g_t \mu'(\langle x_{t,\star}, \theta_\star \rangle)",
    reading="repaired",
    hypotheses=(
        *LINK,
        *GAME,
        "mu' >= 1/kappa on [-S, S] and g_t <= g_max",
        "(x_t, theta) maximises <x, theta> over the arms on offer and C_t",
        "the best arm is on offer, has norm at most 1, and <x_t, theta_*> <= <x_{t,*}, theta_*>",
    ),
    control=("the best arm not on offer", "HCW.Controls.regret_foreign_best_false"),
    witness="HCW.Witness.regret_premises_met",
    why="gamma_1 = 2 r sqrt(P), D = 2 r P/alpha + 4 R_s L_mu q^2 (kappa g_max P + F), where r and q are the radii of "
    "C_T and C_{T+1}, P = (1 + alpha L_mu/(2 sqrt(lambda))) d log(1 + L_mu/(d lambda) sum 1/g) and F = "
    "(kappa/(sqrt(lambda) alpha) + 1/(2 lambda)) d log(1 + T alpha/(d kappa sqrt(lambda))).  The order that the paper "
    "prints follows from it by the argument in `regret_theorem_repaired`.",
)

proves(
    "Glbcheck.Ville.ville",
    "lemma:mixture",
    "eq:term-a",
    id="ville",
    title="A nonnegative supermartingale ever reaches c with probability at most its initial mean over c.",
    math=r"c \, \mathbb{P} \left( \exists n : M_n \ge c \right) \le \mathbb{E} M_0",
    hypotheses=("c > 0", "M adapted to a filtration, nonnegative, measurable, integrals over past sets do not grow"),
    control=("half of the right side", "HCW.Controls.ville_half_false"),
    why="On an infinite horizon, for any measure; the case c = 1/delta and E M_0 = 1 is what the lemma uses.",
)

proves(
    "HCW.GlmLaw.glm_rewards_of_density",
    "eqn:GLM",
    "lemma:mixture/eq4",
    id="likelihood_ratios_of_a_density",
    title="If the rewards have a normalised GLM density given the past, likelihood ratios have mean at most 1.",
    math=r"\mathbb{E} \left[ e^{(r (z - z_\star) - m(z) + m(z_\star)) / g} \mid \text{past} \right] \le 1",
    hypotheses=("for each round a base measure under which e^((y z - m(z))/g) has integral 1 for every z",),
    control=("mean at most 1/2", "HCW.Controls.likelihood_half_false"),
    why="So the hypothesis on the rewards in the theorem on the confidence sequence holds for them.",
)

proves(
    "HCW.NoiselessGame.corruption_lower_bound",
    "thm:lower-bound-corruption",
    "app:lower-bound-corruption/eq1",
    id="corruption_bound_without_noise",
    title="Without noise every randomised policy pays min(dC, (mu(S) - mu(0)) T)/4 on one of d instances.",
    math=r"\max_i \mathbb{E} \operatorname{Reg}_i(T) \ge \tfrac{1}{4} \min(d C, (\mu(S) - \mu(0)) T)",
    reading="repaired",
    hypotheses=(
        "arms e_1, ..., e_d, parameters S e_i, rewards mu(<x, theta>) without noise",
        "d >= 2, mu(S) > mu(0), C >= 0",
        "a policy drawn from finitely many, each a function of the rewards seen",
    ),
    control=("51/100 in place of 1/4", "HCW.Controls.lower_bound_larger_false"),
    why="The adversary spends at most C on every path.  Noise that does not depend on the arm is in "
    "`corruption_bound_with_additive_noise`.",
)

proves(
    "Glbcheck.SelfConcordance.bregman_lower",
    "lemma:self-concordance/eq2",
    id="self_concordance_of_the_divergence",
    title="The Bregman divergence of m from b to c is at least mu'(b) (c - b)^2/(2 + R_s |c - b|).",
    math=r"\mu'(b) (c - b)^2 \le (2 + R_s \lvert c - b \rvert) \left( m(c) - m(b) - \mu(b) (c - b) \right)",
    reading="repaired",
    hypotheses=(
        "m three times differentiable with mu' >= 0 on the line",
        "|mu''| <= R_s mu' on an interval that holds b and c",
        "R_s >= 0",
    ),
    control=("3/2 in place of 2", "Glbcheck.LinkControls.bregman_smaller_false"),
    why="The divergence is (c - b)^2 times the (1-v)-weighted integral of the lemma: its lower bound at z_1.",
)

proves(
    "Glbcheck.SelfConcordance.mu_remainder",
    "lemma:inverse-regret/eq7",
    id="remainder_of_the_mean",
    title="The second-order remainder of mu from a to b is at most R_s L_mu (b - a)^2/2 in size.",
    math=r"\lvert \mu(b) - \mu(a) - \mu'(a) (b - a) \rvert \le \tfrac{1}{2} R_s L_\mu (b - a)^2",
    hypotheses=(
        "m three times differentiable with mu' >= 0 on the line",
        "|mu''| <= R_s mu' and mu' <= L_mu on an interval that holds a and b",
        "R_s >= 0",
    ),
    control=("divided by 3 in place of 2", "Glbcheck.LinkControls.remainder_third_false"),
)

proves(
    "HCW.InverseRegret.inverse_regret_two_thirds",
    "app:proof-cs/eq1",
    id="inverse_regret_as_used",
    title="The bound as the proof of the theorem quotes it: right sign, squared norm, factor 2/3.",
    math=r"\lVert \theta_t - \theta_\star \rVert_{H_t}^2 \le 2 \eta \sum_{s < t} \left( "
    r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + 4 \lambda S^2 - \tfrac{2}{3} \sum_{s < t} "
    r"\lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2",
    hypotheses=(
        *SETTING,
        "m three times differentiable with mu' >= 0 on the line",
        "R_s >= 0, S, alpha, lambda > 0",
        "lambda >= 36 (eta alpha R_s S L_mu)^2",
    ),
    control=("3 lambda S^2 in place of 4 lambda S^2", "HCW.Controls.inverse_regret_start_false"),
    witness="HCW.Witness.premises_met",
    why="For every dimension, every choice of arms and dispersions and all observed rewards, corrupted or not.",
)
