import { advice, mend } from '../advice.js'
import { HindcastError } from '../error.js'
import { type Evaluator, evaluatorOf } from '../estimate/evaluate.js'
import { faultOf } from '../estimate/source/broken-rows.js'
import type { NumberColumn } from '../log/columns.js'
import type { JoinFacts } from '../log/join/join-facts.js'
import { joinFaults } from '../log/join/join-faults.js'
import { type Log, takeRows } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import { RULES } from '../log/rules.js'
import { CHECKS } from '../verdict/checks/index.js'
import type { Outcome } from '../verdict/examine.js'
import { judgeOutcomes } from '../verdict/judge.js'
import type { Totals } from '../verdict/said.js'
import { seenTotals, totalsReasons } from '../verdict/totals.js'
import type { Question, Reason } from '../verdict/verdict.js'
import type { Finding } from './finding.js'

/** What lowers a verdict is a problem. */
const levelOf = (level: Reason['level']): Finding['level'] => (level === 'note' ? 'note' : 'problem')

/** Where fewer rows than this share can be used, cells are to be corrected first. */
const MOST_ROWS = 0.9
/** A policy that is known as well as from fewer rows than this, (Σw)²/Σw², is no yardstick. */
const FEWEST_EFFECTIVE = 100
const EXAMPLES = 5

/**
 * What the checks of a verdict find in the rows of a log that can be used; none of `broken` can. A fault is judged by what it
 * does to the value of a uniform policy, for which propensities matter; in a log that has none, or does not cover that policy,
 * by what it does to the mean reward.
 */
export async function checkFindings(
  log: Log,
  broken: ReadonlySet<number> = new Set(),
): Promise<readonly Finding[]> {
  // Which policy they are of is not asked here.
  const { target: _target, q: _q, v: _v, ...rest } = log
  const usable = usableRows(rest, broken)
  if (usable.length === 0 || usable.length < MOST_ROWS * log.rows) return []
  const rows = usable.length === log.rows ? rest : takeRows(rest, usable)
  try {
    return (await reasonsAgainst(rows)).map((reason) => findingOf(reason, rows, usable))
  } catch (error) {
    if (error instanceof HindcastError) return [rejected(error)]
    throw error
  }
}

function usableRows(log: Log, broken: ReadonlySet<number>): Uint32Array {
  const columns = (Object.keys(RULES) as NumberColumn[]).flatMap((name) => {
    const values = log[name]
    return values ? [{ name, values }] : []
  })
  return Uint32Array.from({ length: log.rows }, (_, row) => row).filter(
    (row) =>
      !broken.has(row) && columns.every(({ name, values }) => faultOf(name, values[row]!) === undefined),
  )
}

async function reasonsAgainst(log: Log): Promise<readonly Reason[]> {
  const evaluator = evaluatorOf(log, { estimators: ['snips'], decides: false })
  const uniform =
    log.propensitySource === 'none'
      ? undefined
      : await judged(evaluator, 'uniform', 'the value of a uniform policy')
  if (uniform?.isCovered) return uniform.reasons
  const ofPropensities = (uniform?.reasons ?? []).filter(({ question }) => question === 'propensities')
  const { reasons } = await judged(evaluator, 'logging', 'the mean reward')
  return [...reasons, ...ofPropensities.map((reason) => ({ ...reason, level: 'note' }) as const)]
}

/** What the checks find for a policy, and whether the log covers it. */
async function judged(
  evaluator: Evaluator,
  kind: 'uniform' | 'logging',
  noun: string,
): Promise<{ reasons: readonly Reason[]; isCovered: boolean }> {
  const { evaluation, evidence } = await evaluator.evaluate({ kind })
  const { value, interval, verdict } = evaluation.estimates[0]!
  const isCovered =
    (evaluation.diagnostics.ess ?? 0) >= FEWEST_EFFECTIVE &&
    verdict.reasons.every(({ question, level }) => question !== 'overlap' || level === 'note')
  if (value === null || interval === null) return { reasons: [], isCovered: false }
  const { reasons } = judgeOutcomes(evidence.outcomes.map(withoutCandidates), {
    value,
    interval,
    noun,
    scale: 1,
    matters: 0,
    accept: {},
    clusters: evidence.moments.clusters,
  })
  return { reasons, isCovered }
}

/** A uniform policy shows items where they were no candidates: what that explains is no fault of the log. */
function withoutCandidates(outcome: Outcome): Outcome {
  if (!('suspicions' in outcome) || outcome.check.question !== 'propensities') return outcome
  const suspicions = outcome.suspicions.map((one) =>
    one.harmless ? { ...one, harmless: { ...one.harmless, level: 'note' as const } } : one,
  )
  return { ...outcome, suspicions }
}

const COLUMN: Readonly<Partial<Record<Question, string>>> = { propensities: 'propensity', rewards: 'reward' }

