import { biasSweep, bootstrapDistributions } from 'hindcast/figures'
import type { Section } from 'hindcast/report'
import { capitalised } from './capitalised.js'
import { type EstimatorDraws, METHOD_LABELS } from '../results.js'
import { METHOD_COLOURS } from './method-colours.js'
import { answering } from './answering.js'
import { more } from './more.js'
import { named } from './named.js'
import type { PageInput } from './page-input.js'
import { methodCurves } from '../figures/method-curves.js'

/** IPS and SNIPS of the toy world, over resamples and over logs. */
export function estimateSections({ results: { toy, claims }, options }: PageInput): Section[] {
  if (!toy) return []
  const charts = (['logs', 'resamples'] as const).flatMap((over) =>
    toy.targets.map(({ target, label, truth, bootstrap, logs }) =>
      named(
        bootstrapDistributions(
          { series: seriesOf(over === 'logs' ? logs : bootstrap), truth, over, target: label },
          options,
        ),
        `toy-${over}-${target}`,
      ),
    ),
  )
  const { text, fold } = answering(claims, ['snips-variance'])
  return [
    {
      heading: 'IPS and SNIPS: how estimates vary',
      fold,
      text: [
        ...text,
        'IPS and SNIPS of the same target policy over independent logs of the toy world, which shows how they really vary, their means aligned.',
      ],
      charts: charts.slice(0, 1),
      sections: more(
        'Other targets, and the paper’s first figure: bootstrap resamples of one log',
        charts.slice(1),
      ),
    },
  ]
}

/** Both worlds under exposure from strongly to weakly biased. */
export function biasSections({ results: { bias, seeds, claims }, options }: PageInput): Section[] {
  if (bias.length === 0) return []
  const charts = bias.map((sweep) =>
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
  )
  return [
    {
      heading: 'Exposure bias from strong to weak',
      ...answering(claims, ['moderate-bias']),
      charts: charts.slice(0, 1),
      sections: more('In the toy world', charts.slice(1)),
    },
  ]
}

/** What the methods are worth while they learn. */
export function curveSections({ results: { curves, seeds, claims }, options, world }: PageInput): Section[] {
  if (curves.length === 0) return []
  const charts = curves.map(({ temperature, alpha, curves: own }, k) =>
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
  )
  return [
    {
      heading: 'Learning curves',
      ...answering(claims, ['regularised-early', 'regularised-late']),
      charts: charts.slice(0, 1),
      sections: more('At other temperatures', charts.slice(1)),
    },
  ]
}

const seriesOf = ({ ips, snips }: EstimatorDraws) => [
  { name: 'ips', values: Float64Array.from(ips) },
  { name: 'snips', values: Float64Array.from(snips) },
]
