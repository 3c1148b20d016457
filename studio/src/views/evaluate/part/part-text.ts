import { dateText } from '$core/log/days.js'
import { counted, formatCount } from '$core/number-text.js'
import { formatConfidence } from '$core/words/estimate-text.js'
import type { Condition, Part, PartBy } from '../../../desk/part.js'

/** Conditions as links keep them: `2024-05-01..2024-05-07`, `1..3`; empty where there is none. */
export type AskedPart = Readonly<Record<PartBy, string>>

/** What rows can be chosen by, in the order in which conditions are read. */
const PART_BY: readonly PartBy[] = ['day', 'position', 'rank']

const MS_PER_DAY = 86_400_000

/** The conditions that a link asks for; what makes no sense is ignored. */
export const partOf = (asked: AskedPart): Part =>
  PART_BY.flatMap((by) => {
    const [from = NaN, to = NaN] = asked[by].split('..').map((text) => numberOf(by, text))
    return from <= to ? [{ by, from, to }] : []
  })

function numberOf(by: PartBy, text: string): number {
  if (text.trim() === '') return NaN
  if (by !== 'day') return Number(text)
  // Browsers read more than dates as one, each its own.
  return /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) / MS_PER_DAY : NaN
}

/** A condition as a link keeps it. */
export const askedOf = ({ by, from, to }: Condition): string =>
  by === 'day' ? `${dateText(from)}..${dateText(to)}` : `${from}..${to}`

/** An end of a condition as people read it: a date in UTC, a position, a rank. */
export const endText = (by: PartBy, end: number): string => {
  if (by === 'day') return dateText(end)
  return by === 'rank' ? formatCount(end) : String(end)
}

const NOUNS: Readonly<Record<PartBy, { readonly one: string; readonly several: string }>> = {
  day: { one: 'day', several: 'days' },
  position: { one: 'position', several: 'positions' },
  rank: { one: 'item of popularity rank', several: 'items of popularity ranks' },
}

/** A condition in words: "days 2024-05-01 to 2024-05-07". */
export const conditionText = ({ by, from, to }: Condition): string =>
  from === to
    ? `${NOUNS[by].one} ${endText(by, from)}`
    : `${NOUNS[by].several} ${endText(by, from)} to ${endText(by, to)}`

/** A part in words. */
export const partText = (part: Part): string => part.map(conditionText).join(', ')

/** What values mean where only the rewards of some items count; empty elsewhere. */
export const partMeaning = (part: Part): string =>
  part.some(({ by }) => by === 'rank')
    ? 'Only rewards of these items count: values are what they contribute per impression, whatever else is shown.'
    : ''

/**
 * How far intervals can be believed after looking at so many parts, whose intervals have this confidence each: all hold
 * with at least 1 − k(1 − c) (Bonferroni), however the parts overlap.
 */
export function looksAtParts(looks: number, confidence: number): string {
  if (looks <= 1)
    return 'One part was looked at. Its interval is right for a part that was chosen before its numbers were seen.'
  const together = Number((1 - looks * (1 - confidence)).toFixed(3))
  const all =
    together > 0
      ? `that all of them hold has at least ${formatConfidence(together)} confidence`
      : 'of so many, one or more may well miss'
  return `${counted(looks, 'part')} of this log were looked at. Each interval is for its part alone: ${all}, so a difference in one of them may be chance.`
}
