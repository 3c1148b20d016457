import type { Section } from 'hindcast/report'
import { decidingEffects } from '../claims/effect.js'
import type { Claim, StudyResults } from '../results.js'
import { claimVerdictText, expectedText, measuredText, numberText } from '../study-text.js'

/** The claims at a glance: each, what became of it, and the number that says so. All numbers below, folded. */
export function claimsSection({ claims }: StudyResults): Section {
  return {
    heading: 'The paper’s claims',
    text: ['Numbers with their 95 % confidence intervals, over seeds.'],
    table: {
      columns: [
        { name: 'claim', label: 'Claim' },
        { name: 'verdict', label: 'Verdict', kind: 'verdict' },
        { name: 'number', label: 'Number' },
      ],
      rows: claims.map((claim) => [claim.claim, claimVerdictText(claim.verdict), decidingText(claim)]),
    },
    sections: [
      {
        heading: 'Every number that the verdicts rest on',
        fold: 'closed',
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

/** The number a verdict rests on; where it depends, one that agrees and one that does not: "0.78 (0.70–0.86), elsewhere 1.10 (1.06–1.14) times the variance of IPS". */
function decidingText(claim: Claim): string | null {
  const [first, other] = decidingEffects(claim)
  if (!first) return null
  if (!other) return measuredText(first)
  return first.unit === other.unit
    ? `${numberText(first)}, elsewhere ${measuredText(other)}`
    : `${measuredText(first)}; ${measuredText(other)}`
}
