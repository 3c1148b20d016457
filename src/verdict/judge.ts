import { formatFixed } from '../number-text.js'
import { log10 } from '../portable-math.js'
import { type Check, type Repaired, type Suspicion } from './check.js'
import { jointChance } from './chance.js'
import type { Outcomes } from './examine.js'
import { accepted } from './said.js'
import type { Question, QuestionAnswer, Reason } from './verdict.js'

/** The answer whose margin a fault is held against. */
export interface Judged {
  readonly value: number
  readonly interval: readonly [number, number]
  /** What the answer is, in a sentence: `the answer`, `the difference`. */
  readonly noun: string
  /** By what shifts of the mean reward of rows are multiplied to be shifts of the answer; 1 but for pages. */
  readonly scale: number
  /** The smallest difference that matters, in the unit of the answer. */
  readonly matters: number
  /** Faults that the user knows to be harmless: why, by code. */
  readonly accept: Readonly<Record<string, string>>
  /** Users, or what else rows are clustered by: below forty, an error is not known well enough to refuse by it. */
  readonly clusters: number
}

/** What checks say of an answer. */
export interface Judgements {
  readonly reasons: readonly Reason[]
  readonly questions: readonly QuestionAnswer[]
  /** The interval together with the repaired ones; absent where no fault is beyond chance. */
  readonly hull?: readonly [number, number]
}

/** The chance of a sound log to be accused by any of the repairs that are judged together. */
const BUDGET = 0.01
/** Parts of the margin: a fault below the first is a note, one beyond the second refuses. */
const LEVELS = { caution: 0.25, refuse: 1 }
const FEW_CLUSTERS = 40
/** A shift of a smaller part of the margin is one of roundings, however far beyond its own error. */
const ROUNDING = 1e-6
/** With fewer effective users behind a repaired answer, its error says too little. */
const FEWEST_EFFECTIVE = 30
/** Errors of a shift below which a fault of this size is missed more often than not in a hundred. */
const DETECTABLE = 3.3

/** A check and what it suspects, with its chance among all. */
interface Weighed {
  readonly check: Check
  readonly suspicion: Suspicion
  readonly shift: number | null
  readonly error: number
  readonly chance: number
}

/** Reasons, questions and the hull of an answer, from what checks made of its log. */
export function judgeOutcomes(outcomes: Outcomes, answer: Judged): Judgements {
  const weighed = weigh(outcomes, answer.scale)
  const beyond = weighed.filter(({ chance, suspicion, shift }) =>
    suspicion.chance === undefined
      ? chance <= BUDGET && Math.abs(shift ?? 0) > ROUNDING * marginOf(answer)
      : chance <= BUDGET / 10,
  )
  const reasons = withoutEchoes(beyond).map((one) => reasonOf(one, answer))
  const bounds = beyond.flatMap(({ shift, check, suspicion: { also = [] } }) =>
    shift === null || check.code in answer.accept
      ? []
      : [shift, ...also.map((repaired) => answer.scale * repaired.shift)],
  )
  const [low, high] = answer.interval
  return {
    reasons,
    questions: questionsOf(outcomes, weighed, answer),
    ...(bounds.some((shift) => shift !== 0) && {
      hull: [low + Math.min(0, ...bounds), high + Math.max(0, ...bounds)],
    }),
  }
}

/** The chance of each suspicion: its own, or that among all shifts which are 0 on average in sound logs. */
function weigh(outcomes: Outcomes, scale: number): Weighed[] {
  const all = outcomes.flatMap((outcome) =>
    'suspicions' in outcome
      ? outcome.suspicions.map((suspicion) => ({ check: outcome.check, suspicion }))
      : [],
  )
  const together = all.filter(
    ({ suspicion: { chance, repaired } }) =>
      chance === undefined && repaired !== null && repaired.effectiveUsers >= FEWEST_EFFECTIVE,
  )
  const { chances, errors } = jointChance(
    together.map(({ suspicion }) => suspicion.repaired!.shift),
    together.map(({ suspicion }) => suspicion.repaired!.users),
  )
  return all.map(({ check, suspicion }) => {
    const place = together.findIndex((one) => one.suspicion === suspicion)
    const { repaired } = suspicion
    return {
      check,
      suspicion,
      shift: repaired && scale * repaired.shift,
      error: repaired === null ? 0 : scale * (place === -1 ? errorOf(repaired.users) : errors[place]!),
      chance: suspicion.chance ?? chances[place] ?? 1,
    }
  })
}

