import { type Advice, advice, set } from '../../advice.js'
import { counted, formatCount, formatShare, verb } from '../../number-text.js'
import { exp, log as naturalLog } from '../../portable-math.js'
import type { JoinFacts, Tally } from './join-facts.js'
import { waitText } from './join-options.js'

/** One thing that became of outcomes and should not have. */
export interface JoinFault {
  /** A short stable word: `orphan-outcomes`. */
  readonly code: string
  /** What becomes of the verdict of an evaluation, at best; a note lowers nothing. */
  readonly level: 'note' | 'caution' | 'refuse'
  /** Absent where it is about decisions. */
  readonly column?: 'reward'
  /** What was observed, in a sentence with numbers. */
  readonly seen: string
  readonly why: string
  /** What to do. */
  readonly remedy: string | Advice
  /** The numbers behind `seen`. */
  readonly numbers: Readonly<Record<string, number>>
  /** Up to five examples: places among the decisions, 0-based. */
  readonly rows: readonly number[]
  /** Up to five example events, 0-based places in the file of the outcomes. */
  readonly outcomes?: readonly number[]
}

/** Below this share, events that do not fit are usual: a click that is sent twice, a page that is closed. */
const USUAL = 0.01
/** From this share on, something is wrong with them. */
const MANY = 0.05
/** So many decisions with outcomes are missing where not one has any: the chance of that is e⁻³⁰. */
const SILENT = 30
/** A smaller share of the outcomes changes no answer. */
const LEAST_MISSING = 0.02
/** Fewer outcomes say little about the usual delay. */
const FEWEST_DELAYS = 20
const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Level = JoinFault['level']

/** A note below the first share. */
const levelOf = (share: number, from: number, level: Level): Level => (share < from ? 'note' : level)

/** What became of the outcomes of a log, as far as it is not as it should be: notes last. */
export function joinFaults(facts: JoinFacts): JoinFault[] {
  const faults = [
    ...repeatedDecisions(facts),
    ...orphans(facts),
    ...otherPeriod(facts),
    ...incomplete(facts),
    ...stillToCome(facts),
    ...shiftedTimes(facts),
    ...late(facts),
    ...copies(facts),
    ...unreadable(facts),
    ...several(facts),
  ]
  return faults.toSorted((a, b) => Number(a.level === 'note') - Number(b.level === 'note'))
}

/** A finding about events of the outcomes' file. */
const about = (
  code: string,
  level: Level,
  tally: Tally,
  said: Pick<JoinFault, 'seen' | 'why' | 'remedy'> & { numbers?: JoinFault['numbers'] },
): JoinFault => ({
  code,
  level,
  column: 'reward',
  ...said,
  numbers: { events: tally.count, ...said.numbers },
  rows: [],
  outcomes: tally.places,
})

const shareOf = ({ count }: Tally, { outcomes }: JoinFacts): number => (outcomes === 0 ? 0 : count / outcomes)

const ofOutcomes = ({ count }: Tally, facts: JoinFacts): string =>
  `${formatCount(count)} of ${counted(facts.outcomes, 'outcome')} (${formatShare(shareOf({ count, places: [] }, facts))})`

function repeatedDecisions({ repeated, decisions, withItem }: JoinFacts): JoinFault[] {
  if (repeated.count === 0) return []
  const byItem: Advice = withItem
    ? []
    : advice` If the id is that of a page with several items, name the item of the outcomes too, with ${set('outcomeColumns', 'item=NAME')}.`
  return [
    {
      code: 'repeated-decisions',
      level: 'refuse',
      seen: `${formatCount(repeated.count)} of ${counted(decisions, 'decision')} (${formatShare(repeated.count / decisions)}) ${verb(repeated.count, 'has', 'have')} an id that came before.`,
      why: 'An outcome of such an id counts for every decision that has it, although at most one of them earned it.',
      remedy: advice`Export each decision once, or name another column of ids with ${set('columns', 'decision=NAME')}.${byItem}`,
      numbers: { rows: repeated.count },
      rows: repeated.places,
    },
  ]
}

