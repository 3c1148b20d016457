import type { Description } from './description.js'

const count = (value: number): string => Math.round(value).toLocaleString('en-US')
const percent = (share: number, digits = 1): string => (share * 100).toFixed(digits)
const plural = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`

/** What a log holds, in a sentence or two for people. */
export function summarise(description: Description): string {
  const { impressions, items, users, clickRate, clickRateInterval, exposure, uniformTarget, rows } =
    description
  const digits = clickRate < 0.1 ? 2 : 1
  const interval = clickRateInterval
    ? ` (95 % interval ${percent(clickRateInterval[0], digits)}–${percent(clickRateInterval[1], digits)} %)`
    : ''
  const sentences = [
    `${plural(impressions, 'impression')} of ${plural(items, 'item')} to ${plural(users, 'user')}; ${percent(clickRate, digits)} % were clicked${interval}.`,
  ]
  if (items > 10)
    sentences.push(`The ten items shown most took ${percent(exposure.top10Share, exposure.top10Share < 0.095 ? 1 : 0)} % of all impressions.`)
  if (uniformTarget.ess !== null)
    sentences.push(
      `About a uniform policy it says as much as ${count(uniformTarget.ess)} uniformly random impressions would (effective sample size ${percent(uniformTarget.essRatio!)} % of ${plural(rows, 'row')}).`,
    )
  return sentences.join(' ')
}
