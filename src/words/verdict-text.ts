import type { Estimate, Evaluation, Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { groundsOf, type Question, type QuestionLevel } from '../verdict/verdict.js'
import { formatEstimate, VERDICT_SHAPES } from './estimate-text.js'

/** The title of a figure whose verdict is `refuse`: what is drawn, and nothing found in it. */
export const noAnswer = (drawn: string): string => `No answer from this log: ${drawn}`

/** A verdict with its shape: "▲ caution". */
export const verdictWord = ({ level }: Pick<Verdict, 'level'>): string => `${VERDICT_SHAPES[level]} ${level}`

/** The word, and of a refusal which of the two it is: "✘ refuse: cannot tell". */
export const verdictHeading = (verdict: Pick<Verdict, 'level' | 'means'>): string =>
  `${verdictWord(verdict)}${{ 'cannot-tell': ': cannot tell', 'do-not-believe': ': do not believe', careful: '', decide: '' }[verdict.means]}`

/** The shape of the answer to a question, to stand before it. */
export const QUESTION_SHAPES: Readonly<Record<QuestionLevel, string>> = {
  ...VERDICT_SHAPES,
  note: '·',
  'not-said': '?',
  'not-applicable': '–',
  lacking: '…',
}

/** What the questions are called. */
export const QUESTION_LABELS: Readonly<Record<Question, string>> = {
  declared: 'said of the log',
  overlap: 'overlap',
  propensities: 'propensities',
  rewards: 'rewards',
  time: 'over time',
}

/** The reasons that the answers to the questions leave unsaid, the worst first. */
export const furtherReasons = ({ questions, reasons }: Verdict): string[] =>
  reasons.map(({ message }) => message).filter((message) => !questions.some(({ text }) => text === message))

/** Where the value may lie whether or not there are the faults that were found; undefined without any. */
export function hullText({ hull }: Pick<Verdict, 'hull'>): string | undefined {
  if (!hull) return undefined
  const { interval } = formatEstimate((hull[0] + hull[1]) / 2, hull)
  return `${interval} with and without these faults`
}

/** The level of several answers seen together: `refuse` where none is one, no better than `caution` where some are not. */
export function jointLevel(levels: readonly VerdictLevel[]): VerdictLevel {
  if (levels.every((level) => level === 'refuse')) return 'refuse'
  return levels.every((level) => level === 'trust') ? 'trust' : 'caution'
}

/** Estimates that share a verdict other than the answer's, and why. */
interface OtherVerdict {
  readonly level: VerdictLevel
  readonly estimates: readonly Estimate[]
  /** Reasons that the answer's verdict does not have already. */
  readonly reasons: readonly string[]
}

/** The estimates with a value whose verdict is another than the answer's, those with the same reasons together. */
export function otherVerdicts({
  estimates,
  verdict,
}: Pick<Evaluation, 'estimates' | 'verdict'>): OtherVerdict[] {
  const said = new Set(verdict.reasons.map(({ message }) => message))
  const groups = new Map<string, { level: VerdictLevel; estimates: Estimate[]; reasons: readonly string[] }>()
  for (const estimate of estimates) {
    const { level, reasons: all } = estimate.verdict
    if (level === verdict.level || estimate.value === null) continue
    const reasons =
      level === 'trust'
        ? [groundsOf(estimate.verdict)]
        : all.map(({ message }) => message).filter((message) => !said.has(message))
    const key = JSON.stringify([level, reasons])
    const group = groups.get(key) ?? { level, estimates: [], reasons }
    group.estimates.push(estimate)
    groups.set(key, group)
  }
  return [...groups.values()]
}
