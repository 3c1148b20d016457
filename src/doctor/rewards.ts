import { type Advice, advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import type { RawRow } from '../log/source.js'
import { happenedWord, outcomeWords } from '../log/values/outcome-words.js'
import { comparisonText } from '../log/values/value.js'
import { counted, formatCount, formatShare, verb } from '../number-text.js'
import type { ReadLog } from '../read/plan.js'
import {
  type Check,
  type Examination,
  figure,
  type Finding,
  matchingRows,
  plainFigure,
  revalued,
} from './finding.js'

/** Finds rewards that cannot be read, are negated, lie outside [0, 1] or never vary. */
export const checkRewards: Check = (examination) => {
  const { log, mapping } = examination
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
  const findings: Finding[] = []
  if (unreadable.count > 0) {
    findings.push({
      ...base,
      code: 'reward-unreadable',
      seen: `${formatCount(unreadable.count)} of ${counted(log.rows, 'reward')} (${formatShare(unreadable.count / log.rows)}) ${verb(unreadable.count, 'is missing or not a number', 'are missing or not numbers')}.`,
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
    const positive = revalued(examination, 'reward', (r) => `-${r}`)
    findings.push({
      ...base,
      code: 'rewards-are-costs',
      seen: `No reward is above 0, and ${formatCount(negative.count)} (${formatShare(negative.count / log.rows)}) ${verb(negative.count, 'is', 'are')} below; the smallest is ${figure(min)}.`,
      why: 'These are costs: more is worse. A comparison of policies would favour the worst one.',
      remedy:
        min >= -1
          ? advice`Change the sign with ${positive.setting}.`
          : advice`Change the sign with ${positive.setting}, and state the range with ${set('rewardRange', `0,${plainFigure(-min)}`)}.`,
      mend: positive.mend,
      numbers: { negative: negative.count, smallest: min, largest: max },
      rows: negative.rows,
    })
  } else if (min < 0 || max > 1) {
    findings.push(outsideRange(log, { min, max, whole }))
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

interface Range {
  readonly min: number
  readonly max: number
  /** Whether every reward is a whole number. */
  readonly whole: boolean
}

/**
 * Rewards outside [0, 1]: amounts and ratings are as good as clicks, given their range. A handful among clicks is a
 * mistake, since a column of amounts does not consist of zeros and ones.
 */
function outsideRange({ reward, rows }: Log, range: Range): Finding {
  const { min, max } = range
  const outside = matchingRows(rows, (k) => reward[k]! < 0 || reward[k]! > 1)
  const ones = matchingRows(rows, (k) => reward[k] === 1).count
  const between = matchingRows(rows, (k) => reward[k]! > 0 && reward[k]! < 1).count
  const strays = between === 0 && ones >= 20 * outside.count
  return {
    code: 'rewards-outside-range',
    level: strays ? 'problem' : 'note',
    column: 'reward',
    seen: `${counted(outside.count, 'reward')} (${formatShare(outside.count / rows)}) ${verb(outside.count, 'lies', 'lie')} outside [0, 1]; rewards run from ${figure(min)} to ${figure(max)}.`,
    why: strays
      ? `All other rewards are 0 or 1: this is a column of clicks, and ${verb(outside.count, 'this value is', 'these values are')} probably a mistake.`
      : 'Amounts and ratings are fine. Without their range, no worst-case interval is available, and values are never clipped silently.',
    remedy: strays ? 'Correct these rows or leave them out, and say so.' : adviceOn(range),
    ...(!strays && areStars(range) && { mend: { kind: 'clicks', from: goodFrom(range) } as const }),
    numbers: { outside: outside.count, share: outside.count / rows, smallest: min, largest: max },
    rows: outside.rows,
  }
}

const areStars = ({ min, max, whole }: Range): boolean => min >= 0 && whole && max <= 5

/** The least rating that counts as a good one. */
const goodFrom = ({ max }: Range): number => Math.max(2, Math.ceil(max) - 1)

/** What to do with rewards of a range: state it, or count the good ones as clicks. */
function adviceOn(range: Range): Advice {
  const { min, max } = range
  const stated = set('rewardRange', `${plainFigure(Math.min(0, min))},${plainFigure(max)}`)
  if (areStars(range))
    return advice`If these are star ratings, state their range with ${set('rewardRange', `${plainFigure(min)},${plainFigure(max)}`)}, or count the good ones as clicks with ${set('clickFrom', goodFrom(range))}.`
  if (min >= 0 && max > 5 && max <= 100)
    return advice`State the range with ${stated}. If these are percentages, it is ${set('rewardRange', '0,100')}.`
  if (min >= 0)
    return advice`Nothing to do for amounts without a limit. If there is a largest possible value, state it with ${set('rewardRange', '0,HIGHEST')}; the largest here is ${figure(max)}.`
  return advice`State the smallest and largest possible values, such as ${stated}.`
}

/** Finds rewards that are words, such as clicked and viewed. `looked`: rows whose rewards cannot be read, as `rawRow` gives them. */
export function rewardWords(
  { log, origins, broken }: ReadLog,
  about: Omit<Examination, 'log'>,
  looked: readonly number[],
  rawRow: (row: number) => RawRow,
): Finding[] {
  const [name = ''] = origins.reward ?? []
  const rows = broken.cells.flatMap(({ column, row }) => (column === 'reward' ? [row] : []))
  if (rows.length === 0 || !about.names?.includes(name)) return []
  const words = outcomeWords(rows.filter((row) => looked.includes(row)).map((row) => rawRow(row).cells[name]))
  if (!words) return []
  const cells = broken.count('reward')
  const word = happenedWord(words)
  const { setting, mend } = revalued(about, 'reward', () => comparisonText(name, word ?? words[0]!))
  const isSure = word !== undefined
  return [
    {
      code: 'reward-in-words',
      level: 'problem',
      column: 'reward',
      seen: `${formatCount(cells)} of ${counted(log.rows, 'row')} ${verb(cells, 'has a word', 'have words')} as the reward: ${words.map((one) => JSON.stringify(one)).join(', ')}.`,
      why: 'A reward is a number. Only you know which word counts as 1; every other would count as 0.',
      remedy: advice`${isSure ? 'If this word counts as 1, say so with' : 'Say which word counts as 1, for example with'} ${setting}.`,
      ...(isSure && { mend: { ...mend, kind: 'judged' } as const }),
      numbers: { rows: cells },
      rows: rows.slice(0, 5),
    },
  ]
}
