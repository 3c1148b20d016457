import { counted, formatPercent } from 'hindcast'
import { CLAIM_VERDICTS, METHOD_LABELS, type StudyResults } from './results.js'

/** What a study found, in a few sentences. */
export function summaryOf(results: Omit<StudyResults, 'summary' | 'run'>): string[] {
  const { claims, methods, misspecification, targets, ratings, seeds, settings } = results
  const sentences: string[] = []
  const tally = CLAIM_VERDICTS.map((verdict) => ({
    verdict,
    claims: claims.filter((claim) => claim.verdict === verdict).length,
  })).filter((entry) => entry.claims > 0)
  sentences.push(
    `Of ${counted(claims.length, 'claim')} of the paper, over ${counted(seeds.length, 'seed')}: ${tally
      .map((entry) => `${entry.claims} ${PLURAL[entry.verdict]!(entry.claims)}`)
      .join(', ')}.`,
  )
  if (methods) sentences.push(...methodSentences(methods))
  if (misspecification) sentences.push(...misspecificationSentence(misspecification))
  if (targets) sentences.push(targetSentence(targets))
  for (const note of new Set([ratings?.world.note, ratings?.description.note]))
    if (note) sentences.push(`The MovieLens parts use ${note}.`)
  if (settings.quick)
    sentences.push('This was a quick study: fewer seeds, users, temperatures and steps than the full one.')
  return sentences
}

const PLURAL: Readonly<Record<string, (count: number) => string>> = {
  holds: (count) => (count === 1 ? 'holds' : 'hold'),
  'does not hold': (count) => (count === 1 ? 'does not hold' : 'do not hold'),
  depends: (count) => (count === 1 ? 'depends on the reading' : 'depend on the reading'),
  undecided: (count) => (count === 1 ? 'is undecided' : 'are undecided'),
}

/** Every policy counts once, by its gravest verdict over the seeds. */
function targetSentence({ rows }: NonNullable<StudyResults['targets']>): string {
  const refused = rows.filter(({ verdicts }) => verdicts.refuse > 0)
  const cautious = rows.filter(({ verdicts }) => verdicts.refuse === 0 && verdicts.caution > 0)
  const trusted = rows.length - refused.length - cautious.length
  const which = refused.length > 0 ? ` (${refused.map(({ label }) => label).join('; ')})` : ''
  return `Of ${rows.length} target policies on the same logs, the gravest verdict over the seeds is trust for ${trusted}, caution for ${cautious.length} and refuse for ${refused.length}${which}.`
}

const percent = (share: number): string => formatPercent(share, 1)

/** The best at each temperature by true value, and what plain BPR reaches there. */
function methodSentences({ temperatures, summaries }: NonNullable<StudyResults['methods']>): string[] {
  return temperatures.flatMap((temperature) => {
    const at = summaries.filter(
      (summary) => summary.temperature === temperature && summary.truth.mean !== null,
    )
    const best = at.reduce<(typeof at)[number] | undefined>(
      (leader, summary) => (!leader || summary.truth.mean! > leader.truth.mean! ? summary : leader),
      undefined,
    )
    const plain = at.find(({ method }) => method === 'bpr')
    if (!best || !plain) return []
    return [
      `Trained on a log of temperature ${temperature}, ${METHOD_LABELS[best.method]} earns the most: ${percent(best.truth.mean!)} of impressions of unseen items are clicked${best === plain ? '' : `, against ${percent(plain.truth.mean!)} for plain BPR`}; by chance it would be ${percent(best.chance.mean!)}.`,
    ]
  })
}

/** What happens to IPS and DR at the largest exponent off 1. */
function misspecificationSentence({ targets }: NonNullable<StudyResults['misspecification']>): string[] {
  const [target] = targets
  const worst = target?.points.reduce((far, point) =>
    Math.abs(point.gamma - 1) > Math.abs(far.gamma - 1) ? point : far,
  )
  const rmse = (name: string): number | null =>
    worst?.estimators.find(({ estimator }) => estimator === name)?.rmse ?? null
  const [ips, snips, dr] = [rmse('ips'), rmse('snips'), rmse('dr')]
  if (!target || !worst || ips === null || snips === null || dr === null || !target.truth.mean) return []
  const share = (error: number): string => formatPercent(error / target.truth.mean!, 0)
  return [
    `With propensities off by an exponent of ${worst.gamma}, the estimated value of the ${target.label} policy is off by ${share(ips)} (IPS), ${share(snips)} (SNIPS) and ${share(dr)} (DR).`,
  ]
}
