/** z of a two-sided 95 % interval: the 0.975 quantile of the standard normal distribution. */
const Z95 = 1.959963984540054

/**
 * Wilson's score interval of a rate, as [lower, upper] in [0, 1]: all rates p with
 * |clicks/trials − p| ≤ z √(p (1 − p) / trials). It stays inside [0, 1] and is not empty at 0 or at
 * `trials` clicks (Wilson 1927). Takes trials as independent; `trials` must be above 0.
 */
export function wilsonInterval(clicks: number, trials: number, z = Z95): [number, number] {
  const rate = clicks / trials
  const shrink = 1 + (z * z) / trials
  const centre = (rate + (z * z) / (2 * trials)) / shrink
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  return [clicks <= 0 ? 0 : Math.max(0, centre - half), clicks >= trials ? 1 : Math.min(1, centre + half)]
}

/**
 * The funnel around a known rate, as [lower, upper] in [0, 1]: an observed rate of `trials` impressions
 * lies inside exactly when its own Wilson interval holds `rate`, so that a dot and its interval never
 * disagree. rate ± z √(rate (1 − rate) / trials), cut at 0 and 1.
 */
export function wilsonFunnel(rate: number, trials: number, z = Z95): [number, number] {
  const half = z * Math.sqrt((rate * (1 - rate)) / trials)
  return [Math.max(0, rate - half), Math.min(1, rate + half)]
}
