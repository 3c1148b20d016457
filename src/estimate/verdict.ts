import { counted, formatShare } from '../number-text.js'
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
import { questionOf } from '../verdict/registry.js'
import type { Diagnostics } from './evaluation.js'

/** A reason as it is found: its question is that of its record, and what the answer would be without it is unknown, unless it says so. */
export type Complaint = Pick<Reason, 'code' | 'level' | 'message' | 'value'> &
  Partial<Pick<Reason, 'shift' | 'driver'>> & { readonly question?: Question | undefined }

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
  const complete = complaints.map(({ level, code, question = questionOf(code), ...found }) => ({
    shift: null,
    driver: null,
    level,
    code,
    question,
    ...found,
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

/** How well the log covers a policy that no check of its weights speaks against. */
export const coverage = (
  { effectiveClusterClicks, topClusterShare }: Diagnostics,
  clusterUnit: string,
): QuestionAnswer[] =>
  effectiveClusterClicks === null || topClusterShare === null
    ? []
    : [
        {
          question: 'overlap',
          level: 'trust',
          text: `About ${counted(Number(effectiveClusterClicks.toPrecision(2)), 'effective click')}, at most ${formatShare(topClusterShare)} from one ${clusterUnit}.`,
        },
      ]
