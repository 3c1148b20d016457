import { formatShare } from '../number-text.js'
import {
  type Level,
  type Means,
  type Question,
  type QuestionAnswer,
  type QuestionLevel,
  QUESTIONS,
  type Reason,
  type Verdict,
} from '../verdict/verdict.js'
import { about } from './gate.js'
import type { Judgement } from './judgement.js'

/** A reason as a check gives it: its question is that of its code, and the answer without the fault is unknown, unless it says so. */
export type Complaint = Pick<Reason, 'code' | 'level' | 'message' | 'value'> &
  Partial<Pick<Reason, 'question' | 'shift' | 'driver'>>

/** The codes of all reasons, by the question that they belong to. */
const CODES: Readonly<Record<Question, readonly string[]>> = {
  declared: [
    'fitted-to-log',
    'learnt-from-log',
    'model-taken-as-true',
    'propensities',
    'unknown-reward-range',
  ],
  overlap: [
    'few-clicks-seen',
    'few-clusters',
    'few-degrees-of-freedom',
    'few-effective-clicks',
    'few-make-the-difference',
    'heavy-rewards',
    'heavy-tail',
    'lambda-from-data',
    'low-effective-sample',
    'no-answer',
    'not-computed',
    'one-cluster-dominates',
    'one-page-dominates',
    'one-row-dominates',
    'shrinking-bias',
    'too-small',
    'unequal-exploration',
    'unseen-rewards',
    'unsupported',
  ],
  propensities: [
    'balance-by-position',
    'balance-by-time',
    'dependent-slots',
    'estimators-disagree',
    'item-balance',
    'item-deficit',
    'loggers-disagree',
    'mean-weight',
    'position-outside-range',
    'previous-row-matters',
    'propensity-constant',
    'propensity-floor',
    'propensity-tiny',
    'rows-of-pages',
    'slate-propensities',
    'target-shifted',
  ],
  rewards: [
    'click-outage',
    'clicks-sent-twice',
    'duplicated-impressions',
    'label-is-outcome',
    'late-outcomes',
    'neighbours-alike',
    'one-click-per-visit',
    'orphan-outcomes',
    'outcomes-before-decisions',
    'outcomes-incomplete',
    'outcomes-still-to-come',
    'repeated-decisions',
    'rewards-copied',
    'rewards-fall-off',
    'rewards-shifted',
    'silent-users',
    'slots-interact',
    'tireless-users',
    'unreadable-outcomes',
    'users-filtered',
    'visits-filtered',
    'wrong-id-column',
  ],
  time: ['days-run-together', 'few-days', 'users-tire'],
}

const QUESTION_OF: ReadonlyMap<string, Question> = new Map(
  QUESTIONS.flatMap((question) => CODES[question].map((code) => [code, question] as const)),
)

/** The question that a reason belongs to; that of rewards, which most checks of rows ask, for codes that are not known here. */
const questionOf = (code: string): Question => QUESTION_OF.get(code) ?? 'rewards'

/** What is said of a question that nothing was found for. */
const NOTHING_FOUND: Readonly<Record<Question, Pick<QuestionAnswer, 'level' | 'text'>>> = {
  declared: { level: 'not-said', text: 'Nothing was said of how log and policy were made.' },
  overlap: { level: 'trust', text: 'The log covers the policy.' },
  propensities: { level: 'trust', text: 'No check found them wrong.' },
  rewards: { level: 'trust', text: 'No check found them lost, late or copied.' },
  time: { level: 'trust', text: 'No check found a change over time.' },
}

/** The levels of questions, the worst first. */
const QUESTION_GRAVITY: readonly QuestionLevel[] = [
  'refuse',
  'caution',
  'lacking',
  'note',
  'not-said',
  'trust',
  'not-applicable',
]
const GRAVITY: readonly Reason['level'][] = ['refuse', 'caution', 'note']

/**
 * The verdict that reasons give: its level is that of the worst. A question that has no reason is answered as in `known`, the worst
 * of several answers, or by a sentence of its own.
 */
export function verdictFrom(
  complaints: readonly Complaint[],
  known: readonly QuestionAnswer[] = [],
): Verdict {
  const complete = complaints.map((complaint) => ({
    shift: null,
    driver: null,
    ...complaint,
    question: complaint.question ?? questionOf(complaint.code),
  }))
  const reasons = GRAVITY.flatMap((level) => complete.filter((reason) => reason.level === level))
  const worst = reasons[0]?.level ?? 'note'
  const level = worst === 'note' ? 'trust' : worst
  return {
    level,
    means: meansOf(level, reasons),
    questions: QUESTIONS.map((question) => answerTo(question, reasons, known)),
    reasons,
  }
}

function meansOf(level: Level, reasons: readonly Reason[]): Means {
  if (level === 'trust') return 'decide'
  if (level === 'caution') return 'careful'
  // Where the log does not cover the policy, no repair of a fault brings an answer.
  const isUncovered = reasons.some((reason) => reason.level === 'refuse' && reason.question === 'overlap')
  return isUncovered ? 'cannot-tell' : 'do-not-believe'
}

function answerTo(
  question: Question,
  reasons: readonly Reason[],
  known: readonly QuestionAnswer[],
): QuestionAnswer {
  const [found] = reasons.filter((reason) => reason.question === question)
  if (found) {
    const isLacking = found.level === 'caution' && found.code === 'not-computed'
    return { question, level: isLacking ? 'lacking' : found.level, text: found.message }
  }
  // Reasons come anew: what they said of a question before has no place here.
  const answer = worstAnswer(
    known.filter((one) => one.question === question && !GRAVITY.some((level) => level === one.level)),
  )
  return answer ?? { question, ...NOTHING_FOUND[question] }
}

/** The worst of several answers to a question, the first of equals; undefined where there is none. */
export const worstAnswer = (answers: readonly QuestionAnswer[]): QuestionAnswer | undefined =>
  answers.toSorted((a, b) => QUESTION_GRAVITY.indexOf(a.level) - QUESTION_GRAVITY.indexOf(b.level))[0]

/** The worst of several verdicts on their own; the first of equals. */
export const worstVerdict = (verdicts: readonly [Verdict, ...Verdict[]]): Verdict =>
  verdicts.reduce((worst, one) => (LEVELS.indexOf(one.level) > LEVELS.indexOf(worst.level) ? one : worst))

const LEVELS: readonly Level[] = ['trust', 'caution', 'refuse']

/** Two estimates of the same value that differ by more than chance: one of them is wrong. */
export const disagreement = (first: string, second: string, difference: number, z: number): Complaint => ({
  level: 'caution',
  code: 'estimators-disagree',
  message: `${first} and ${second} differ by ${Number(Math.abs(difference).toPrecision(2))}, ${Math.abs(z).toFixed(1)} times what chance explains: at least one of them is wrong.`,
  value: difference,
})

/** How well the log covers a policy that no check of its weights speaks against. */
export const coverage = (
  { effectiveClicks, topClusterShare }: Judgement,
  clusterUnit: string,
): QuestionAnswer => ({
  question: 'overlap',
  level: 'trust',
  text: `About ${about(effectiveClicks, 'effective click')}, at most ${formatShare(topClusterShare)} from one ${clusterUnit}.`,
})
