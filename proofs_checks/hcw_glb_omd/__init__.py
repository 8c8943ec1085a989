"""HCW-GLB-OMD: heteroskedastic generalised linear bandits under adversarial corruption, claim by claim."""
