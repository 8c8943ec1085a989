"""The repaired lower bounds that Coq checks.

For finitely or countably many reward values nothing is assumed, for Gaussian rewards the fact on the divergence of a
game.

Every hypothesis of a theorem is listed, and where it says less than the argued claim beside it, `why` says so.
"""

from __future__ import annotations

from glbcheck.verify.writing import proves

GAME_DIVERGENCE = {"Glbcheck.FiniteBandit.pinsker_and_chain_rule": "divergence-of-a-game"}
FINITE_FAMILY = (
    "finitely many reward values y, of mass b_t(y) exp((y z - m(z))/g_t) with b_t >= 0 and g_t > 0; for every real z "
    "the masses add up to 1 and the mean is mu(z)"
)
COUNTABLE_FAMILY = (
    "countably many reward values y, of mass b_t(y) exp((y z - m(z))/g_t) with b_t >= 0 and g_t > 0; for |z| <= S the "
    "masses add up to 1, |y| has a finite mean and the mean of y is mu(z)"
)
SMOOTH = "m three times differentiable with mu' >= 0 on the line, R_s >= 0"
SIGNS_OF_A_FAMILY = (
    "arms and parameters indexed by sign vectors e, s in {-1, 1}^n, n = d - 1; theta_* = (0, ..., 0, s_0), z_0 = "
    "s_0/sqrt(2), mu'(z_0) > 0"
)
POLICY = "a policy that draws each arm given all arms and rewards so far"
LAWS = "for every s a law P_s of the T arms pulled, which is all that is said of policy and rewards"
DISPERSIONS = "T >= 1, c > 0, g_t > 0 for every t, V the sum of min(g_t, c) over t <= T"

proves(
    "HCW.CorruptionBound.corruption_bound_of_every_family",
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    "app:logistic/eq3",
    id="corruption_bound_for_finitely_many_rewards",
    title="With finitely many reward values every policy pays min(3 Delta T/8, 3dC/1024) for some theta and adversary.",
    math=r"\sup_{\lVert \theta \rVert \le S} \operatorname{Reg}(T) \ge \min \left( \tfrac{3}{8} \Delta T, "
    r"\tfrac{3}{1024} d C \right), \; \Delta = \mu(S) - \mu(0), \; C \ge 8 \Delta",
    reading="repaired",
    hypotheses=(
        FINITE_FAMILY,
        "arms e_1, ..., e_d, d >= 2",
        "S >= 0, mu(S) > mu(0), C >= 8 (mu(S) - mu(0))",
        "a policy that draws each arm given all arms and revealed rewards so far",
    ),
    control=("9/16 in place of 3/8", "HCW.LowerBoundControls.corruption_larger_false"),
    witness="HCW.CorruptionBound.bernoulli_corruption_bound",
    why="For every policy there are theta with |theta| <= S, an arm to compare with and an adversary.  The adversary "
    "draws what is revealed, one of the reward values, from the whole history, and after no history within the budget "
    "does it leave the budget.  This is `corruption_bound_of_every_family` for finitely many reward values, such as "
    "logistic bandits; for Poisson rewards see `corruption_bound_for_countably_many_rewards`, for Gaussian ones "
    "`corruption_bound_with_additive_noise`.",
)

proves(
    "HCW.CountableCorruption.corruption_bound_of_countable_families",
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    "app:logistic/eq3",
    "lem:poi/eq2",
    id="corruption_bound_for_countably_many_rewards",
    title="With countably many reward values, bounded or not, the price is of order min(min(Delta, C) T, dC).",
    math=r"\sup_{\lVert \theta \rVert \le S, \text{ adversary}} \mathbb{E} \operatorname{Reg}(T) \ge "
    r"\min \left( \tfrac{3}{8} \min(\Delta, "
    r"\tfrac{C}{8}) T, \tfrac{3}{1024} d C \right), \; \Delta = \mu(S) - \mu(0), \; C > 0",
    reading="repaired",
    hypotheses=(
        COUNTABLE_FAMILY,
        "arms e_1, ..., e_d, d >= 2",
        "S >= 0, mu continuous at every point of [0, S], mu(S) > mu(0), C > 0",
        "a policy that draws each arm given all arms and revealed rewards so far",
    ),
    control=("9/16 in place of 3/8", "HCW.CountableCorruption.countable_larger_false"),
    witness="HCW.CountableCorruption.poisson_corruption_bound",
    why="For every policy there are theta with |theta| <= S, an arm to compare with and an adversary that draws what "
    "is revealed, one of the values, and leaves the budget after no history within it.  This is "
    "`corruption_bound_of_every_family` for Poisson rewards and all other families on countably many values whose "
    "natural parameters include [-S, S]; where the base measure is tilted so that they do, for geometric and negative "
    "binomial rewards.  With finitely many values (bernoulli_countable_bound) what is revealed need not be one of "
    "those that the rewards take, as it is in `corruption_bound_for_finitely_many_rewards`.  The adversary sends the "
    "better arm's reward through a kernel that turns its law into that of the others.  With such a kernel the theorems "
    "HiddenArmAnyLaw.hidden_arm and hide_within hold for rewards of any law, as a mean of all bounded functions; for "
    "continuous families none is built here, and what Coq has is `corruption_bound_with_additive_noise`.",
)