function orphans(facts: JoinFacts): JoinFault[] {
  const { orphans: lost, near, better, withoutId } = facts
  const share = shareOf(lost, facts)
  if (near.count > 0) return [nearIds(facts), ...otherOrphans(facts)]
  if (better && share >= 0.5)
    return [
      about('wrong-id-column', 'refuse', lost, {
        seen: `${ofOutcomes(lost, facts)} name a decision that is not in the log, but ${better.outcome} of the outcomes and ${better.decision} of the decisions share ${counted(better.shared, 'id')} in their first rows.`,
        why: 'The columns that were joined hold ids of different things, so rewards are missing or belong to other decisions.',
        remedy: advice`Join the others with ${set('columns', `decision=${better.decision}`)} and ${set('outcomeColumns', `decision=${better.outcome}`)}.`,
        numbers: { shared: better.shared },
      }),
    ]
  return lost.count === 0 ? [] : [orphaned(facts, lost, withoutId)]
}

/** The orphans that no other spelling of their ids explains. */
function otherOrphans(facts: JoinFacts): JoinFault[] {
  const count = facts.orphans.count - facts.near.count
  return count === 0 ? [] : [orphaned(facts, { count, places: [] }, facts.withoutId)]
}

function orphaned(facts: JoinFacts, lost: Tally, withoutId: number): JoinFault {
  const share = shareOf(lost, facts)
  const nearlyAll = share >= 0.95 || facts.matched === 0
  const missing =
    withoutId === 0
      ? ''
      : ` ${formatCount(withoutId)} of them ${verb(withoutId, 'has', 'have')} no id at all.`
  return about('orphan-outcomes', levelOf(share, USUAL, nearlyAll ? 'refuse' : 'caution'), lost, {
    seen: `${ofOutcomes(lost, facts)} ${verb(lost.count, 'names', 'name')} no decision of the log.${missing}`,
    why: 'What they earned is lost. If their decisions were shown and are missing here, the log is incomplete; if ids differ between the files, rewards are too low.',
    remedy: advice`Give all decisions from the period of the outcomes, or check the id columns: ${set('columns', 'decision=NAME')} and ${set('outcomeColumns', 'decision=NAME')}. Outcomes of decisions that were left out on purpose do no harm.`,
    numbers: { withoutId },
  })
}

function nearIds(facts: JoinFacts): JoinFault {
  const { near } = facts
  return about('ids-written-differently', shareOf(near, facts) < USUAL ? 'caution' : 'refuse', near, {
    seen: `${ofOutcomes(near, facts)} ${verb(near.count, 'has', 'have')} an id that matches a decision only if capitals, blanks at either end or a trailing .0 are ignored.`,
    why: 'The two files write the same ids in different ways, so these outcomes belong to no decision and their rewards are lost.',
    remedy: advice`Join such ids too with ${set('matchIds', 'loose')}, or export them in the same way.`,
  })
}

function otherPeriod(facts: JoinFacts): JoinFault[] {
  const { period, outcomes } = facts
  if (!period || outcomes === 0) return []
  const share = period.outside / outcomes
  if (share < 0.5) return []
  const dates = ([from, to]: readonly [number, number]): string => `${dateOf(from)} to ${dateOf(to)}`
  return [
    about(
      'outcomes-of-another-period',
      'refuse',
      { count: period.outside, places: [] },
      {
        seen: `${formatShare(share)} of outcomes happened outside the period of the decisions: decisions are from ${dates(period.decisions)}, outcomes from ${dates(period.outcomes)} (UTC).`,
        why: 'The files cover different times. Decisions whose outcomes are elsewhere look worthless, and an id that is used again credits a decision with what another one earned.',
        remedy: 'Export decisions and outcomes of the same period.',
      },
    ),
  ]
}

const dateOf = (moment: number): string => {
  const date = new Date(moment)
  return Number.isNaN(date.getTime())
    ? String(moment)
    : `${date.toISOString().slice(0, 16).replace('T', ' ')}`
}

