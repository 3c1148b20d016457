import { formatEstimate, formatFixed, valueDecimals } from '$core/words/estimate-text.js'
import { counted, formatCount, formatShare } from '$core/number-text.js'
import type { Fact } from '$core/report/report.js'
import type { BiasedLog } from '../../desk/bias.js'
import { topShare } from './bias-answer.js'

/** The numbers that change with the bias. */
export function biasFacts(log: BiasedLog): Fact[] {
  const { items, rows, ess, essRatio, snips, interval, truth } = log
  const top = topShare(items)
  const never = items.impressions.reduce((count, impressions) => count + Number(impressions === 0), 0)
  const estimate = snips === null ? undefined : formatEstimate(snips, interval)
  return [
    {
      label: top.items === 1 ? 'Most shown item' : 'Ten most shown',
      value: formatShare(top.share),
      note: `of ${counted(rows, 'impression')}`,
    },
    { label: 'Never shown', value: formatCount(never), note: `of ${counted(items.ids.length, 'item')}` },
    {
      label: 'Effective sample size',
      value: ess === null ? 'none' : formatCount(Math.round(ess)),
      ...(essRatio !== null && { note: `${formatShare(essRatio)} of the rows` }),
    },
    {
      label: 'SNIPS',
      value: estimate?.value ?? 'no value',
      note: estimate?.interval ? `95 % CI ${estimate.interval}` : 'no confidence interval',
    },
    {
      label: 'Truth',
      value: formatFixed(truth, valueDecimals(snips ?? truth, interval)),
      note: 'clicks per impression, the same at any bias',
    },
  ]
}
