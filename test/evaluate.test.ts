import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../src/estimate/comparison.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { comparisonSchema, evaluationSchema } from '../src/schemas/index.js'
import { toyWorld } from '../src/world/toy.js'
import { type Ended, hindcast } from './hindcast.js'

const DATA = process.env['HINDCAST_DATA']
const golden = JSON.parse(
  await readFile(new URL('../src/estimate/estimators/golden.json', import.meta.url), 'utf8'),
)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-evaluate-'))
  await hindcast(['simulate', 'toy', '--seed', '7', '--skew', '2', '--out', 'toy.csv'], { cwd: folder })
})
afterAll(() => rm(folder, { recursive: true }))
const inFolder = (args: string[]): Promise<Ended> => hindcast(args, { cwd: folder })
const evaluationOf = (stdout: string): Evaluation => evaluationSchema.parse(JSON.parse(stdout))
const valueOf = (evaluation: Evaluation, name: string): number =>
  evaluation.estimates.find(({ estimator }) => estimator === name)!.value!

describe('the golden numbers through the command line', () => {
  it.skipIf(!DATA)('Open Bandit, men, uniform target (needs HINDCAST_DATA)', async () => {
    const estimators = ['ips', 'snips', 'clipped-ips:10', 'sub-gaussian-ips:0.1']
    const { stdout } = await inFolder([
      'evaluate',
      join(DATA!, 'obd/bts/men/men.csv'),
      '--format',
      'obd',
      '--target',
      'uniform',
      '--cluster',
      'row',
      '--estimators',
      estimators.join(','),
      '--json',
      '-',
    ])
    const evaluation = evaluationOf(stdout)
    const { expect: expected, n, meanReward } = golden.obdMen
    const close = (actual: number, wanted: number): void =>
      expect(Math.abs(actual / wanted - 1)).toBeLessThan(1e-9)
    close(evaluation.log.rows, n)
    close(evaluation.log.meanReward, meanReward)
    close(valueOf(evaluation, 'ips'), expected.ips)
    close(valueOf(evaluation, 'snips'), expected.snips)
    close(valueOf(evaluation, 'clipped-ips'), expected['clipped-ips(lambda=10)'])
    close(valueOf(evaluation, 'sub-gaussian-ips'), expected['sub-gaussian-ips(lambda=0.1)'])
    close(evaluation.estimates[0]!.se!, expected['se(ips)'])
    close(evaluation.estimates[1]!.se!, expected['se(snips)'])
    close(evaluation.diagnostics.ess!, expected.ess)
    close(evaluation.diagnostics.meanWeight!, expected.meanWeight)
    close(evaluation.diagnostics.maxWeight!, expected.maxWeight)
    // What uniform exposure earned is known: another log of the same days has it.
    const random = await hindcast(['evaluate', join(DATA!, 'obd/random/men/men.csv'), '--format', 'obd', '--target', 'logging', '--json', '-']) // prettier-ignore
    const [low, high] = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!.interval!
    expect(evaluation.verdict.level).toBe('trust')
    expect(low).toBeLessThan(evaluationOf(random.stdout).log.meanReward)
    expect(high).toBeGreaterThan(evaluationOf(random.stdout).log.meanReward)
  })

  it.skipIf(!DATA)(
    'Open Bandit with a constant model in the columns q and v (needs HINDCAST_DATA)',
    async () => {
      const { meanReward, expect: expected } = golden.obdMen
      const [header, ...rows] = (await readFile(join(DATA!, 'obd/bts/men/men.csv'), 'utf8'))
        .trimEnd()
        .split('\n')
      const items = await readFile(join(DATA!, 'obd/bts/men/item_context.csv'), 'utf8')
      await writeFile(join(folder, 'item_context.csv'), items)
      await writeFile(
        join(folder, 'men.csv'),
        [`${header},q,v`, ...rows.map((row) => `${row},${meanReward},${meanReward}`)].join('\n'),
      )
      const estimators = 'dm,dr,sndr,switch-dr:10,dr-os:100,sub-gaussian-dr:0.1'
      const { stdout } = await inFolder([
        'evaluate',
        '--target',
        'uniform',
        'men.csv',
        '--format',
        'obd',
        '--columns',
        'q=q,v=v',
        '--cluster',
        'row',
        '--estimators',
        estimators,
        '--json',
        '-',
      ])
      const evaluation = evaluationOf(stdout)
      for (const [name, key] of [
        ['dm', 'dm(q=const)'],
        ['dr', 'dr(q=const)'],
        ['sndr', 'sndr(q=const)'],
        ['switch-dr', 'switch-dr(lambda=10,q=const)'],
        ['dr-os', 'dr-os(lambda=100,q=const)'],
        ['sub-gaussian-dr', 'sub-gaussian-dr(lambda=0.1,q=const)'],
      ] as const)
        expect(Math.abs(valueOf(evaluation, name) / expected[key] - 1), name).toBeLessThan(1e-9)
    },
  )
})

