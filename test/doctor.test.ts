import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../src/doctor/finding.js'
import { diagnosisSchema } from '../src/schemas/index.js'
import { hindcast, logs } from './hindcast.js'

/** Each log of test/logs/doctor has one mistake, is named after its finding, and shows it on these lines. */
const CASES: Record<string, { code: 0 | 1; lines: number[]; args?: string[] }> = {
  'column-mapped-twice': {
    code: 1,
    lines: [],
    args: ['--columns', 'user=user_id,item=item_id,reward=reward,propensity=propensity,target=propensity'],
  },
  'copied-rows': { code: 1, lines: [] },
  'decimal-commas': { code: 0, lines: [] },
  'few-rows': { code: 0, lines: [] },
  'ids-are-row-numbers': { code: 1, lines: [2, 3, 4, 5, 6] },
  'inverse-propensities': { code: 1, lines: [2, 3, 4, 5, 6] },
  'kept-for-rewards': { code: 1, lines: [] },
  'log-probabilities': { code: 1, lines: [2, 3, 4, 5, 6] },
  'missing-ids': { code: 1, lines: [9] },
  'no-propensities': { code: 1, lines: [] },
  'one-item': { code: 0, lines: [] },
  'one-reward-credited': { code: 1, lines: [] },
  'one-user': { code: 0, lines: [] },
  'percent-signs': { code: 0, lines: [] },
  percentages: { code: 1, lines: [2, 3, 4, 5, 6] },
  'position-outside-range': { code: 1, lines: [7] },
  'propensity-constant': { code: 1, lines: [3, 4, 5, 8, 9] },
  'propensity-outside-range': { code: 1, lines: [4, 102] },
  'propensity-tiny': { code: 1, lines: [8] },
  'reward-unreadable': { code: 1, lines: [6] },
  'rewards-are-costs': { code: 1, lines: [] },
  'rewards-constant': { code: 1, lines: [2] },
  'rewards-joined-widely': { code: 1, lines: [] },
  'rewards-outside-range': { code: 0, lines: [] },
  'target-outside-range': { code: 1, lines: [8] },
  'target-sum': { code: 1, lines: [] },
  'timestamps-out-of-order': { code: 1, lines: [11] },
  'unreadable-rows': { code: 1, lines: [481] },
  'unreadable-values': { code: 1, lines: [5] },
  'user-per-row': { code: 0, lines: [] },
}

const pathOf = (name: string): string => join(logs, 'doctor', `${name}.csv`)

describe('hindcast doctor', () => {
  it('has a broken log for every finding', async () => {
    expect((await readdir(join(logs, 'doctor'))).toSorted()).toEqual(
      [...Object.keys(CASES), 'sound'].map((name) => `${name}.csv`).toSorted(),
    )
  })

  it.each(Object.entries(CASES))(
    'finds %s, on the right lines and with the right exit code',
    async (name, { code, lines, args = [] }) => {
      const ended = await hindcast(['doctor', pathOf(name), ...args, '--json', '-'])
      const diagnosis: Diagnosis = diagnosisSchema.parse(JSON.parse(ended.stdout))
      const finding = diagnosis.findings.find((candidate) => candidate.code === name)!
      expect(finding, ended.stdout).toBeDefined()
      expect(finding.level).toBe(code === 1 ? 'problem' : 'note')
      expect(finding.lines).toEqual(expect.arrayContaining(lines))
      if (lines.length > 0 && lines.length < 5) expect(finding.lines).toEqual(lines)
      for (const words of [finding.seen, finding.why, finding.remedy])
        expect(words.length).toBeGreaterThan(10)
      expect(ended.code).toBe(code)
      const problems = diagnosis.findings.filter(({ level }) => level === 'problem')
      expect(problems.map((problem) => problem.code)).toEqual(code === 1 ? [name] : [])
    },
  )

  it('mends what needs no judgement, loses nothing, and never writes onto the log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hindcast-mend-'))
    const log = join(folder, 'log.csv')
    const lines = (await readFile(pathOf('percentages'), 'utf8')).trimEnd().split('\n')
    const shop = lines.map((line, k) => `${line},${k === 0 ? 'shop' : `s${k % 3}`}`)
    await writeFile(log, `${[...shop, 'u,7,n/a,4.2,s9'].join('\n')}\n`)
    const before = await readFile(log, 'utf8')

    const onto = await hindcast(['doctor', log, '--fix', '--out', log])
    expect([onto.code, onto.stderr]).toEqual([2, expect.stringContaining('would replace')])
    expect(await readFile(log, 'utf8')).toBe(before)

    const out = join(folder, 'mended.csv')
    const mended = await hindcast(['doctor', log, '--fix', '--out', out])
    expect(mended.code, mended.stderr).toBe(0)
    expect(mended.stdout).toContain('Computed propensity as propensity / 100.')
    const written = (await readFile(out, 'utf8')).trimEnd().split('\n')
    expect(written[0]).toBe('user_id,item_id,reward,propensity,propensity_before,shop')
    const leftOut = await readFile(join(folder, 'mended.left-out.csv'), 'utf8')
    expect(written.length - 1 + leftOut.trimEnd().split('\n').length - 1).toBe(shop.length)
    expect(leftOut).toContain('u,7,n/a,4.2,s9')
    expect((await hindcast(['doctor', out])).code).toBe(0)
    await rm(folder, { recursive: true })
  })

  it('finds nothing wrong with a sound log', async () => {
    const { code, stdout } = await hindcast(['doctor', pathOf('sound')])
    expect(code).toBe(0)
    expect(stdout).toContain('no problems found in 480 rows')
  })

  it('shows what was seen, where, why it matters and what to do, in 80 columns', async () => {
    const { code, stdout } = await hindcast(['doctor', pathOf('percentages')])
    expect(code).toBe(1)
    expect(stdout).toMatch(/✘ problem {2}percentages, column propensity/)
    for (const label of ['seen', 'where', 'why', 'do'])
      expect(stdout).toMatch(new RegExp(`^  ${label} `, 'm'))
    // The path of the file may be longer.
    for (const line of stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80)
  })
})