/** A stretch of decisions without a single outcome, at the start or at the end. */
function incomplete({ silence, joined, decisions, file, matched }: JoinFacts): JoinFault[] {
  const between = decisions - silence.before - silence.after
  if (matched === 0 || between <= 0) return []
  // The rate where there are outcomes; the first and the last decision have one by definition.
  const rate = Math.min(1, Math.max(joined, 1) / between)
  const surprise = (silent: number): number => (rate >= 1 ? silent * SILENT : -silent * naturalLog(1 - rate))
  return (
    [
      ['before', 'before the first', 'begins after'],
      ['after', 'after the last', 'ends before'],
    ] as const
  ).flatMap(([side, where, how]) => {
    const silent = silence[side]
    if (joined < FEWEST_DELAYS || surprise(silent) < SILENT) return []
    return [
      {
        code: 'outcomes-incomplete',
        level: 'refuse',
        column: 'reward',
        seen: `${counted(silent, 'decision')} (${formatShare(silent / decisions)}) ${verb(silent, 'comes', 'come')} ${where} that has an outcome; about ${formatCount(Math.round(silent * rate))} of them would be expected to have one.`,
        why: `${file} seems to be cut off: it ${how} the decisions do. Decisions without their outcomes look worthless.`,
        remedy: 'Export the outcomes again, for the whole period, or leave those decisions out.',
        numbers: { rows: silent, expected: silent * rate },
        rows: [],
      } satisfies JoinFault,
    ]
  })
}

/** Outcomes of the last decisions that are not in yet, by how long outcomes take. */
function stillToCome(facts: JoinFacts): JoinFault[] {
  const { delays, period, wait, matched } = facts
  if (!delays || !period || matched < FEWEST_DELAYS || hoursOff(facts) !== 0) return []
  const [from, to] = period.decisions
  const age = Math.max(0, period.outcomes[1] - to)
  const [length, mean] = [to - from, delays.median / Math.LN2]
  if (!(length > 0) || !(mean > 0)) return []
  // Delays as those of a Poisson process with the same median: exp(−age/mean) of the outcomes are still to come.
  const expected = (mean / length) * (exp(-age / mean) - exp(-(age + length) / mean))
  const missing = Math.min(expected, wait === undefined ? 1 : Math.max(0, wait - age) / length)
  if (missing < LEAST_MISSING) return []
  return [
    {
      code: 'outcomes-still-to-come',
      level: 'caution',
      column: 'reward',
      seen: `Half of the outcomes come more than ${waitText(roundedWait(delays.median))} after their decisions, and the last decisions are not that old: about ${formatShare(missing)} of the outcomes seem to be missing so far.`,
      why: 'Decisions whose outcomes are not in yet look worth less than they are, and every estimate is too low.',
      remedy: advice`Export the outcomes again when they are in, or leave out the last decisions. ${set('wait')} gives each decision the same time, if all of them are older than that.`,
      numbers: { missing, median: delays.median, age },
      rows: [],
    },
  ]
}

/** A time to the whole minute or hour, as far as it matters. */
const roundedWait = (time: number): number => {
  const unit = time >= 2 * HOUR ? HOUR : time >= 2 * MINUTE ? MINUTE : 1000
  return Math.max(1, Math.round(time / unit)) * unit
}

/** The whole hours by which outcomes are early or late, where nearly all are so by the same: clocks of another time zone. */
function hoursOff({ delays, matched }: JoinFacts): number {
  if (!delays || matched < FEWEST_DELAYS) return 0
  const { twentieth, median, least } = delays
  const half = Math.floor((twentieth + 2 * MINUTE) / (HOUR / 2)) / 2
  const rest = twentieth - half * HOUR
  const isBunched = rest < 25 * MINUTE && median - twentieth < HOUR
  if (!isBunched || Math.abs(half) < 1 || Math.abs(half) > 26) return 0
  // Later by hours is what conversions are, unless not one comes sooner.
  return half < 0 || least >= half * HOUR - 2 * MINUTE ? half : 0
}