describe('hindcast evaluate', () => {
  it('answers in words, draws intervals, and stays within 80 columns', async () => {
    const { code, stdout } = await inFolder(['evaluate', '--target', 'uniform', 'toy.csv'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/uniform policy would have earned 0\.\d+ .*interval/s)
    expect(stdout).toContain('●')
    expect(stdout).toMatch(/trust/i)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('writes JSON that matches its schema, the same for the same seed', async () => {
    const args = [
      'evaluate',
      '--target',
      'uniform',
      'toy.csv',
      '--estimators',
      'dm,ips,snips,dr,clipped-ips',
      '--interval',
      'bca',
      '--bootstrap',
      '200',
      '--json',
      '-',
    ]
    const [first, second] = [await inFolder(args), await inFolder(args)]
    expect(first.stdout).toBe(second.stdout)
    expect(evaluationOf(first.stdout).estimates.map(({ method }) => method)).toContain('bca')
  })

  it('takes the probabilities of a target from a column, and clusters from another', async () => {
    const rows = (await readFile(join(folder, 'toy.csv'), 'utf8')).trimEnd().split('\n')
    const wide = rows.map((row, k) => (k === 0 ? `${row},new,page` : `${row},0.005,${k % 300}`))
    await writeFile(join(folder, 'wide.csv'), wide.join('\n'))
    const { stdout } = await inFolder([
      'evaluate',
      'wide.csv',
      '--target',
      'column:new',
      '--cluster',
      'column:page',
      '--estimators',
      'ips,snips,dr',
      '--json',
      '-',
    ])
    const evaluation = evaluationOf(stdout)
    expect(evaluation).toMatchObject({ target: 'column:new', cluster: 'column' })
    expect(evaluation.estimates[2]!.reason).toContain('columns q and v')
    const uniform = evaluationOf(
      (await inFolder(['evaluate', '--target', 'uniform', 'toy.csv', '--estimators', 'snips', '--json', '-']))
        .stdout,
    )
    expect(valueOf(evaluation, 'snips')).toBeCloseTo(valueOf(uniform, 'snips'), 10)
  })

  it('gives the same with the log on disk', async () => {
    const args = [
      'evaluate',
      '--target',
      'uniform',
      'toy.csv',
      '--estimators',
      'ips,snips,clipped-ips',
      '--json',
      '-',
    ]
    const inMemory = evaluationOf((await inFolder(args)).stdout)
    const onDisk = evaluationOf((await inFolder([...args, '--engine', 'duckdb'])).stdout)
    onDisk.estimates.forEach(({ value, se, interval }, k) => {
      expect(value).toBeCloseTo(inMemory.estimates[k]!.value!, 12)
      expect(se).toBeCloseTo(inMemory.estimates[k]!.se!, 12)
      expect(interval![0]).toBeCloseTo(inMemory.estimates[k]!.interval![0], 12)
    })
    expect(onDisk.estimates[2]!.lambda).toEqual(inMemory.estimates[2]!.lambda)
    const said = ({ verdict }: typeof onDisk) => [
      verdict.level,
      ...verdict.reasons.map(({ message }) => message),
    ]
    expect(said(onDisk)).toEqual(said(inMemory))
    expect([inMemory.sums.engine, onDisk.sums.engine]).toEqual(['memory', 'duckdb'])
  })

  it('takes a policy from a table of probabilities', async () => {
    const items = Array.from({ length: 200 }, (_, k) => `${k + 1},0.005`)
    await writeFile(join(folder, 'uniform.csv'), ['item_id,probability', ...items].join('\n'))
    const { stdout, stderr } = await inFolder([
      'evaluate',
      'toy.csv',
      '--target',
      'table:uniform.csv',
      '--catalogue',
      'uniform.csv',
      '--estimators',
      'snips,dr',
      '--json',
      '-',
    ])
    expect(stderr).toBe('')
    const uniform = evaluationOf(
      (
        await inFolder([
          'evaluate',
          '--target',
          'uniform',
          'toy.csv',
          '--catalogue',
          'uniform.csv',
          '--estimators',
          'snips,dr',
          '--json',
          '-',
        ])
      ).stdout,
    )
    const table = evaluationOf(stdout)
    expect(valueOf(table, 'snips')).toBeCloseTo(valueOf(uniform, 'snips'), 10)
    expect(valueOf(table, 'dr')).toBeCloseTo(valueOf(uniform, 'dr'), 10)
  })

  it('writes a report with the verdict and the figures', async () => {
    const { code } = await inFolder(['evaluate', '--target', 'uniform', 'toy.csv', '--report', 'toy.html'])
    expect(code).toBe(0)
    const html = await readFile(join(folder, 'toy.html'), 'utf8')
    expect(html.match(/<figure/g)).toHaveLength(5)
    expect(html).toContain('✔ trust')
  })

  it('writes a report with the slider for Γ also where rewards are amounts', async () => {
    const rows = (await readFile(join(folder, 'toy.csv'), 'utf8')).split('\n')
    const place = rows[0]!.split(',').indexOf('reward')
    const inAmounts = (row: string): string =>
      row
        .split(',')
        .map((cell, column) => (column === place && cell === '1' ? '2.5' : cell))
        .join(',')
    await writeFile(join(folder, 'amounts.csv'), rows.map(inAmounts).join('\n'))
    const typed = ['evaluate', '--target', 'uniform', 'amounts.csv', '--reward-range', '0,2.5']
    const { sensitivity } = evaluationOf((await inFolder([...typed, '--sensitivity', '--json', '-'])).stdout)
    expect(evaluationOf((await inFolder([...typed, '--json', '-'])).stdout).sensitivity).toBeNull()
    await inFolder([...typed, '--report', 'amounts.html', '--json', 'amounts.json'])
    expect(evaluationOf(await readFile(join(folder, 'amounts.json'), 'utf8')).sensitivity).toEqual(
      sensitivity,
    )
    const html = await readFile(join(folder, 'amounts.html'), 'utf8')
    expect(html).toMatch(/id="sensitivity-dial-1" type="range"/)
  })

  it('exits with 1 if the verdict reaches the level of --fail-on', async () => {
    const [header, first, ...rows] = (await readFile(join(folder, 'toy.csv'), 'utf8')).split('\n')
    const place = header!.split(',').indexOf('propensity')
    const rare = first!.split(',').with(place, '1e-7').join(',')
    await writeFile(join(folder, 'rare.csv'), [header, rare, ...rows].join('\n'))
    const codes = async (...words: string[]): Promise<number[]> =>
      Promise.all(
        [[], ['--fail-on', 'caution'], ['--fail-on', 'never']].map(async (failOn) => {
          const { code } = await inFolder(['evaluate', ...words, ...failOn, '--json', '-'])
          return code
        }),
      )
    expect(await codes('toy.csv', '--target', 'uniform')).toEqual([0, 0, 0])
    expect(await codes('toy.csv', '--target', 'uniform', '--strict')).toEqual([0, 1, 0])
    expect(await codes('rare.csv', '--target', 'uniform')).toEqual([1, 1, 0])
  })

  it('asks which policy, and lists those that the log allows, ready to be typed', async () => {
    const { rows, user, item, reward, propensity, userIds, itemIds } = toyWorld({ seed: 1, users: 20 }).draw()
    const lines = Array.from({ length: rows }, (_, row) =>
      [userIds[user[row]!], itemIds[item[row]!], reward[row], propensity![row], propensity![row]! / 2].join(),
    )
    await writeFile(join(folder, 'two.csv'), ['user_id,item_id,reward,propensity,new_p', ...lines].join('\n'))
    for (const command of ['evaluate', 'plan']) {
      const { code, stderr } = await inFolder([command, 'two.csv'])
      expect(code).toBe(2)
      const said = stderr.replaceAll(/\s+/g, ' ')
      expect(said).toContain(`hindcast ${command} needs --target: which policy is asked about?`)
      for (const typed of [
        'uniform (',
        'logging (',
        'popularity@RULE (',
        'column:new_p (',
        'scores:FILE@RULE (',
        'model:DIR@RULE (',
      ])
        // prettier-ignore
        expect(said).toContain(typed)
      expect(said).not.toContain('column:propensity')
    }
    const { stderr } = await inFolder(['compare', 'two.csv'])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('column:new_p (')
  })

  it.each([
    [['evaluate', 'toy.csv', '--target', 'best'], 'Choose one of: uniform'],
    [['evaluate', 'toy.csv', '--target', 'column:nothing'], 'no column "nothing"'],
    [['evaluate', '--target', 'uniform', 'toy.csv', '--estimators', 'snisp'], 'Did you mean snips?'],
    [['evaluate', '--target', 'uniform', 'toy.csv', '--cluster', 'page'], 'user+day'],
    [['evaluate', '--target', 'uniform', 'toy.csv', '--interval', 'guess'], 'logit-t'],
    [['evaluate', '--target', 'uniform', 'toy.csv', '--confidence', '95'], 'between 0.5 and 1'],
    [['evaluate', '--target', 'uniform', 'toy.csv', '--fail-on', 'trust'], 'refuse, caution, never'],
    [['compare', 'toy.csv'], '--targets logging uniform'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await inFolder(args)
    expect(stderr).toContain(says)
    expect(code).toBe(2)
  })
})

describe('hindcast compare', () => {
  it('gives paired differences, in words and as JSON', async () => {
    const { stdout } = await inFolder(['compare', 'toy.csv', '--targets', 'logging,uniform', '--json', '-'])
    const comparison: Comparison = comparisonSchema.parse(JSON.parse(stdout))
    expect(comparison).toMatchObject({ baseline: 'logging', estimator: 'snips' })
    const [difference] = comparison.differences
    expect(difference!.interval![0]).toBeLessThan(difference!.difference!)
    const text = await inFolder([
      'compare',
      'toy.csv',
      '--targets',
      'logging',
      'uniform',
      '--report',
      'compare.html',
    ])
    expect(text.stdout).toContain('uniform')
    for (const line of text.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(await readFile(join(folder, 'compare.html'), 'utf8')).toContain('<svg')
  })

  it('says once what is worth knowing of the log, though it is read for each policy', async () => {
    const toy = await readFile(join(folder, 'toy.csv'), 'utf8')
    await writeFile(join(folder, 'comma.csv'), toy.replaceAll(',', ';').replaceAll('.', ','))
    const { stderr } = await inFolder(['compare', 'comma.csv', '--targets', 'logging,uniform'])
    expect(stderr.match(/is written with decimal commas/g)).toHaveLength(1)
  })

  it('says what to do, and how often that errs', async () => {
    const args = ['compare', 'toy.csv', '--targets', 'logging', 'uniform', 'popularity@softmax=1']
    const { stdout } = await inFolder([...args, '--json', '-'])
    const { choice, decision } = comparisonSchema.parse(JSON.parse(stdout))
    expect(choice!.errors.wrongIfNoneIsBetter).toBeLessThanOrEqual(0.05)
    expect(decision.action).toBe('undecided')
    const text = await inFolder(args)
    expect(text.stdout).toMatch(/^toy\.csv\nUndecided: popularity@softmax=1 earns between /)
    expect(text.stdout).toContain('If no policy were better than the logging policy')
    for (const line of text.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
