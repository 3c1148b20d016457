import type { Section } from 'hindcast/report'
import { claimVerdictText, expectedText, measuredText } from '../study-text.js'
import type { StudyResults } from '../results.js'

/** The claims as a table, the other readings of each below. */
export function claimsSection({ claims }: StudyResults): Section {
  return {
    heading: 'The paper’s claims',
    text: [
      '✔ holds, ✘ does not hold, ◐ depends on how it is read, ? undecided. Intervals are of 95 %, over seeds.',
    ],
    table: {
      columns: [
        { name: 'claim', label: 'Claim' },
        { name: 'verdict', label: 'Verdict', kind: 'verdict' },
        { name: 'effect', label: 'Effect' },
        { name: 'reading', label: 'Reading' },
      ],
      rows: claims.map(({ claim, verdict, effects, explanation, holdsWhen }) => [
        claim,
        claimVerdictText(verdict),
        effects[0] ? measuredText(effects[0]) : null,
        [explanation, holdsWhen ?? ''].filter(Boolean).join(' '),
      ]),
    },
    sections: [
      {
        heading: 'Every number that the verdicts rest on',
        isFolded: true,
        table: {
          columns: [
            { name: 'claim', label: 'Claim' },
            { name: 'what', label: 'What was measured' },
            { name: 'effect', label: 'Effect' },
            { name: 'expected', label: 'Claimed' },
            { name: 'agrees', label: 'Agrees', kind: 'verdict' },
            { name: 'seeds', label: 'Seeds', kind: 'count' },
          ],
          rows: claims.flatMap(({ claim, effects }) =>
            effects.map((effect) => [
              claim,
              effect.label,
              measuredText(effect),
              expectedText(effect),
              { yes: '✔ yes', no: '✘ no', unclear: '? unclear' }[effect.agrees],
              effect.seeds,
            ]),
          ),
        },
      },
    ],
  }
}
