import { above, effectOver } from './effect.js'
import { pairedDifference } from '../statistics/over-seeds.js'
import type { ClaimEffect, MethodsResults, MethodSummary, OverSeeds, StudyMethod } from '../results.js'

/** The unit of the value of a policy. */
export const VALUE = 'clicks per impression'

/** One method minus another, at every temperature, the strongest bias first. */
export function differences(
  methods: MethodsResults | null,
  [first, second]: readonly [StudyMethod, StudyMethod],
  of: (summary: MethodSummary) => OverSeeds,
  unit: string,
  what: string,
): ClaimEffect[] {
  return (methods?.temperatures ?? []).flatMap((temperature) => {
    const own = summaryAt(methods, first, temperature)
    const other = summaryAt(methods, second, temperature)
    if (!own || !other) return []
    const label = `${what}, temperature ${temperature}`
    return [effectOver(label, pairedDifference(of(own), of(other)), unit, above(0))]
  })
}

const summaryAt = (
  methods: MethodsResults | null,
  method: StudyMethod,
  temperature: number,
): MethodSummary | undefined =>
  methods?.summaries.find((summary) => summary.method === method && summary.temperature === temperature)
