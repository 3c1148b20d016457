import { log } from './portable-math.js'

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln Γ(x) for x > 0, to about 1e-14 (Lanczos 1964, g = 7). */
export function logGamma(x: number): number {
  if (x < 0.5) return logGamma(x + 1) - log(x)
  let series = LANCZOS[0]!
  for (let k = 1; k < LANCZOS.length; k++) series += LANCZOS[k]! / (x - 1 + k)
  const t = x + 6.5
  return 0.9189385332046728 + (x - 0.5) * log(t) - t + log(series)
}
