import { advice } from '../advice.js'
import type { RawRow } from '../log/source.js'
import { happenedWord, outcomeWords } from '../log/values/outcome-words.js'
import { comparisonText } from '../log/values/value.js'
import { counted, formatCount } from '../number-text.js'
import type { ReadLog } from '../read/plan.js'
import type { Examination, Finding } from './finding.js'
import { revalued } from './revalued.js'
import { verb } from './wording.js'

const EXAMPLES = 5

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
      rows: rows.slice(0, EXAMPLES),
    },
  ]
}
