import { advice, set } from '../advice.js'
import type { Check } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { counted, formatCount } from '../number-text.js'
import { figure, percent, plainFigure, verb } from './wording.js'

/** Finds rewards that cannot be read, are negated, lie outside [0, 1] or never vary. */
export const checkRewards: Check = ({ log, mapping }) => {
  const { reward } = log
  const name = mapping['reward'] ?? 'reward'
  const unreadable = matchingRows(log.rows, (k) => !Number.isFinite(reward[k]))
  let [min, max, whole] = [Infinity, -Infinity, true]
  for (let k = 0; k < log.rows; k++) {
    if (!Number.isFinite(reward[k])) continue
    if (reward[k]! < min) min = reward[k]!
    if (reward[k]! > max) max = reward[k]!
    if (!Number.isInteger(reward[k])) whole = false
  }
  const base = { level: 'problem', column: 'reward' } as const
  const findings = []
  if (unreadable.count > 0) {
    findings.push({
      ...base,
      code: 'reward-unreadable',
      seen: `${formatCount(unreadable.count)} of ${counted(log.rows, 'reward')} (${percent(unreadable.count / log.rows)}) ${verb(unreadable.count, 'is missing or not a number', 'are missing or not numbers')}.`,
      why: 'A missing reward is neither a click nor the lack of one; a single one spoils every sum.',
      remedy: advice`Write 0 where ${name} is empty because nothing happened, leave the row out where the outcome is unknown, or choose another column with ${set('columns', 'reward=…')}.`,
      numbers: { unreadable: unreadable.count, rows: log.rows },
      rows: unreadable.rows,
    })
  }
  const readable = log.rows - unreadable.count
  if (readable === 0) return findings
  if (max <= 0 && min < 0) {
    const negative = matchingRows(log.rows, (k) => reward[k]! < 0)
    findings.push({
      ...base,
      code: 'rewards-are-costs',
      seen: `No reward is above 0, and ${formatCount(negative.count)} (${percent(negative.count / log.rows)}) ${verb(negative.count, 'is', 'are')} below; the smallest is ${figure(min)}.`,
      why: 'These are costs: more is worse. A comparison of policies would favour the worst one.',
      remedy:
        min >= -1 ? 'Write −reward.' : `Write −reward / ${plainFigure(-min)}, so that rewards lie in [0, 1].`,
      numbers: { negative: negative.count, smallest: min, largest: max },
      rows: negative.rows,
    })
  } else if (min < 0 || max > 1) {
    const outside = matchingRows(log.rows, (k) => reward[k]! < 0 || reward[k]! > 1)
    findings.push({
      ...base,
      code: 'rewards-outside-range',
      seen: `${counted(outside.count, 'reward')} (${percent(outside.count / log.rows)}) ${verb(outside.count, 'lies', 'lie')} outside [0, 1]; rewards run from ${figure(min)} to ${figure(max)}.`,
      why: 'Clicks, click models and worst-case intervals assume rewards in [0, 1]; values outside are never clipped silently.',
      remedy: rescaling(min, max, whole, outside.count / log.rows),
      numbers: { outside: outside.count, share: outside.count / log.rows, smallest: min, largest: max },
      rows: outside.rows,
    })
  } else if (min === max && readable > 1) {
    findings.push({
      ...base,
      code: 'rewards-constant',
      seen:
        max === 0
          ? `None of the ${counted(readable, 'row')} has a click.`
          : `All ${counted(readable, 'reward')} are ${figure(max)}.`,
      why: 'If all rewards are equal, every policy earns the same and there is nothing to learn.',
      remedy:
        max === 0
          ? advice`Check that clicks were joined to the impressions, or choose the column that holds them with ${set('columns', 'reward=…')}.`
          : advice`Add the impressions without a click, which this log lacks, or choose the column that holds clicks with ${set('columns', 'reward=…')}.`,
      numbers: { reward: max, rows: readable },
      rows: matchingRows(log.rows, (k) => Number.isFinite(reward[k])).rows.slice(0, 1),
    })
  }
  return findings
}

function rescaling(min: number, max: number, whole: boolean, share: number): string {
  if (share < 0.01)
    return 'Correct these rows or leave them out. If the values are intended, rescale all rewards to [0, 1] or state their range.'
  if (min >= 0 && whole && max <= 5) {
    return `If these are star ratings, count the good ones as clicks (reward >= 4). Otherwise divide by ${figure(max)}, or state the range ${figure(min)} to ${figure(max)}.`
  }
  if (min >= 0 && max > 5 && max <= 100)
    return 'Divide by 100 if these are percentages; otherwise divide by the largest possible value, or state the range.'
  if (min >= 0) return `Divide by the largest possible value (${figure(max)} here), or state the range.`
  return `Write (reward − ${plainFigure(min)}) / ${plainFigure(max - min)} with the smallest and largest possible values, or state the range.`.replace(
    '− -',
    '+ ',
  )
}
