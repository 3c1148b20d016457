import type { Section } from 'hindcast/report'
import type { Claim } from '../results.js'
import { claimVerdictText } from '../study-text.js'

/** The claims that a section answers, a paragraph each; it stands open where it answers any. */
export function answering(
  claims: readonly Claim[],
  ids: readonly string[],
): { readonly text: readonly string[]; readonly fold: NonNullable<Section['fold']> } {
  const answered = claims.filter(({ id }) => ids.includes(id))
  return {
    text: answered.map(({ claim, verdict, explanation, holdsWhen }) =>
      [`**${claim.replace(/\.$/, '')}: ${claimVerdictText(verdict)}.**`, explanation, holdsWhen]
        .filter(Boolean)
        .join(' '),
    ),
    fold: answered.length > 0 ? 'open' : 'closed',
  }
}
