// What Hindcast answers on a simulated log, by its public names, with the truth beside each answer.
import { compare, ESTIMATORS, evaluate } from '../../dist/index.js'

const GRAVITY = { trust: 0, caution: 1, refuse: 2 }
const worst = (verdicts) =>
  verdicts.reduce((one, other) => (GRAVITY[other.level] > GRAVITY[one.level] ? other : one))

/** Those of the named estimators that this version has. */
export const available = (names) => {
  const known = new Set(ESTIMATORS.names)
  return names.filter((name) => known.has(name.split(':', 1)[0]))
}

const codesOf = ({ level, reasons }) => (level === 'trust' ? [] : reasons.map(({ code }) => code))

/** One evaluation: for every estimator its value, interval and its own verdict. */
export async function evaluated(estimators, { log, target, truth, ...options }) {
  const { evaluation } = await evaluate(log, { target, estimators, ...options })
  return evaluation.estimates.map(({ value, interval, verdict = evaluation.verdict }, k) => ({
    name: estimators[k],
    truth,
    value,
    interval,
    // Without a number there is nothing to trust, whatever the rest of the log is like.
    level: value === null ? 'refuse' : verdict.level,
    reasons: codesOf(verdict),
  }))
}

/** The paired difference of two targets by every estimator; it is trusted where both targets are. */
export async function compared(estimators, { log, targets, truth, ...options }) {
  const answers = []
  for (const estimator of estimators) {
    const { differences, evaluations } = await compare(log, {
      targets: targets.map((target) => ({ target })),
      estimator,
      ...options,
    })
    const { difference, interval, verdict = worst(evaluations.map(own)) } = differences[0]
    answers.push({
      name: estimator,
      truth,
      value: difference,
      interval,
      level: difference === null ? 'refuse' : verdict.level,
      reasons: codesOf(verdict),
    })
  }
  return answers
}

/** Many targets at once: whether all of them are trusted. */
export async function allTrusted(estimators, { log, targets, ...options }) {
  const answers = []
  for (const estimator of estimators) {
    const { evaluations } = await compare(log, {
      targets: targets.map((target) => ({ target })),
      estimator,
      ...options,
    })
    const { level } = worst(evaluations.map(own))
    const reasons = [...new Set(evaluations.flatMap((one) => codesOf(own(one))))]
    answers.push({ name: estimator, truth: null, value: null, interval: null, level, reasons })
  }
  return answers
}

/** The verdict on the one estimate of an evaluation. */
const own = ({ estimates, verdict }) => estimates[0].verdict ?? verdict
