import { expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import {
  DAY,
  type DrawnRow,
  drawLog,
  findFault,
  type FaultFound,
  HOUR,
  judgeLog,
  type World,
  withPropensities,
} from '../example-log.js'

/** The log with each item's share among the rows of its group as its propensity. */
function averaged(log: Log, groupOf: (row: number) => number = () => 0): Log {
  const [shown, all] = [new Map<string, number>(), new Map<number, number>()]
  const count = <Key>(counts: Map<Key, number>, key: Key): void =>
    void counts.set(key, (counts.get(key) ?? 0) + 1)
  for (let row = 0; row < log.rows; row++) {
    count(shown, `${groupOf(row)} ${log.item[row]}`)
    count(all, groupOf(row))
  }
  return withPropensities(
    log,
    (row) => shown.get(`${groupOf(row)} ${log.item[row]}`)! / all.get(groupOf(row))!,
  )
}

/** What is found where averages are logged for a policy that changes, and rewards change with it. */
const ofAverages = (world: Partial<World>): Promise<FaultFound | undefined> => {
  const { log } = drawLog({ seed: 6, rows: 20_000, ...world })
  return findFault('item-shares', log, averaged(log))
}

function expectRepaired(found: FaultFound | undefined, driver = /./): void {
  expect(found?.reason.driver).toMatch(driver)
  expect(found?.level).toMatch(/caution|refuse/)
  expect(Math.abs(found!.left)).toBeLessThan(0.4 * Math.abs(found!.off))
}

it('finds items that were shown more often than their propensities say', async () => {
  const { log } = drawLog({ seed: 6 })
  const flat = log.propensity!.map((b) => Math.sqrt(b))
  const sum = flat.reduce((all, b) => all + b, 0) / log.rows
  const found = await findFault(
    'item-shares',
    log,
    withPropensities(log, (row) => Math.min(1, (flat[row]! * 0.1) / sum)),
  )
  expectRepaired(found)
  expect(found!.reason.driver).toMatch(/^item \d+$/)
})

it('finds one propensity for all items of a policy that is not uniform', async () => {
  const { log } = drawLog({ seed: 6 })
  expectRepaired(
    await findFault(
      'item-shares',
      log,
      withPropensities(log, () => 1 / 12),
    ),
  )
})

it('takes items that are not there for every row for candidates, unless weights do not average 1', async () => {
  const { log } = drawLog({ seed: 6, score: (usual, item, { user }) => (item < 3 && user % 2 ? -30 : usual) })
  const found = (await judgeLog(log)).reasons.find(({ code }) => code === 'item-shares')
  expect(found).toMatchObject({ level: 'caution' })
  expect(found!.message).toContain('no fault')
  const none = withPropensities(drawLog({ seed: 6 }).log, () => 1)
  expect((await judgeLog(none)).reasons[0]).toMatchObject({ code: 'item-shares', level: 'caution' })
})

/** Items that are shown more, and clicked more, at one time or place than at another. */
const following = (isOn: (row: Pick<DrawnRow, 'time' | 'position'>) => boolean): Partial<World> => {
  const sign = (item: number, row: Pick<DrawnRow, 'time' | 'position'>): number =>
    (item % 2 === 0) === isOn(row) ? 1 : -1
  return {
    score: (usual, item, row) => usual + 0.8 * sign(item, row),
    chance: (usual, row) => usual * (1 + 0.6 * sign(row.item, row)),
  }
}

it('finds averages of a policy that changed', async () => {
  const half = 1.76e12 + 7 * DAY
  expectRepaired(await ofAverages(following(({ time }) => time < half)), /eighth of the time$/)
})

it('finds averages of a policy that differs by hour', async () => {
  expectRepaired(
    await ofAverages(following(({ time }) => Math.floor(time / HOUR) % 24 >= 12)),
    /hours \d+–\d+$/,
  )
})

it('finds averages of a policy that differs by position', async () => {
  const world = { pages: true, ...following(({ position }) => position === 1) }
  expectRepaired(await ofAverages(world), /position \d$/)
})

it('finds averages of a policy that follows clicks', async () => {
  expectRepaired(
    await ofAverages({
      users: 200,
      score: (usual, item, { before }) => (before && before.reward > 0 ? item / 4 : usual - item / 4),
      chance: (usual, { user, before }) =>
        (user % 2 ? 1.6 : 0.4) * usual * (before && before.reward > 0 ? 1.3 : 1),
    }),
    /rows/,
  )
})

it('finds weights that do not average 1 in a part of the time', async () => {
  const { log, target } = drawLog({
    seed: 6,
    rows: 20_000,
    chance: (usual, { time }) => (time < 1.76e12 + 7 * DAY ? 1.5 * usual : 0.5 * usual),
  })
  const start = log.time![Math.floor(0.5 * log.rows)]!
  const sound = { ...log, target }
  const found = await findFault(
    'weights-over-time',
    sound,
    { ...sound, target: target.map((p, row) => (log.time![row]! < start ? p / 2 : p)) },
    { kind: 'column', name: 'target' },
  )
  expectRepaired(found)
})

it('finds propensities that were computed once the reward was known', async () => {
  const { log } = drawLog({ seed: 6, users: 200 })
  const raised = (b: number): number => (1.6 * b) / (1 - b + 1.6 * b)
  const faulty = withPropensities(log, (row) =>
    log.reward[row]! > 0 ? raised(log.propensity![row]!) : log.propensity![row]!,
  )
  const found = await findFault('propensities-know-rewards', log, faulty)
  expect(found!.reason).toMatchObject({ driver: 'rows with a reward', value: 0 })
  expect(Math.abs(found!.left)).toBeLessThan(0.05 * Math.abs(found!.off))
})