proves(
    "HCW.NoisyGame.noisy_corruption_bound",
    "thm:lower-bound-corruption",
    "thm:lower-bound-corruption/eq1",
    id="corruption_bound_with_additive_noise",
    title="With noise that does not depend on the arm, as for Gaussian rewards, the price is min(dC, Delta T)/4.",
    math=r"\max_i \mathbb{E} \operatorname{Reg}_i(T) \ge \tfrac{1}{4} \min(d C, \Delta T), \; \Delta = \mu(S) - "
    r"\mu(0), \; r_t = \mu(\langle x_t, \theta \rangle) + \xi_t",
    reading="repaired",
    hypotheses=(
        "arms e_1, ..., e_d, parameters S e_i, d >= 2, mu(S) > mu(0), C >= 0",
        "rewards mu(<x_t, theta>) + xi_t with any random variables xi_t, independent or not",
        "a policy that maps what it has seen, and what it draws, to an arm; policy and noise on one probability space",
        "whether round t pulls the best arm is measurable",
    ),
    control=("51/100 in place of 1/4", "HCW.NoisyGame.noisy_bound_larger_false"),
    why="The adversary lowers the reward of the best arm by Delta in its first pulls and stays within C on every path; "
    "what the policy sees is reward and corruption together, the theorem observed_reward.  With xi_t normal of "
    "variances g_t these are Gaussian rewards, for every budget.",
)

proves(
    "HCW.GaussianCube.hypercube_lower_bound",
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    id="hypercube_bound_given_divergences",
    title="On the hypercube some theta in the ball has regret >= min(d sqrt(gT)/4, ST/2), given Gaussian divergences.",
    math=r"\max_{s \in \{-1, 1\}^d} \operatorname{Reg}_s(T) \ge \min \left( \tfrac{1}{4} d \sqrt{g T}, "
    r"\tfrac{1}{2} S T \right), \; \lVert \theta_s \rVert \le S",
    reading="repaired",
    hypotheses=(
        "d, T >= 1, S, g > 0",
        "arms e/sqrt(d) and parameters w s/sqrt(d) for sign vectors e, s in {-1, 1}^d, w = min(d g/(2 sqrt(gT)), S)",
        LAWS,
        "the P_s differ at most as the fact on the divergence of a game says, a pull having divergence (z - z')^2/(2g)",
    ),
    premises=GAME_DIVERGENCE,
    control=("51/100 in place of 1/4", "HCW.LowerBoundControls.cube_larger_false"),
    witness="HCW.GaussianCube.blind_meets_premise",
    why="For all laws P_s there is such an s; regret is that of the means <x, theta_s>.  Against "
    "`hypercube_lower_bound` the rewards are missing: that Gaussian rewards of variance g and a policy give such P_s "
    "is the fact on the divergence of a game, with that of two normal laws.  That the arms lie in the unit ball is the "
    "theorem cube_arm_in_ball.",
)

