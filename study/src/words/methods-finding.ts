import { formatTick, listed } from 'hindcast'
import { mayBeEqual, type SeedMean } from 'hindcast/figures'
import type { MethodComparisonInput } from '../figures/method-comparison.js'

type Measure = (point: MethodComparisonInput['methods'][number]['points'][number]) => SeedMean

/** Which method is best at which temperatures, by true value and by NDCG. */
export function methodsFinding(input: MethodComparisonInput): string {
  const inTruth = winnersText(input, ({ truth }) => truth)
  const byRanking = winnersText(input, ({ uniformNdcg }) => uniformNdcg)
  return inTruth === byRanking
    ? `By true value and by NDCG under uniform exposure, ${inTruth}`
    : `By true value, ${inTruth}; by NDCG under uniform exposure, ${byRanking}`
}

/** Who is best at which temperatures: "A is best at 0.5 and 1, B at 2". A lead within the intervals is said. */
function winnersText({ methods }: MethodComparisonInput, measure: Measure): string {
  const temperatures = [
    ...new Set(methods.flatMap(({ points }) => points.map(({ temperature }) => temperature))),
  ].sort((a, b) => a - b)
  const wins = new Map<string, string[]>()
  let isClose = false
  for (const temperature of temperatures) {
    const [best, next] = methods
      .flatMap(({ label, points }) => {
        const point = points.find((each) => each.temperature === temperature)
        return point && measure(point).mean !== null ? [{ label, value: measure(point) }] : []
      })
      .toSorted((a, b) => b.value.mean! - a.value.mean!)
    if (!best) continue
    wins.set(best.label, [...(wins.get(best.label) ?? []), formatTick(temperature)])
    isClose ||= next !== undefined && mayBeEqual(best.value, next.value)
  }
  const texts = [...wins].map(([label, at], k) =>
    wins.size === 1 && at.length > 1
      ? `${label} is best at every temperature`
      : `${label}${k === 0 ? ' is best' : ''} at ${k === 0 ? 'temperature ' : ''}${listed(at)}`,
  )
  if (texts.length === 0) return 'no method has a value'
  return `${texts.join(', ')}${isClose ? ', though not always clearly' : ''}`
}
