import { sameMoments } from '../src/estimate/source/as-in-memory.js'
import type { Moments } from '../src/estimate/source/moments.js'
import { type SumSource, isLacking } from '../src/estimate/source/source.js'
import { type Term, one, reward, weight, weightSquared, weightedReward } from '../src/estimate/term.js'
import { askSums } from '../src/estimate/source/example-asks.js'

const TERMS: readonly Term[] = [one, reward, weight, weightSquared, weightedReward]

/** How the groups of users, of days and of the cells of both came about in a source; throws where their sums are not those of memory. */
export async function sameByWays(source: SumSource, memory: SumSource): Promise<string[]> {
  const byWays = async (of: SumSource): Promise<Moments[]> => {
    const found = await askSums(of, TERMS, ['user', 'day'])
    if (isLacking(found)) throw new Error(found.lacking)
    return [found, ...found.crossed.map(({ moments }) => moments)]
  }
  const [found, expected] = [await byWays(source), await byWays(memory)]
  found.forEach((moments, k) => sameMoments(moments, expected[k]!, TERMS))
  return found.map(({ by }) => by)
}
