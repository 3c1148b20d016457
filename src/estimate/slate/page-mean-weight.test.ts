import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { fixedPolicy } from '../../policy/probabilities.js'
import { randomStream } from '../../random/stream.js'
import { compare } from '../compare.js'
import { evaluate } from '../evaluate.js'
import type { Evaluation } from '../evaluation.js'
import type { Target } from '../target.js'
import { drawPage, logOf, type LoggedPage } from './example-pages.js'

/** A logger and a target that each show some of six items more than others. */
const LOGGED = [3, 2, 2, 1, 1, 1]
const WANTED = [1, 1, 2, 2, 3, 3]
const target: Target = {
  kind: 'policy',
  policy: fixedPolicy('wanted', WANTED),
}

/** Pages of three slots, five of each user; the propensities of slot k are multiplied by `wrong[k]`. */
function pages(wrong: readonly number[] = [1, 1, 1]): Log {
  const random = randomStream(8, 'page')
  const drawn = Array.from({ length: 3000 }, (_, page): LoggedPage => {
    const { items, conditional } = drawPage(LOGGED, 3, random)
    return {
      items,
      propensity: conditional.map((b, k) => b * wrong[k]!),
      reward: items.map((item) => (random.uniform() < 0.1 + 0.05 * item ? 1 : 0)),
      user: Math.floor(page / 5),
    }
  })
  const { weight: _, ...log } = logOf(drawn, LOGGED.length)
  return log
}

async function evaluated(log: Log): Promise<(name: string) => Evaluation['estimates'][number]> {
  const { evaluation } = await evaluate(log, {
    target,
    estimators: ['snips', 'rips', 'snrips'],
    said: { policyMade: 'elsewhere' },
  })
  return (name) => evaluation.estimates.find(({ estimator }) => estimator === name)!
}

const meanWeight = ({ verdict }: Evaluation['estimates'][number]): string | undefined =>
  verdict.reasons.find(({ code }) => code === 'mean-weight')?.message

describe('the mean weight in a log of pages with propensities given the items above', () => {
  it('is that of pages for estimators of pages, and 1 where the propensities are right', async () => {
    const of = await evaluated(pages())
    expect(of('rips').verdict).toMatchObject({ level: 'trust', reasons: [] })
    expect(of('snrips').verdict).toMatchObject({ level: 'trust', reasons: [] })
  })

  it('is that of rows for others, which is less than 1', async () => {
    const of = await evaluated(pages())
    expect(meanWeight(of('snips'))).toMatch(/^The weights average 0\.\d+ instead of 1: /)
    expect(of('snips').verdict.reasons[0]!.code).toBe('rows-of-pages')
  })

  it('tells wrong propensities by the first slots, or by whole pages', async () => {
    const above = await evaluated(pages([0.92, 1, 1]))
    expect(meanWeight(above('rips'))).toMatch(/^The weights of first slots average 1\.\d+ instead of 1: /)
    expect(above('rips').verdict.means).toBe('do-not-believe')
    const below = await evaluated(pages([1, 0.9, 0.9]))
    expect(meanWeight(below('rips'))).toMatch(/^The weights of pages average 1\.2\d? instead of 1: /)
    expect(below('rips').verdict.means).toBe('do-not-believe')
    // A factor of all pages, which SN-RIPS divides by.
    const sound = (await evaluated(pages()))('snrips')
    for (const of of [above, below]) {
      expect(of('snrips').value).toBeCloseTo(sound.value!, 12)
      expect(of('snrips').verdict).toMatchObject({ level: 'trust', reasons: [{ level: 'note' }] })
    }
  })
})

it('what wrong propensities do to a difference is said per page, as the difference is', async () => {
  const log = pages()
  const propensity = log.propensity!.map((b, row) => (log.item[row] === 5 ? b / 2 : b))
  const said = { policyMade: 'elsewhere' } as const
  const targets = [{ target: { kind: 'logging' } as const }, { target }]
  const { estimator, differences } = await compare({ ...log, propensity }, { said, targets })
  expect(estimator).toBe('snrips')
  const { evaluation } = await evaluate({ ...log, propensity }, { target, said, estimators: ['snrips'] })
  const [shares] = evaluation.verdict.reasons
  expect(shares).toMatchObject({ code: 'item-shares' })
  // The value of the logging policy needs no propensities.
  expect(differences[0]!.verdict.reasons[0]!).toMatchObject({ code: 'item-shares', shift: shares!.shift })
})
