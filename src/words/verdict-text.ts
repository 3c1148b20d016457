import type { Estimate, Evaluation, Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { VERDICT_SHAPES } from './estimate-text.js'
import { groundsOf } from '../verdict/verdict.js'

/** A verdict with its shape: "▲ caution". */
export const verdictWord = ({ level }: Pick<Verdict, 'level'>): string => `${VERDICT_SHAPES[level]} ${level}`

/** The level of several answers seen together: `refuse` where none is one, no better than `caution` where some are not. */
export function jointLevel(levels: readonly VerdictLevel[]): VerdictLevel {
  if (levels.every((level) => level === 'refuse')) return 'refuse'
  return levels.every((level) => level === 'trust') ? 'trust' : 'caution'
}

/** Estimates that share a verdict other than the answer's, and why. */
export interface OtherVerdict {
  readonly level: VerdictLevel
  readonly estimates: readonly Estimate[]
  /** Reasons that the answer's verdict does not have already. */
  readonly reasons: readonly string[]
}

/** The estimates with a value whose verdict is another than the answer's, those with the same reasons together. */
export function otherVerdicts({
  estimates,
  verdict,
}: Pick<Evaluation, 'estimates' | 'verdict'>): OtherVerdict[] {
  const said = new Set(verdict.reasons.map(({ message }) => message))
  const groups = new Map<string, { level: VerdictLevel; estimates: Estimate[]; reasons: readonly string[] }>()
  for (const estimate of estimates) {
    const { level, reasons: all } = estimate.verdict
    if (level === verdict.level || estimate.value === null) continue
    const reasons =
      level === 'trust'
        ? [groundsOf(estimate.verdict)]
        : all.map(({ message }) => message).filter((message) => !said.has(message))
    const key = JSON.stringify([level, reasons])
    const group = groups.get(key) ?? { level, estimates: [], reasons }
    group.estimates.push(estimate)
    groups.set(key, group)
  }
  return [...groups.values()]
}
