import type { Diagnostics } from '../estimate/evaluation.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { clusterUnit } from '../words/cluster-text.js'
import { formatFixed } from '../words/estimate-text.js'
import { significant } from './format.js'

/** The diagnostics that are known, each with what it says. */
export function diagnosticRows(diagnostics: Diagnostics, cluster: string): [string, string][] {
  const { ess, essRatio, meanWeight, meanWeightZ, maxWeight, topShare, topPercentShare } = diagnostics
  const { paretoK, effectiveClicks, effectiveClusterClicks, unsupportedMass, floorShare } = diagnostics
  const shares = [
    ...(topShare === null ? [] : [`the heaviest row carries ${formatShare(topShare)} of the total`]),
    ...(topPercentShare === null ? [] : [`the heaviest 1 % of rows ${formatShare(topPercentShare)}`]),
  ].join(', ')
  const found: [string, string | null][] = [
    [
      'effective sample size',
      // Rows may stand for several impressions each (column weight): their number is the ESS over its ratio.
      ess === null
        ? null
        : essRatio === null
          ? rounded(ess)
          : `${rounded(ess)} of ${counted(Math.round(ess / essRatio), 'impression')} (${formatShare(Math.min(1, essRatio))})`,
    ],
    ['largest weight', maxWeight === null ? null : `${significant(maxWeight)}${shares ? `; ${shares}` : ''}`],
    [
      'mean weight',
      meanWeight === null
        ? null
        : `${significant(meanWeight)}, expected 1` +
          (meanWeightZ === null ? '' : ` (${offText(meanWeightZ)})`),
    ],
    [
      'tail of the weights',
      paretoK === null
        ? null
        : `Pareto k̂ ${paretoK < 0 ? '−' : ''}${rounded(Math.abs(paretoK))} (${paretoK > 0.7 ? 'above 0.7: heavy' : 'below 0.7: good'})`,
    ],
    [
      'effective clicks',
      effectiveClicks === null
        ? null
        : rounded(effectiveClicks) +
          (effectiveClusterClicks === null || cluster === 'row'
            ? ''
            : ` (${rounded(effectiveClusterClicks)} counted by ${clusterUnit(cluster)})`),
    ],
    [
      'lowest propensity',
      floorShare === null || floorShare === 0 ? null : `shared by ${formatShare(floorShare)} of rows`,
    ],
    [
      'items never shown',
      unsupportedMass === null || unsupportedMass === 0
        ? null
        : `the target shows them ${formatShare(unsupportedMass)} of the time`,
    ],
  ]
  const said = found.flatMap(([name, text]): [string, string][] => (text === null ? [] : [[name, text]]))
  return said.length > 0 ? said : [['weights', 'none: the log has no propensities']]
}

/** A whole number from 10 on, else two significant digits. */
const rounded = (value: number): string =>
  value >= 10 ? formatCount(Math.round(value)) : significant(value, 2)

const offText = (z: number): string =>
  Math.abs(z) < 0.1
    ? 'less than 0.1 standard errors off'
    : `${formatFixed(Math.abs(z), Math.abs(z) < 1 ? 2 : 1)} standard errors ${z < 0 ? 'below' : 'above'}`
