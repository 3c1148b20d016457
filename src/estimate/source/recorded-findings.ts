import { excessFinding } from '../../doctor/balance.js'
import type { Finding } from '../../doctor/finding.js'
import { type Activity, filteredFindings, missingAmong } from '../../doctor/filtered-users.js'
import { positionFinding } from '../../doctor/implausible-position.js'
import { tinyFinding, tinyLimit } from '../../doctor/tiny-propensity.js'
import { figure, percent } from '../../doctor/wording.js'
import { counted, formatCount } from '../../number-text.js'
import { log, log1p } from '../../portable-math.js'
import { STAKE_STEPS } from '../../sql/script/check-steps.js'
import { one, reward, type Term } from '../term.js'
import type { RecordedParts, RecordedRow } from './recorded-rows.js'

/** What findings are made from. */
export interface Recorded {
  readonly parts: RecordedParts
  readonly fact: (name: string) => number | null
  /** Whether rows have logged propensities and are one impression each. */
  readonly areChecked: boolean
  /** The sums of each day. */
  readonly days: readonly RecordedRow[]
  /** Where the sums of a term stand among the numbers of a group. */
  readonly placeOf: (term: Term) => number
}

/** What lowers a verdict, as far as counts and sums by item, user and day show it. */
export function recordedFindings(recorded: Recorded): Finding[] {
  const tiny = recorded.areChecked ? tinyOf(recorded) : []
  return [
    ...tiny,
    ...(recorded.areChecked
      ? [...constantOf(recorded), ...(tiny.length > 0 ? [] : balanceOf(recorded))]
      : []),
    ...positionsOf(recorded),
    ...usersOf(recorded),
    ...outagesOf(recorded),
  ]
}

function tinyOf({ fact }: Recorded): Finding[] {
  const tiny = fact('tiny_propensity') ?? 0
  if (tiny === 0) return []
  const limit = tinyLimit(fact('rows')!, fact('items')!)
  return [tinyFinding({ tiny, smallest: fact('least_propensity')!, limit }, [])]
}

/** Rounding to four significant digits moves a value by at most 0.05 %. */
const ROUNDING = 1e-3

/** One propensity for all rows, and more items than it leaves room for: a placeholder, unless pages or short lists explain it. */
function constantOf({ fact }: Recorded): Finding[] {
  const [least, most] = [fact('least_propensity'), fact('most_propensity')]
  const [rows, items] = [fact('rows')!, fact('items')!]
  if (least === null || most === null || rows < 2 || most - least > 1e-9 * least) return []
  if (least <= (1 + ROUNDING) / items) return []
  return [
    {
      code: 'propensity-constant',
      level: 'problem',
      column: 'propensity',
      // What would excuse it, several items on a page or candidates by user, only the rows tell.
      lowersTo: least >= 0.5 ? 'refuse' : 'caution',
      seen: `All ${counted(rows, 'row')} have propensity ${figure(least)}, but the log shows ${formatCount(items)} items: if each had that probability, they would sum to ${figure(least * items)}.`,
      why: 'This looks like a placeholder, not the probability of a draw. With it, every importance weight is wrong and nothing is corrected.',
      remedy:
        'Choose the column of logged probabilities. Several items on a page, or few candidates for each user, would explain it.',
      numbers: { propensity: least, items, candidates: 1 / least },
      rows: [],
    },
  ]
}

/** Bets of so many sizes share the stake in memory. */
const LOG_BETS = log(32)
/** With fewer rows nothing can be said. */
const FEWEST_ROWS = 100
const ALPHA = 1e-4
/** Fewer users than this cannot vouch for anything. */
const USERS = 50
const STANDARD_ERRORS = 3

/** Items that were shown more often than their propensities allow, and on which users agree. */
function balanceOf({ parts, fact }: Recorded): Finding[] {
  if (fact('rows')! < FEWEST_ROWS) return []
  const squaredRows = fact('squared_rows') ?? 0
  const found = parts
    .of('balance')
    .map(({ id, numbers }) => {
      const [shown, sum, rows, judged, bet, squares, ...gains] = numbers as number[]
      const evidence =
        gains.reduce((most, gain, k) => {
          const stake = Math.min(1, bet! * 2 ** STAKE_STEPS[k]!)
          return Math.max(most, gain - rows! * log1p(stake))
        }, -Infinity) - LOG_BETS
      return {
        item: id ?? '',
        shown: shown!,
        sum: sum!,
        rows: rows!,
        judged: judged!,
        squares: squares!,
        evidence,
      }
    })
    .filter(({ evidence, judged }) => evidence > log(Math.max(1, judged) / ALPHA))
    .toSorted((a, b) => b.evidence - a.evidence)
  const agreed = found.slice(0, 5).find(({ rows, sum, squares }) => {
    if (rows ** 2 < USERS * squaredRows) return true
    return sum - rows > STANDARD_ERRORS * Math.sqrt(Math.max(0, squaredRows + squares))
  })
  if (!agreed) return []
  const { item, shown, sum, rows, evidence } = agreed
  const about = {
    code: 'item-balance',
    where: '',
    item,
    others: found.length - 1,
    shift: 0,
    examples: [],
  } as const
  return [excessFinding({ shown, sum, rows, evidence }, about)]
}

function positionsOf({ fact }: Recorded): Finding[] {
  const beyond = fact('beyond_position') ?? 0
  return beyond === 0 ? [] : [positionFinding({ beyond, largest: fact('most_position')! }, [])]
}

function usersOf({ parts, fact }: Recorded): Finding[] {
  if (!((fact('least_reward') ?? -1) >= 0)) return []
  const classes = new Map<number, Activity>()
  for (const { numbers } of parts.of('activity')) {
    const [power, clicks, users] = numbers as [number, number, number]
    const rows = 2 ** power
    if (!classes.has(rows)) classes.set(rows, { rows, users: new Float64Array(4) })
    classes.get(rows)!.users[clicks]! += users
  }
  return filteredFindings(missingAmong([...classes.values()].toSorted((a, b) => a.rows - b.rows)))
}

/** So many clicks are expected of a day before none is beyond chance. */
const CLICKS = 30

/** Days without a single click where dozens are usual. */
function outagesOf({ days, fact, placeOf }: Recorded): Finding[] {
  if (!((fact('least_reward') ?? -1) >= 0) || days.length < 4 || fact('other_rewards') !== 0) return []
  const ofDay = days.map(({ numbers }) => ({
    rows: numbers[placeOf(one)]!,
    clicks: numbers[placeOf(reward)]!,
  }))
  const clicks = ofDay.reduce((sum, day) => sum + day.clicks, 0)
  const rows = ofDay.reduce((sum, day) => sum + day.rows, 0)
  const silent = ofDay.filter((day) => day.clicks === 0 && (day.rows * clicks) / rows >= CLICKS)
  if (silent.length === 0) return []
  const missed = silent.reduce((sum, day) => sum + day.rows, 0)
  return [
    {
      code: 'click-outage',
      level: 'problem',
      column: 'reward',
      seen: `${counted(silent.length, 'day')} with ${counted(missed, 'row')} (${percent(missed / rows)} of the log) ${silent.length === 1 ? 'has' : 'have'} no click at all; about ${figure((missed * clicks) / rows)} would be usual.`,
      why: 'For some time, clicks seem not to have been recorded, or not joined. Whatever was shown then looks worthless.',
      remedy: 'Leave out that time, or join its clicks again.',
      numbers: { silent: silent.length, days: days.length },
      rows: [],
      lowersTo: 'caution',
    },
  ]
}
