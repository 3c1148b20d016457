import { counted, formatCount, formatEstimate, listed } from 'hindcast'
import type { Claim, ClaimEffect, ClaimVerdict, Interval, RatingsSource, StudyResults } from './results.js'

/** The shape of what became of a claim, to stand before its words. */
const CLAIM_SHAPES: Readonly<Record<ClaimVerdict, string>> = {
  holds: '✔',
  'does not hold': '✘',
  depends: '◐',
  undecided: '?',
}

/** What became of a claim, with its shape: "✔ holds". */
export const claimVerdictText = (verdict: ClaimVerdict): string => `${CLAIM_SHAPES[verdict]} ${verdict}`

/** A number with its interval: "0.42 (0.38–0.46)", "2 for every seed". */
export function numberText({ value, interval }: Pick<ClaimEffect, 'value' | 'interval'>): string {
  if (value === null) return 'no value'
  if (interval === null || isPoint(interval)) {
    const digits = String(Number(value.toPrecision(3))).replace('-', '−')
    return interval === null ? digits : `${digits} for every seed`
  }
  const written = formatEstimate(value, interval)
  return `${written.value} (${written.interval})`
}

/** The number of an effect with its interval and unit: "0.42 (0.38–0.46) ratio of variances". */
export function measuredText(effect: Pick<ClaimEffect, 'value' | 'interval' | 'unit'>): string {
  const { value, interval, unit } = effect
  if (value === null) return numberText(effect)
  return `${numberText(effect)}${interval && isPoint(interval) ? ',' : ''} ${unit}`
}

/** Whether all seeds agree, so that the interval does not say how to round. */
const isPoint = ([low, high]: Interval): boolean => low === high

/** What a claim says of a number: "below 1", "1 to 1.2". */
export const expectedText = ({ expected }: Pick<ClaimEffect, 'expected'>): string =>
  expected.kind === 'within'
    ? `${expected.range[0]} to ${expected.range[1]}`
    : `${expected.kind} ${expected.than}`

/**
 * What a study found, in paragraphs, the answer first: how many of the claims hold, what came out, and what was run
 * on which data. Words between `**` are to be set in bold.
 */
export function studyAnswer(results: StudyResults): readonly string[] {
  // The first sentence of the summary counts the claims too.
  const findings = results.summary.slice(1).join(' ')
  return [claimsSentence(results.claims), findings, dataSentence(results)].filter(Boolean)
}

function claimsSentence(claims: readonly Claim[]): string {
  if (claims.length === 0) return 'No claim was tested.'
  const having = (verdict: ClaimVerdict): number => claims.filter((claim) => claim.verdict === verdict).length
  const said = (
    [
      ['holds', 'holds', 'hold'],
      ['depends', 'depends on the reading', 'depend on the reading'],
      ['does not hold', 'does not hold', 'do not hold'],
      ['undecided', 'is undecided', 'are undecided'],
    ] as const
  ).flatMap(([verdict, one, many]) => {
    const count = having(verdict)
    return count === 0 ? [] : [`**${formatCount(count)} ${count === 1 ? one : many}**`]
  })
  return `Of the ${counted(claims.length, 'claim')} of the paper that were tested, ${listed(said)}.`
}

function dataSentence({ toy, ratings, seeds, settings, run }: StudyResults): string {
  const worlds = [
    toy &&
      `the toy world of the paper (${formatCount(toy.world.users)} users, ${formatCount(toy.world.items)} items, ` +
        `${formatCount(toy.world.exposures)} exposures each)`,
    ratings && `a world made from ${sourceText(ratings.world)}`,
    ratings && `a description of ${sourceText(ratings.description)}`,
  ].filter((text) => text !== null)
  const isSimulated = ratings && (!ratings.world.isReal || !ratings.description.isReal)
  return [
    `What was run: ${listed(worlds)}; ${counted(seeds.length, 'seed')}, ${formatCount(settings.resamples)} bootstrap ` +
      `resamples per estimate, ${durationText(run.stepSeconds)}.`,
    isSimulated ? '**All MovieLens results use simulated ratings of its size, not the real ones.**' : '',
    seeds.length < 3 ? 'With so few seeds, effects cannot be separated from chance.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const sourceText = ({ name, ratings, users, items }: RatingsSource): string =>
  `${name} (${formatCount(ratings)} ratings of ${formatCount(items)} items by ${formatCount(users)} users)`

/** A time as people say it: "84 s", "12 min", "1.5 h". */
export function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