proves(
    "HCW.GlmCube.hypercube_lower_bound_glm_finite",
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    "lem:lower-bound",
    "lem:lower-bound/eq1",
    "lem:lower-bound/eq2",
    id="hypercube_bound_for_finitely_many_rewards",
    title="With finitely many reward values every policy pays (d-1) sqrt(g T mu'(z_0))/18 close to theta_*.",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 = 2 w^2} \operatorname{Reg}(T) \ge \frac{d - 1}{18} "
    r"\sqrt{g T \mu'(z_0)}, \; w = \frac{d - 1}{2} \sqrt{\frac{g}{e T \mu'(z_0)}}",
    reading="repaired",
    hypotheses=(
        FINITE_FAMILY,
        SMOOTH,
        "g_t = g for every t, n >= 1, T >= 1",
        SIGNS_OF_A_FAMILY,
        "arms (e/sqrt(2n), 1/sqrt(2)), parameters (w s sqrt(2/n), s_0), w = n g/(2 sqrt(e mu'(z_0) g T))",
        "|mu''| <= R_s mu' on [z_0 - w, z_0 + w], R_s w <= 1, s_0^2 + 2w^2 <= S^2",
        POLICY,
    ),
    control=("without R_s w <= 1", "HCW.LowerBoundControls.cube_steep_false"),
    witness="HCW.GlmCube.logistic_cube",
    why="For every policy some s has |theta_s - theta_*|^2 = 2w^2, |theta_s| <= S and this regret; no fact is assumed, "
    "what is needed of divergences being proved for finitely many values.  Against `hypercube_lower_bound_glm` it has "
    "finitely many reward values, theta_* on the last axis and no rotation.",
)

proves(
    "HCW.GaussianCube.heteroskedastic_lower_bound",
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    id="heteroskedastic_bound_given_divergences",
    title="For variances g_t some theta in the ball has regret >= min(d sqrt(V)/4, SV/(2c)), given divergences.",
    math=r"\max_{s \in \{-1, 1\}^d} \operatorname{Reg}_s(T) \ge \min \left( \tfrac{1}{4} d \sqrt{V}, "
    r"\tfrac{S V}{2 c} \right), \; V = \sum_t \min(g_t, c), \; \lVert \theta_s \rVert \le S",
    reading="repaired",
    hypotheses=(
        "d >= 1, S > 0",
        DISPERSIONS,
        "arms min(1, g_t/c) e/sqrt(d) and parameters w s/sqrt(d) for sign vectors e, s in {-1, 1}^d, "
        "w = min(d c/(2 sqrt(V)), S)",
        LAWS,
        "the P_s differ at most as the fact on the divergence of a game says, a pull in round t having divergence "
        "(z - z')^2/(2 g_t)",
    ),
    premises=GAME_DIVERGENCE,
    control=("the sum of g_t in place of that of min(g_t, c)", "HCW.LowerBoundControls.uncapped_false"),
    witness="HCW.GaussianCube.blind_meets_premise",
    why="For all laws P_s there is such an s; with c = g_max, V is the sum of all g_t.  No bins, no logarithm and no "
    "condition on d.  Against `heteroskedastic_lower_bound` the rewards are missing: that Gaussian rewards of "
    "variances g_t and a policy give such P_s is the fact on the divergence of a game; and it looks at the end of the "
    "game alone, which costs 1/4 in place of 3/8.  That the arms lie in the unit ball is the theorem cube_arm_in_ball.",
)

proves(
    "HCW.GlmCube.heteroskedastic_lower_bound_glm_finite",
    "thm:lower-bound",
    "thm:lower-bound/eq1",
    "thm:lower-bound/eq2",
    id="heteroskedastic_bound_for_finitely_many_rewards",
    title="With finitely many reward values and dispersions g_t every policy pays (d-1) sqrt(mu'(z_0) V)/18.",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 = 2 w^2} \operatorname{Reg}(T) \ge "
    r"\frac{d - 1}{18} \sqrt{\mu'(z_0) V}, \; V = \sum_t \min(g_t, c), \; w = \frac{(d - 1) c}{2 \sqrt{e \mu'(z_0) V}}",
    reading="repaired",
    hypotheses=(
        FINITE_FAMILY,
        SMOOTH,
        "n >= 1",
        DISPERSIONS,
        SIGNS_OF_A_FAMILY,
        "arms (min(1, g_t/c) e/sqrt(2n), 1/sqrt(2)), parameters (w s sqrt(2/n), s_0), w = n c/(2 sqrt(e mu'(z_0) V))",
        "|mu''| <= R_s mu' on [z_0 - w, z_0 + w], R_s w <= 1, s_0^2 + 2w^2 <= S^2",
        POLICY,
    ),
    control=("the sum of g_t in place of that of min(g_t, c)", "HCW.LowerBoundControls.uncapped_glm_false"),
    witness="HCW.GlmCube.logistic_cube",
    why="For every policy some s has |theta_s - theta_*|^2 = 2w^2, |theta_s| <= S and this regret, nothing assumed.  "
    "Against `heteroskedastic_lower_bound_glm` it has finitely many reward values, theta_* on the last axis, no "
    "rotation, and the constants of a look at the end of the game alone.  In the witness all g_t are 1; averages of "
    "N_t logistic rewards have g_t = 1/N_t.",
)