/** The standard error of a shift, from the users' influences on it. */
function errorOf(users: Float64Array): number {
  const G = users.reduce((count, own) => count + (own === 0 ? 0 : 1), 0)
  return G > 1 ? Math.sqrt((G / (G - 1)) * users.reduce((sum, own) => sum + own * own, 0)) : 0
}

/** Of repairs of propensities that are beyond chance the one that moves the answer most: the others find the same fault. */
function withoutEchoes(beyond: readonly Weighed[]): Weighed[] {
  const ofPropensities = beyond.filter(({ check }) => check.question === 'propensities')
  const [most] = ofPropensities.toSorted((a, b) => Math.abs(b.shift ?? 0) - Math.abs(a.shift ?? 0))
  return beyond.filter((one) => !ofPropensities.includes(one) || one === most)
}

/** What faults of an answer are held against: its half-width, or what matters. */
export const marginOf = ({ interval: [low, high], matters }: Pick<Judged, 'interval' | 'matters'>): number =>
  Math.max((high - low) / 2, matters)

function reasonOf({ check, suspicion, shift, error, chance }: Weighed, answer: Judged): Reason {
  const severity = shift === null ? Infinity : Math.abs(shift) / marginOf(answer)
  const sure = shift === null ? Infinity : severity - error / marginOf(answer)
  const level = levelOf(severity, sure, suspicion, answer)
  const said =
    suspicion.chance === undefined ? ` (p ${chance < 0.001 ? '< 0.001' : `= ${chance.toFixed(3)}`})` : ''
  const seen = suspicion.seen.replace(/\.$/, `${said}.`)
  const { question, code } = check
  const { driver = null, value = null } = suspicion
  const message = [seen, ...(shift === null ? [] : [repairedText(shift, severity, suspicion, answer)])].join(
    ' ',
  )
  return accepted({ code, level, question, shift, driver, value, message }, answer.accept)
}

/** By parts of the margin; refused is what is beyond it by more than its own error. */
function levelOf(
  severity: number,
  sure: number,
  { harmless }: Suspicion,
  { clusters }: Judged,
): Reason['level'] {
  if (severity < LEVELS.caution || harmless?.level === 'note') return 'note'
  return sure <= LEVELS.refuse || harmless || clusters < FEW_CLUSTERS ? 'caution' : 'refuse'
}

function repairedText(shift: number, severity: number, { how, harmless }: Suspicion, answer: Judged): string {
  const number = numberBy(marginOf(answer))
  const part = `${Number(severity.toPrecision(severity < 1 ? 1 : 2))} of its margin of error`
  return `Repaired, ${how}, ${answer.noun} would be ${number(answer.value + shift)} instead of ${number(answer.value)}: ${part}.${harmless ? ` ${harmless.text}` : ''}`
}

/** Numbers with as many decimals as tell a tenth of the margin. */
export const numberBy = (margin: number): ((value: number) => string) => {
  const decimals = margin > 0 ? Math.max(0, 1 - Math.floor(log10(margin))) : 3
  return (value) => formatFixed(value, decimals)
}

/** What is said of a question on which nothing speaks against the answer. */
const PASSED: Readonly<Partial<Record<Question, string>>> = {
  propensities: 'Items were shown as often as the propensities say.',
  rewards: 'No copies, no lost or late rewards, and none of other rows.',
}

/** Whether a log has too few users for its checks: no shift is judged at all, and what is counted comes to too little. */
function isTooSmall(weighed: readonly Weighed[], { clusters }: Judged): boolean {
  const carried = weighed.flatMap(({ suspicion: { chance, repaired } }) =>
    chance === undefined && repaired ? [repaired.effectiveUsers] : [],
  )
  return clusters < FEW_CLUSTERS || (carried.length > 0 && Math.max(...carried) < FEWEST_EFFECTIVE)
}

