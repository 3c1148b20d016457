import { listed } from '../../listed.js'
import { counted, formatCount, formatShare } from '../../number-text.js'
import type { JoinFacts } from './join-facts.js'

/** What became of the outcomes, in a sentence or two. */
export function joinText(facts: JoinFacts): string {
  const { outcomes, decisions, joined, late, copies, orphans, early, unreadable, wait, file } = facts
  const leftOut = [
    [late.count, 'late'],
    [copies.count, copies.count === 1 ? 'duplicate' : 'duplicates'],
    [orphans.count, 'without a decision in the log'],
    [wait === undefined ? 0 : early.count, 'before the decision'],
    [unreadable.count, 'that cannot be read'],
  ] as const
  const said = leftOut.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`)
  const kept =
    wait === undefined && early.count > 0 ? ` ${formatCount(early.count)} came before the decision.` : ''
  const share = decisions === 0 ? 0 : joined / decisions
  return `Joined ${counted(outcomes, 'outcome')} of ${file} to ${counted(decisions, 'decision')}: ${formatShare(share)} of decisions have one.${
    said.length > 0 ? ` Left out: ${listed(said, 'and')}.` : ''
  }${kept}`
}
