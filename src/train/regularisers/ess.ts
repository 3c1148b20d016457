import { requireMean, sumOf } from '../mean-one.js'
import { alpha } from './alpha.js'
import type { RegulariserKind } from './regulariser-kind.js'

/**
 * With w brought to mean 1, minimises Σ (ω − w)²/(2w) + α·n·log(n Σω²/(Σω)²), that is α·n times the log of how many
 * times the effective sample is smaller than the sample. Its sums count each weight as often as it has events.
 */
export const ess: RegulariserKind<'ess'> = {
  name: 'ess',
  label: 'ESS',
  family: 'weights',
  meaning: 'Trades closeness to w for a larger effective sample size.',
  docs: 'regularisers.md#ess',
  strength: alpha,
  change: towardsEffectiveSample,
}

/**
 * ω = w·(1 + 2αn/S)/(1 + 2αn·w/Q) with S = Σω and Q = Σω², by going round until it stands still. The second part
 * does not know the scale of ω, so the first alone decides it; set each round, it need not be crept up to.
 */
function towardsEffectiveSample(weights: Float64Array, strength: number, counts: Float64Array): Float64Array {
  const n = sumOf(counts)
  const total = (of: (event: number) => number): number => sumOf(counts.map((count, k) => count * of(k)))
  const mean = requireMean(total((k) => weights[k]!) / n)
  const raw = weights.map((w) => w / mean)
  const pull = 2 * strength * n
  let omega = raw
  for (let round = 0; round < 1000; round++) {
    const now = omega
    const s = total((k) => now[k]!)
    const q = total((k) => now[k]! * now[k]!)
    const next = raw.map((w) => (w * (1 + pull / s)) / (1 + (pull * w) / q))
    const scale = total((k) => next[k]!) / total((k) => (raw[k] === 0 ? 0 : (next[k]! * next[k]!) / raw[k]!))
    omega = next.map((one) => one * scale)
    if (omega.every((one, k) => Math.abs(one - now[k]!) <= 1e-12 * (1 + one))) break
  }
  return omega
}