const WHY: Readonly<Partial<Record<Question, string>>> = {
  propensities:
    'Importance weights divide by the propensity: where it is wrong, so is every estimate of another policy.',
  rewards: 'Every estimate adds up these rewards, row by row: a wrong one counts like any other.',
}

function findingOf(
  { code, level, question, message, driver, shift, value }: Reason,
  log: Log,
  places: Uint32Array,
): Finding {
  const helps = CHECKS.find((check) => check.code === code)!.helps
  const column = COLUMN[question]
  const found = {
    code,
    level: levelOf(level),
    ...(column && { column }),
    seen: message,
    why: WHY[question] ?? 'It speaks against every estimate from this log.',
    numbers: { ...(value !== null && { value }), ...(shift !== null && { shift }) },
    ...(driver !== null && { driver }),
  }
  if (code !== 'copied-rows') return { ...found, remedy: `${helps} The doctor cannot repair it.`, rows: [] }
  const copies = copiedRows(log).map((row) => places[row]!)
  return {
    ...found,
    column: 'user',
    why: 'Each copy counts as further evidence, and copied rows weigh too much.',
    remedy: advice`${helps} To leave them out here, use ${mend}.`,
    rows: [...copies.subarray(0, EXAMPLES)],
    mend: { kind: 'copies', rows: () => copies },
  }
}

/** Why no evaluation takes the log, whatever its rows. */
const rejected = (error: HindcastError): Finding => ({
  code: 'cannot-be-evaluated',
  level: 'problem',
  seen: error.message,
  why: 'Every evaluation of this log ends with this message.',
  remedy: error.advice,
  numbers: {},
  rows: [],
})

/** What became of the outcomes of a log, as far as it is not as it should be. */
export const joinFindings = (facts: JoinFacts): Finding[] =>
  joinFaults(facts).map(({ level, ...fault }) => ({ ...fault, level: levelOf(level) }))

/** Rows and rewards that a log lacks, or has too many of, by what is known of it elsewhere. */
export const totalsFindings = (log: Log, totals: Totals): Finding[] =>
  totalsReasons(totals, seenTotals(log)).map(({ code, level, message, driver, value }) => ({
    code,
    level: levelOf(level),
    seen: driver === null ? message : `${message} Most of it: ${driver}.`,
    why: OF_TOTALS[code]!.why,
    remedy: OF_TOTALS[code]!.remedy,
    numbers: value === null ? {} : { ratio: value },
    rows: [],
  }))

const OF_TOTALS: Readonly<Record<string, Pick<Finding, 'why' | 'remedy'>>> = {
  'rows-missing': {
    why: 'If what is missing earned more or less than the rest, every estimate is off by that much.',
    remedy: 'Find out which rows are missing: a day, a device, an application version.',
  },
  'rows-doubled': {
    why: 'Copies make intervals too narrow, and change every rate where they are not of all rows alike.',
    remedy: 'Leave out the copies: look for rows that were sent twice, or a join that repeats them.',
  },
  'rows-thinned': {
    why: 'Every rate is too high by the same factor, and every estimate with it.',
    remedy: 'Export all rows, also those without a reward, or give each row its weight.',
  },
  'rewards-missing': {
    why: 'Every rate is too low, and policies whose rewards were lost look worse than they are.',
    remedy: 'Look where rewards get lost: late events, blocked trackers, a join by the wrong key.',
  },
  'rewards-doubled': {
    why: 'A reward that several rows earned counts several times, so every rate is too high.',
    remedy: 'Join each reward to the one row that earned it, by the id of the impression.',
  },
  'days-differ': {
    why: 'Days that begin at another hour are harmless; days with lost and doubled rows are not.',
    remedy: 'Compare days in the same time zone: those of a log are days in UTC.',
  },
}

/**
 * The rows to leave out of a log in which rows were copied, ascending. Where times or places on pages tell rows apart, those
 * that equal an earlier one in every column. Elsewhere a user may see an item twice, and copies are known only where the log
 * was appended to itself: the later half of equal rows.
 */
export function copiedRows(log: Log): Uint32Array {
  const { item, reward, propensity, target, slate, position, time, cluster, weight, q, v } = log
  const labels = Object.values(log.labels ?? {}).map(({ index }) => index)
  const columns = [item, reward, propensity, target, slate, position, time, cluster, weight, q, v, ...labels]
  const present = columns.filter((column) => column !== undefined)
  const isTold = time !== undefined || (slate !== undefined && position !== undefined)
  const { start, rows } = rowsByUser(log)
  const copies: number[] = []
  for (let user = 0; user + 1 < start.length; user++) {
    const alike = new Map<string, number[]>()
    for (const row of rows.subarray(start[user]!, start[user + 1]!)) {
      const key = present.map((column) => column[row]).join(' ')
      alike.set(key, [...(alike.get(key) ?? []), row])
    }
    for (const equal of alike.values()) copies.push(...equal.slice(isTold ? 1 : Math.ceil(equal.length / 2)))
  }
  return Uint32Array.from(copies).toSorted()
}