function shiftedTimes(facts: JoinFacts): JoinFault[] {
  const { early, wait } = facts
  const hours = hoursOff(facts)
  if (hours !== 0)
    return [
      about('time-zones-differ', wait === undefined ? 'caution' : 'refuse', early, {
        seen: `Nearly all outcomes come about ${Math.abs(hours)} ${Math.abs(hours) === 1 ? 'hour' : 'hours'} ${hours < 0 ? 'before' : 'after'} their decisions, and few at any other time.`,
        why: `The two files seem to write times in different zones.${wait === undefined ? '' : ' The wait leaves out what came in time, and counts what did not.'}`,
        remedy: 'Write all times in UTC, or with their zone: 2026-03-01T09:30:00+01:00.',
        numbers: { hours },
      }),
    ]
  if (early.count === 0) return []
  const share = shareOf(early, facts)
  return [
    about('outcomes-before-decisions', levelOf(share, USUAL, share >= 0.5 ? 'refuse' : 'caution'), early, {
      seen: `${ofOutcomes(early, facts)} ${verb(early.count, 'happened', 'happened')} before ${verb(early.count, 'its decision', 'their decisions')}.`,
      why:
        wait === undefined
          ? 'Nothing is earned before it is shown: clocks differ, or ids belong to other decisions. They count, since their ids say so.'
          : 'Nothing is earned before it is shown: clocks differ, or ids belong to other decisions. They do not count, since nobody knows whether they came within the wait.',
      remedy:
        'Log both times by the same clock, ideally that of the server. If there are many, check that both columns hold ids of the same thing.',
    }),
  ]
}

function late(facts: JoinFacts): JoinFault[] {
  const { late: tally, wait } = facts
  if (tally.count === 0 || wait === undefined || hoursOff(facts) !== 0) return []
  return [
    about('late-outcomes', levelOf(shareOf(tally, facts), MANY, 'caution'), tally, {
      seen: `${ofOutcomes(tally, facts)} came more than ${waitText(wait)} after ${verb(tally.count, 'its decision', 'their decisions')} and ${verb(tally.count, 'does', 'do')} not count.`,
      why: 'The reward is what was earned within the wait. If late outcomes are as real as others, all rewards are too low.',
      remedy: advice`Choose a longer ${set('wait')}, up to the time in which an outcome can still be due to its decision. If events were delayed on their way, use the time at which they happened.`,
      numbers: { wait },
    }),
  ]
}

function copies(facts: JoinFacts): JoinFault[] {
  const { copies: tally } = facts
  if (tally.count === 0) return []
  return [
    about('duplicate-outcomes', levelOf(shareOf(tally, facts), MANY, 'caution'), tally, {
      seen: `${ofOutcomes(tally, facts)} ${verb(tally.count, 'is a copy of an earlier one', 'are copies of earlier ones')}: with the same id, or else with the same decision, time and value.`,
      why: 'Each event counts once; the copies were left out.',
      remedy:
        'Nothing needs to be done if events are delivered more than once. If there are many, check that no file was exported twice.',
    }),
  ]
}

function unreadable(facts: JoinFacts): JoinFault[] {
  const { unreadable: tally } = facts
  if (tally.count === 0) return []
  return [
    about('unreadable-outcomes', 'caution', tally, {
      seen: `${ofOutcomes(tally, facts)} cannot be read: a time or a reward is missing or not a number, or the row is broken.`,
      why: 'Their decisions look as if they had earned nothing. The file may be truncated.',
      remedy: advice`Export the file again, or name other columns with ${set('outcomeColumns')}.`,
    }),
  ]
}

function several({ several: decisions, joined, combination, isCombinationChosen }: JoinFacts): JoinFault[] {
  if (decisions === 0 || isCombinationChosen) return []
  return [
    {
      code: 'several-outcomes',
      level: 'note',
      column: 'reward',
      seen: `${formatCount(decisions)} of ${counted(joined, 'decision')} with outcomes ${verb(decisions, 'has', 'have')} several; the ${combination} in time counts.`,
      why: 'Whether a second click or order earns more is for you to say.',
      remedy: advice`Say what several outcomes are worth together with ${set('several', 'sum')}, first, max or last.`,
      numbers: { decisions },
      rows: [],
    },
  ]
}
