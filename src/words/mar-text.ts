import { counted, formatCount } from '../number-text.js'
import { MAR_METHODS, type MarMethod, type MarMethodName, type MarReport } from '../train/mar-protocol.js'
import type { Spread } from '../train/mar-protocol.js'
import { formatFixed } from './estimate-text.js'
import { formatMetric, leftOutText, overlap } from './rated-text.js'

/** The name of a method as its paper writes it. */
export const methodLabel = (name: MarMethodName): string =>
  MAR_METHODS.find((method) => method.name === name)!.label

/** A mean with its standard deviation over seeds, to three digits: `0.712 ± 0.004`. */
export const spreadText = (spread: Spread | null): string => {
  if (!spread) return '–'
  const { mean, deviation } = spread
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(mean) || 1)))
  const text = formatFixed(mean, places)
  return deviation === null ? text : `${text} ± ${formatFixed(deviation, places)}`
}

/** Which method predicts random ratings best, how sure that is, and what it was compared with. */
export function marAnswer({ methods, test, train, seeds, constantError }: MarReport): string {
  const [best, second] = methods.toSorted((a, b) => a.over.mse!.mean - b.over.mse!.mean) as [
    MarMethod,
    MarMethod,
  ]
  const of = ({ name, over }: MarMethod): string => `${methodLabel(name)} ${spreadText(over.mse)}`
  const [own, other] = [best, second].map(({ runs }) => runs[0]!.metrics.mse!)
  const { interval } = formatMetric(own!)
  const over = seeds > 1 ? `, mean and standard deviation over ${counted(seeds, 'seed')}` : ''
  const lead = overlap(own!, other!)
    ? `${of(best)} and ${of(second)} have the lowest mean squared errors on ratings of random items${over}; their intervals overlap.`
    : `${methodLabel(best.name)} has the lowest mean squared error on ratings of random items: ${spreadText(best.over.mse)}${over}. Next comes ${methodLabel(second.name)} with ${spreadText(second.over.mse)}.`
  const sure =
    interval === null
      ? ''
      : ` The 95 % CI by user of ${methodLabel(best.name)} is ${interval}, with the first seed.`
  const constant =
    best.over.mse!.mean < constantError
      ? ` Always predicting the mean gives ${constantError.toPrecision(3)}.`
      : ` **Always predicting the mean does better**: ${constantError.toPrecision(3)}.`
  return `${lead}${sure}${constant} Ratings that users chose to give average ${train.meanRating.toPrecision(3)}, random ones ${test.meanRating.toPrecision(3)}.`
}

/** How the protocol went, as sentences: parts of the logs, propensities, penalties. */
export function marNotes({ train, test, propensities, methods }: MarReport): string[] {
  const without = leftOutText(test.leftOut)
  return [
    `Trained on ${formatCount(train.rows)} ratings of ${counted(train.users, 'user')} and ${counted(train.items, 'item')}; a tenth of them served to choose the epoch. Tested once, on ${formatCount(test.rows)} random ratings of ${counted(test.users, 'user')}${without === '' ? '' : `; left out: ${without}`}.`,
    propensities.from === 'log'
      ? 'Propensities are those of the training log.'
      : `Propensities by naive Bayes from ${formatCount(propensities.sliceRows)} random ratings, which are not in the test: ${levelsText(propensities.parameters)}.`,
    ...(methods[0]!.tried.length > 0 ? [penaltiesText(methods)] : []),
  ]
}

/** Which penalties were chosen, and from which. */
const penaltiesText = (methods: readonly MarMethod[]): string =>
  `Penalties, chosen on the validation ratings of the first seed from ${methods[0]!.tried.map(({ l2 }) => l2).join(', ')}: ${methods.map(({ name, settings }) => `${methodLabel(name)} ${settings.l2}`).join(', ')}.`

/** How much more often each rating is given than the one given most seldom. */
function levelsText(parameters: Readonly<Record<string, number>>): string {
  const levels = Object.entries(parameters).flatMap(([name, value]) => {
    const level = /^propensity of reward (.*)$/.exec(name)?.[1]
    return level === undefined ? [] : [{ level, value }]
  })
  const least = Math.min(...levels.map(({ value }) => value))
  return levels
    .map(({ level, value }) => `a rating of ${level} is given ${(value / least).toPrecision(2)}`)
    .join(', ')
    .replace(/$/, ' times as often as the rarest')
}
