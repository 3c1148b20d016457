import type { Section } from 'hindcast/report'
import type { PageInput } from './page-input.js'
import { misspecification } from '../figures/misspecification.js'
import { regulariserSweep } from '../figures/regulariser-sweep.js'
import { targetEss } from '../figures/target-ess.js'

/** What goes beyond the paper: the regulariser's strength, wrong propensities, and which policies a log can judge. */
export function beyondSections({ results, options, world }: PageInput): Section[] {
  const { regulariser, misspecification: wrong, targets, methods } = results
  const seeds = results.seeds.length
  const charts = [
    ...(regulariser
      ? [
          regulariserSweep(
            { ...regulariser, k: methods?.k ?? results.settings.methods.k, seeds, world },
            options,
          ),
        ]
      : []),
    ...(wrong ? [misspecification({ ...wrong, seeds, world }, options)] : []),
    ...(targets ? [targetEss({ ...targets, seeds, world }, options)] : []),
  ]
  return charts.length === 0
    ? []
    : [
        {
          heading: 'Beyond the paper',
          fold: 'closed',
          text: [
            'How strong the regulariser should be, what wrong propensities do, and which policies a log can judge at all.',
          ],
          charts,
        },
      ]
}