/** How each question of the checks was answered where nothing lowers the verdict. */
function questionsOf(outcomes: Outcomes, weighed: readonly Weighed[], answer: Judged): QuestionAnswer[] {
  const isSmall = isTooSmall(weighed, answer)
  return (Object.entries(PASSED) as [Question, string][]).flatMap(([question, passed]): QuestionAnswer[] => {
    const own = outcomes.filter(({ check }) => check.question === question)
    if (own.length === 0) return []
    const missed = own.flatMap((outcome) => ('without' in outcome ? [outcome] : []))
    const lacking = missed.find(({ isLacking }) => isLacking)
    if (lacking) return [{ question, level: 'lacking', text: `Not checked: ${lacking.without}.` }]
    if (missed.length === own.length)
      return [{ question, level: 'not-applicable', text: `Not checked: ${missed[0]!.without}.` }]
    const unseen = Math.max(
      0,
      ...weighed
        .filter(({ check, error }) => check.question === question && error > 0)
        .map(({ error }) => error),
    )
    const limit = DETECTABLE * unseen
    const blind = isSmall
      ? ` Faults that move ${answer.noun} by half of its margin of error cannot be seen in so small a log.`
      : limit > marginOf(answer) / 2
        ? ` Faults that move ${answer.noun} by less than ${numberBy(marginOf(answer))(limit)} cannot be seen in this log.`
        : ''
    return [{ question, level: 'trust', text: passed + blind }]
  })
}

/** The outcomes for a difference: what faults do to the one side less what they do to the other. */
export function differenceOf(target: Outcomes, baseline: Outcomes): Outcomes {
  return target.map((outcome, place) => {
    const other = baseline[place]
    const left = new Set(other && 'suspicions' in other ? other.suspicions : [])
    if (!('suspicions' in outcome) && left.size === 0) return outcome
    const own = 'suspicions' in outcome ? outcome.suspicions : []
    const take = (isOther: (their: Suspicion) => boolean): Suspicion | undefined => {
      const found = [...left].find(isOther)
      if (found) left.delete(found)
      return found
    }
    const alike = own.map(({ how }) => take((their) => their.how === how))
    // A fault that is counted is the same on both sides, though each may be repaired otherwise.
    const isCounted = ({ chance }: Suspicion): boolean => chance !== undefined
    const both = own.map((one, k) => less(one, alike[k] ?? (isCounted(one) ? take(isCounted) : undefined), 1))
    return {
      check: outcome.check,
      suspicions: [...both, ...Array.from(left, (one) => less(one, undefined, -1))],
    }
  })
}

/** What a fault does to the one side less what it does to the other, by the repair of the one; unknown where the other lacks that. */
function less(one: Suspicion, other: Suspicion | undefined, sign: 1 | -1): Suspicion {
  if (!one.repaired) return one
  const { also, ...suspicion } = one
  const theirs = new Map(other?.also?.map((repaired) => [repaired.how, repaired]))
  const against = other && (other.how === one.how ? other.repaired : theirs.get(one.how ?? ''))
  if (other && !against) return { ...suspicion, repaired: null }
  if (other?.repaired) theirs.set(other.how ?? '', { ...other.repaired, how: other.how ?? '' })
  return {
    ...suspicion,
    repaired: lessRepaired(one.repaired, against, sign),
    ...(also && {
      also: also.map((repaired) => ({
        ...lessRepaired(repaired, theirs.get(repaired.how), sign),
        how: repaired.how,
      })),
    }),
  }
}

const lessRepaired = (one: Repaired, other: Repaired | null | undefined, sign: 1 | -1): Repaired => ({
  shift: sign * one.shift - (other?.shift ?? 0),
  users: one.users.map((own, g) => sign * own - (other?.users[g] ?? 0)),
  effectiveUsers: Math.min(one.effectiveUsers, other?.effectiveUsers ?? Infinity),
})
