import { cut, GAP } from './format.js'
import type { Comparison } from '../estimate/comparison.js'
import { formatLift } from '../words/difference-text.js'
import { formatConfidence, formatEstimate, formatPValue } from '../words/estimate-text.js'
import type { Terminal } from './terminal.js'

/** Longer names of policies are cut. */
const LONGEST_NAME = 24

/** What each policy earns, the baseline first, and its lift over the baseline; p is that of no difference from it. */
export function policyTable(comparison: Comparison, terminal: Terminal): string[] {
  const { evaluations, differences, confidence } = comparison
  const level = `${formatConfidence(confidence)} CI`
  const rows = evaluations.flatMap(({ target, estimates }, k) => {
    const { value, interval } = estimates[0]!
    const difference = differences[k - 1]
    // What cannot be told has no number.
    if (value === null || difference?.action === 'cannot-tell') return []
    const earned = formatEstimate(value, interval)
    const lift = formatLift(difference?.lift ?? null)
    const p = difference?.adjustedPValue ?? null
    return [
      [
        cut(target, LONGEST_NAME),
        earned.value,
        earned.interval ?? '',
        p === null ? '' : formatPValue(p).replace(/^p (= )?/, ''),
        lift?.value ?? '',
        lift?.interval ?? '',
      ],
    ]
  })
  const header = ['policy', 'reward', level, 'p', 'lift', level]
  // Without a lift there are no columns for it.
  const shown = rows.some((row) => row[4] !== '') ? 6 : 4
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .slice(0, shown)
      .map((cell, k) => GAP + (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join('')
      .trimEnd()
  return rows.length === 0 ? [] : [terminal.style('dim', line(header)), ...rows.map(line)]
}
