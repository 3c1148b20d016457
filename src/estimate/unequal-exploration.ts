import { counted } from '../number-text.js'
import { exp } from '../portable-math.js'
import type { Evaluation } from './evaluation.js'
import type { Exploration, SumSource } from './source/source.js'
import type { Complaint } from './verdict.js'

/** Policies that spread over so many times as many items as another do not explore equally. */
const UNEQUAL = 1.5

/** How far a policy that follows scores spreads over the items. */
interface Spread extends Pick<Exploration, 'scores' | 'given'> {
  readonly name: string
  /** exp(mean entropy): as if it showed so many items equally often. */
  readonly items: number
  readonly essShare: number
}

/**
 * For each target that follows scores, what speaks against ranking it among others that do: a temperature is in the unit of the
 * scores, and models whose scores differ in scale explore differently at the same one. Two policies are left alone where
 * neither has a temperature that somebody gave: by rank, or matched, they explore as was asked. In the order of the targets.
 */
export async function unequalExploration(
  sources: readonly SumSource[],
  evaluations: readonly Pick<Evaluation, 'target' | 'diagnostics'>[],
): Promise<readonly (Complaint | undefined)[]> {
  const explorations = sources.map(({ exploration }) => exploration)
  const known = explorations.filter((one) => one !== undefined)
  const isSettled =
    new Set(known.map(({ scores }) => scores)).size < 2 || known.every(({ given }) => given === undefined)
  if (isSettled) return sources.map(() => undefined)
  const spreads: (Spread | undefined)[] = []
  for (const [k, one] of explorations.entries()) {
    const { target, diagnostics } = evaluations[k]!
    spreads.push(
      one && {
        name: target,
        scores: one.scores,
        given: one.given,
        items: exp(await one.entropy()),
        essShare: diagnostics.essRatio ?? 0,
      },
    )
  }
  return spreads.map((own) => {
    const others = spreads.flatMap((one) => (one && own && isUnlike(own, one) ? [one] : []))
    const [other] = others.toSorted((a, b) => ratio(own!, b) - ratio(own!, a))
    return own && other && complaintAbout(own, other)
  })
}

const ratio = (a: Spread, b: Spread): number => Math.max(a.items, b.items) / Math.min(a.items, b.items)

const isUnlike = (a: Spread, b: Spread): boolean =>
  a.scores !== b.scores && (a.given !== undefined || b.given !== undefined) && ratio(a, b) > UNEQUAL

function complaintAbout(own: Spread, other: Spread): Complaint {
  const at = own.given !== undefined && own.given === other.given ? `at temperature ${own.given}, ` : ''
  // Between what both reach now.
  const share = Number(Math.sqrt(own.essShare * other.essShare).toPrecision(1))
  const matched = share > 0 && share < 1 ? `@ess=${share}` : '@rank'
  return {
    level: 'caution',
    code: 'unequal-exploration',
    message: `Its exploration differs from that of ${other.name}: ${at}it spreads over about ${itemsText(own)}, ${other.name} over about ${itemsText(other)}. Which of them earns more then also depends on the scale of their scores. To compare them at equal exploration: ${own.scores}${matched} and ${other.scores}${matched}.`,
    value: own.items / other.items,
  }
}

const itemsText = ({ items }: Spread): string => counted(Number(items.toPrecision(2)), 'item')
