import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import type { Log } from '../log/log.js'
import { drawLog, repeatRows, withPropensities, withRewards } from '../verdict/example-log.js'
import { checkFindings, copiedRows } from './verdict-findings.js'
import type { Finding } from './finding.js'

const { log, visits } = drawLog({ seed: 2 })
const isClicked = (row: number): boolean => log.reward[row]! > 0
/** Only the first click of a visit counts. */
const firstOnly = ((had: Set<number>): Log =>
  withRewards(log, (row) => {
    if (!isClicked(row) || had.has(visits[row]!)) return 0
    had.add(visits[row]!)
    return 1
  }))(new Set())

const findingOf = async (code: string, faulty: Log): Promise<Finding> => {
  const found = await checkFindings(faulty)
  expect(found.map((one) => one.code)).toContain(code)
  return found.find((one) => one.code === code)!
}

describe('what the checks of a verdict find', () => {
  it('is nothing in a sound log, with propensities or without', async () => {
    expect(await checkFindings(log)).toEqual([])
    const { propensity: _, ...plain } = log
    expect(await checkFindings({ ...plain, propensitySource: 'none' })).toEqual([])
  })

  it('says what was seen, what it does to the answer, and what helps', async () => {
    const found = await findingOf('one-reward-credited', firstOnly)
    expect(found).toMatchObject({
      code: 'one-reward-credited',
      level: 'problem',
      column: 'reward',
      driver: 'visits',
      rows: [],
    })
    expect(found.seen).toMatch(/Repaired, .* the value of a uniform policy would be 0\.\d+ instead of 0\.\d+/)
    expect(found.numbers['shift']).toBeGreaterThan(0)
    expect(worded(found.remedy, asFields)).toBe(
      'Credit every reward to its own impression. The doctor cannot repair it.',
    )
    expect(found.mend).toBeUndefined()
  })

  it('is judged by the mean reward where there are no propensities, or few rows show what a uniform policy would', async () => {
    const { propensity: _, ...plain } = firstOnly
    expect((await findingOf('one-reward-credited', { ...plain, propensitySource: 'none' })).seen).toContain(
      'the mean reward would be',
    )
    const sharp = drawLog({ seed: 2, score: (usual, item) => usual + 1.3 * item })
    const had = new Set<number>()
    const faulty = withRewards(sharp.log, (row) => {
      if (sharp.log.reward[row] === 0 || had.has(sharp.visits[row]!)) return 0
      had.add(sharp.visits[row]!)
      return 1
    })
    expect((await findingOf('one-reward-credited', faulty)).seen).toContain('the mean reward would be')
  })

  it('takes items that cannot always be shown for no problem', async () => {
    const some = drawLog({
      seed: 6,
      score: (usual, item, { user }) => (item < 3 && user % 2 ? -30 : usual),
    })
    const [found] = await checkFindings(some.log)
    expect(found).toMatchObject({ code: 'item-shares', level: 'note' })
  })

  it('leaves out rows that cannot be used, and waits where they are many', async () => {
    const spoiled = (every: number): Log =>
      withPropensities(firstOnly, (row) => (row % every === 0 ? 0 : log.propensity![row]!))
    expect(await findingOf('one-reward-credited', spoiled(20))).toMatchObject({ level: 'problem' })
    expect(await checkFindings(spoiled(5))).toEqual([])
    const broken = new Set(Array.from({ length: log.rows }, (_, row) => row).filter((row) => row % 5 > 0))
    expect(await checkFindings(firstOnly, broken)).toEqual([])
  })

  it('says why no evaluation takes a log', async () => {
    const minute = withRewards(log, (row) => 1e-200 * log.reward[row]!)
    expect(await checkFindings(minute)).toMatchObject([{ code: 'cannot-be-evaluated', level: 'problem' }])
  })
})

describe('copies', () => {
  const twice = repeatRows(log, (row) => isClicked(row) && row % 3 === 0)

  it('are named by their rows, and can be left out', async () => {
    const found = await findingOf('copied-rows', twice)
    expect(found).toMatchObject({ code: 'copied-rows', level: 'problem', mend: { kind: 'copies' } })
    expect(worded(found.remedy, asFields)).toContain('`mendLog`')
    const copies = found.mend?.kind === 'copies' ? found.mend.rows() : []
    expect(copies).toHaveLength(twice.rows - log.rows)
    expect(found.rows).toEqual(Array.from(copies.slice(0, 5)))
  })

  it('are places in the whole log, where some rows cannot be used', async () => {
    const spoiled = withPropensities(twice, (row) => (row < 20 ? 2 : twice.propensity![row]!))
    const found = await findingOf('copied-rows', spoiled)
    const expected = copiedRows(twice).filter((row) => row >= 20)
    expect(found.mend?.kind === 'copies' && [...found.mend.rows()]).toEqual([...expected])
  })

  it('are half of all rows of a log without times that was appended to itself', async () => {
    const { time: _, ...untimed } = drawLog({ seed: 2, users: 20, items: 3 }).log
    const order = Array.from({ length: 2 * untimed.rows }, (_row, row) => row % untimed.rows)
    const column = <Values extends Uint32Array | Float64Array>(values: Values): Values =>
      Object.getPrototypeOf(values).constructor.from(order, (row: number) => values[row])
    const doubled: Log = {
      ...untimed,
      rows: order.length,
      user: column(untimed.user),
      item: column(untimed.item),
      reward: column(untimed.reward),
      propensity: column(untimed.propensity!),
    }
    const found = await findingOf('copied-rows', doubled)
    expect(found).toMatchObject({ code: 'copied-rows', level: 'note' })
    expect([...copiedRows(doubled)]).toEqual(order.slice(untimed.rows).map((row) => row + untimed.rows))
  })
})
