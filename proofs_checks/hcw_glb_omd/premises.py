"""What several claims assume, as lines of their texts."""

from __future__ import annotations

SETTING = """
    [assumed: |x_s| <= 1; assumed: theta_1, theta_* in Theta; assumed: eta = 1 + R_s S]
    [assumed: 0 <= mu' <= L_mu and |mu''| <= R_s mu' between -S and S]
"""
LOCAL = """
    [assumed: |x_s| <= 1; assumed: theta_1, theta_* in Theta; assumed: eta = 1 + R S]
    [assumed: 0 <= mu' <= L_mu, |mu''| <= R mu' and |mu''| <= bend between -S and S]
"""
ROUNDS = """
    [assumed: |x_s| <= 1; assumed: 0 < w_s <= 1]
    [assumed: H_{s+1} = H_s + (w_s/g_s) mu'(<x_s, theta_{s+1}>) x_s x_s^T]
"""
