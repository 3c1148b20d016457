import { describe, expect, it } from 'vitest'
import { diagnose } from '../src/doctor/diagnose.js'
import type { Diagnosis } from '../src/doctor/finding.js'
import { evaluate } from '../src/estimate/evaluate.js'
import type { VerdictLevel } from '../src/estimate/evaluation.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { joinFaults } from '../src/log/join/join-faults.js'
import type { JoinOptions } from '../src/log/join/join-options.js'
import { readLog } from '../src/read/read-log.js'
import { FAULTS, type Files, files, HOUR, numbered, wait, world } from './join-planted.js'
import { csvOf, isoTime, joinWorld, shownTable } from './join-world.js'

const parts = ({
  shown,
  clicks,
}: Files): { decisions: ReturnType<typeof input>; outcomes: ReturnType<typeof input> } => ({
  decisions: input('shown.csv', shown),
  outcomes: input('clicks.csv', clicks),
})
const input = (name: string, text: string): ReturnType<typeof bytesInput> =>
  bytesInput(name, new TextEncoder().encode(text))

async function examined(planted: Files, join: JoinOptions = {}): Promise<Diagnosis> {
  return diagnose(await readLog(parts(planted), { join, onBadRow: 'keep' }))
}

async function verdictOf(
  planted: Files,
  join: JoinOptions = {},
): Promise<{ level: VerdictLevel; codes: string[] }> {
  const { log } = await readLog(parts(planted), { join })
  const { evaluation } = await evaluate(log, {
    target: { kind: 'uniform' },
    estimators: ['snips'],
    bootstrap: 100,
  })
  const { level, reasons } = evaluation.verdict
  return { level, codes: reasons.map(({ code }) => code) }
}

const severity: readonly VerdictLevel[] = ['trust', 'caution', 'refuse']

describe('of eleven faults planted in a join', () => {
  it('a sound log has none, and is trusted', async () => {
    for (const options of [{}, { wait }]) {
      const { clean, findings } = await examined(files(world), options)
      expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
      expect(clean).toBe(true)
      expect((await verdictOf(files(world), options)).level).toBe('trust')
    }
  })

  it('no sound log has any, whatever the seed', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { log } = await readLog(parts(files(joinWorld(seed, 1000))), { join: { wait } })
      expect(joinFaults(log.join!).filter(({ level }) => level !== 'note')).toEqual([])
    }
  })

  it.each(FAULTS)('$name is found as $code', async ({ code, level, plant, options }) => {
    const planted = plant(world)
    const { findings } = await examined(planted, options)
    const found = findings.find((finding) => finding.code === code)
    expect(findings.map((finding) => finding.code)).toContain(code)
    expect(found?.level).toBe('problem')
    const verdict = await verdictOf(planted, options)
    expect(verdict.codes).toContain(code)
    expect(severity.indexOf(verdict.level)).toBeGreaterThanOrEqual(severity.indexOf(level))
  })

  it('times that are hours ahead are found without a wait too', async () => {
    const ahead = world.clicks.map((click) => ({ ...click, time: click.time + 5.5 * HOUR }))
    const { findings } = await examined(files({ ...world, clicks: ahead }))
    expect(findings.map(({ code, numbers }) => [code, numbers['hours']])).toContainEqual([
      'time-zones-differ',
      5.5,
    ])
  })

  it('names the lines of the outcomes', async () => {
    const clicks = world.clicks.map((click, k) =>
      k === 3 || k === 8 ? { ...click, of: `${click.of}-lost` } : click,
    )
    const { findings } = await examined(files({ ...world, clicks }))
    const found = findings.find(({ code }) => code === 'orphan-outcomes')
    expect(found).toMatchObject({ level: 'note', lines: [5, 10], file: 'clicks.csv' })
  })

  it('ids that are written differently are joined loosely', async () => {
    const { log: sound } = await readLog(parts(files(world)))
    const planted = numbered(world, (number) => `${number}.0`)
    const { log } = await readLog(parts(files(planted)), { join: { matchIds: 'loose' } })
    expect(log.reward).toEqual(sound.reward)
    expect((await verdictOf(files(planted), { matchIds: 'loose' })).level).toBe('trust')
  })

  it('decisions with the same id are a problem, unless the item tells them apart', async () => {
    const pages = world.shown.map((one, k) => ({
      ...one,
      id: world.shown[k - (k % 2)]!.id,
      item: `${one.item}-${k % 2}`,
    }))
    const itemOf = new Map(world.shown.map(({ id }, k) => [id, k]))
    const clicks = csvOf(
      world.clicks.map(({ of, time }) => ({
        impression_id: pages[itemOf.get(of)!]!.id,
        item: pages[itemOf.get(of)!]!.item,
        clicked_at: isoTime(time),
      })),
    )
    const planted = { shown: shownTable(pages), clicks }
    const { findings } = await examined(planted)
    expect(findings.find(({ code }) => code === 'repeated-decisions')).toMatchObject({ level: 'problem' })
    expect((await verdictOf(planted)).level).toBe('refuse')
    const { log } = await readLog(parts(planted), { join: { outcomeColumns: { item: 'item' } } })
    const { log: sound } = await readLog(parts(files(world)))
    expect(log.reward).toEqual(sound.reward)
    expect(log.join!.repeated.count).toBe(0)
  })
})
