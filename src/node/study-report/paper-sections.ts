import { biasSweep, bootstrapDistributions, methodCurves } from '../../figures/index.js'
import type { Section } from '../../report/report.js'
import { type EstimatorDraws, METHOD_LABELS } from '../../study/results.js'
import { capitalised } from '../../words/training-text.js'
import { METHOD_COLOURS } from './method-colours.js'
import { named } from './named.js'
import type { PageInput } from './page-input.js'

/** IPS and SNIPS of the toy world, over resamples and over logs. */
export function estimateSections({ results: { toy }, options }: PageInput): Section[] {
  if (!toy) return []
  return [
    {
      heading: 'IPS and SNIPS: how estimates vary',
      text: [
        'The paper’s first figure and its appendix: IPS and SNIPS of the same target policy over bootstrap resamples of one ' +
          'toy log, their means aligned; then over independent logs of the same world, which shows how they vary in truth.',
      ],
      charts: toy.targets.flatMap(({ target, label, truth, bootstrap, logs }) =>
        (['resamples', 'logs'] as const).map((over) =>
          named(
            bootstrapDistributions(
              { series: seriesOf(over === 'logs' ? logs : bootstrap), truth, over, target: label },
              options,
            ),
            `toy-${over}-${target}`,
          ),
        ),
      ),
    },
  ]
}

/** Both worlds under exposure from strongly to weakly biased. */
export function biasSections({ results: { bias, seeds }, options }: PageInput): Section[] {
  if (bias.length === 0) return []
  return [
    {
      heading: 'Exposure bias from strong to weak',
      charts: bias.map((sweep) =>
        named(
          biasSweep(
            {
              world: capitalised(sweep.label),
              targets: sweep.targets.map(({ target, label, points }) => ({
                label: target,
                about: label,
                points,
              })),
              seeds: seeds.length,
            },
            options,
          ),
          `bias-${sweep.world}`,
        ),
      ),
    },
  ]
}

/** What the methods are worth while they learn. */
export function curveSections({ results: { curves, seeds }, options, world }: PageInput): Section[] {
  if (curves.length === 0) return []
  return [
    {
      heading: 'Learning curves',
      charts: curves.map(({ temperature, alpha, curves: own }, k) =>
        named(
          methodCurves(
            {
              methods: own.map(({ method, points }) => ({
                label: METHOD_LABELS[method],
                colour: METHOD_COLOURS[method],
                points,
              })),
              temperature,
              alpha,
              seeds: seeds.length,
              world,
            },
            options,
          ),
          k === 0 ? 'method-curves' : `method-curves-${k + 1}`,
        ),
      ),
    },
  ]
}

const seriesOf = ({ ips, snips }: EstimatorDraws) => [
  { name: 'ips', values: Float64Array.from(ips) },
  { name: 'snips', values: Float64Array.from(snips) },
]
