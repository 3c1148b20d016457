import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trainingSchema, tuningSchema } from '../src/schemas/index.js'
import type { Tuning } from '../src/train/index.js'
import { type Ended, hindcast, program } from './hindcast.js'

let folder: string
let first: Ended
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-tune-'))
  await run('simulate tastes --users 150 --items 60 --exposures 40 --seed 2 --out tastes.csv')
  first = await run(`tune tastes.csv --out whole ${CHOICES}`)
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

const CHOICES =
  '--model lightgcn,mf --loss ips-bpr,ips-softmax --lr 0.005,0.02 --dim 8,16 --drawn 16 --trials 6 --epochs 3 --batch 64 --k 5 --no-baselines'
const run = (line: string): Promise<Ended> => hindcast(line.split(' '), { cwd: folder })
const embeddings = (name: string): Promise<Buffer> => readFile(join(folder, name, 'embeddings.safetensors'))
const tuningIn = async (name: string): Promise<Tuning> =>
  tuningSchema.parse(JSON.parse(await readFile(join(folder, name, 'tuning.json'), 'utf8')))

/** All but the time it took. */
const timeless = (tuning: Tuning): unknown =>
  JSON.parse(JSON.stringify(tuning, (key, value: unknown) => (key === 'seconds' ? 0 : value)))

/** Starts the tuning and ends it with a signal once so many trials are done. */
async function endAfter(trials: number, out: string, signal: 'SIGKILL' | 'SIGINT'): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [program, 'tune', 'tastes.csv', '--out', out, ...CHOICES.split(' ')],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  for (;;) {
    const text = await readFile(join(folder, out, 'tuning.json'), 'utf8').catch(() => '')
    if (text.split('"stopped"').length > trials || child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill(signal)
  return ended
}

describe('hindcast tune', () => {
  it('says what it does, which settings are best, and how they are repeated', async () => {
    const { code, stdout, stderr } = first
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Tuning by unbiased NDCG@5 on the validation part: the defaults, 6 trials for 19 steps, the best 2 for 57.',
    )
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('On the test clicks, on which no choice was based')
    expect(stdout).toContain('The best trials')
    expect(await readdir(join(folder, 'whole'))).toEqual([
      'checkpoints',
      'embeddings.safetensors',
      'epochs.ndjson',
      'model.json',
      'report.html',
      'training.json',
      'tuning.html',
      'tuning.json',
    ])
    const { best, trials } = await tuningIn('whole')
    const training = trainingSchema.parse(
      JSON.parse(await readFile(join(folder, 'whole', 'training.json'), 'utf8')),
    )
    expect(training.settings).toEqual(trials[best!]!.settings)
    expect(training.best.value).toBe(trials[best!]!.reached.at(-1)!.value)
  })

  it('gives the command that trains the same bits', async () => {
    const [, command] = /^ {2}hindcast (train .+)$/m.exec(first.stdout)!
    expect((await run(command!)).code).toBe(0)
    expect(await embeddings('again')).toEqual(await embeddings('whole'))
  })

  it.each([2, 8])('killed after %i trials and resumed, it ends with the same bits', async (trials) => {
    const out = `killed-${trials}`
    await endAfter(trials, out, 'SIGKILL')
    const { code } = await run(`tune tastes.csv --out ${out} ${CHOICES} --resume`)
    expect(code).toBe(0)
    expect(await embeddings(out)).toEqual(await embeddings('whole'))
    expect(timeless(await tuningIn(out))).toEqual(timeless(await tuningIn('whole')))
  })

  it('may choose a model that is solved, and gives the command for that', async () => {
    const choices = '--model ials,lightgcn --lr 0.00001 --dim 4 --trials 1 --epochs 1 --k 5 --no-baselines'
    const { code, stdout } = await run(`tune tastes.csv --out solved ${choices}`)
    expect(code).toBe(0)
    const [, command] = /^ {2}hindcast (train .+)$/m.exec(stdout)!
    expect(command).toContain('--model ials')
    expect(await run(command!.replace('again', 'solved-again'))).toMatchObject({ code: 0 })
    expect(await embeddings('solved-again')).toEqual(await embeddings('solved'))
  })

  it('stops on Ctrl-C, says how to continue, and can be resumed once it is complete', async () => {
    expect(await endAfter(2, 'stopped', 'SIGINT')).toBe(130)
    await run(`tune tastes.csv --out stopped ${CHOICES} --resume`)
    const again = await run(`tune tastes.csv --out stopped ${CHOICES} --resume`)
    expect(again.stdout).toBe(first.stdout)
    expect(await embeddings('stopped')).toEqual(await embeddings('whole'))
  })

  it('refuses to overwrite a run, to resume with other choices, and to mistake a training for a tuning', async () => {
    const over = await run(`tune tastes.csv --out whole ${CHOICES}`)
    expect(over).toMatchObject({ code: 2 })
    expect(over.stderr).toContain('--resume')
    const other = await run(`tune tastes.csv --out whole ${CHOICES} --seed 5 --resume`)
    expect(other.stderr).toContain('begun with other choices')
    await run('train tastes.csv --out trained --epochs 1 --dim 4 --no-baselines')
    const mistaken = await run(`tune tastes.csv --out trained ${CHOICES} --resume`)
    expect(mistaken.stderr).toContain('holds a training run, not a tuning')
  })

  it('learns a policy by what it surely earns, with its certificate from the test part', async () => {
    const { stdout, code } = await run(
      'tune tastes.csv --out policy --objective ips,log-smoothing:0.1 --trials 3 --epochs 3 --dim 8 --json -',
    )
    const tuning = tuningSchema.parse(JSON.parse(stdout))
    expect(tuning.by).toBe('lower-bound')
    expect(code).toBe(tuning.best === null ? 1 : 0)
    if (tuning.best !== null) expect(tuning.test!.best.certificate).toBeDefined()
  })

  it.each([
    ['--by snips', '--by does not accept "snips"'],
    ['--lr 0.1,,0.2', '--lr has an empty place in its list'],
    ['--lr 0.1,fast', '--lr expects a number'],
    ['--minutes 0', 'cannot take 0 minutes'],
    ['--trials 0', 'cannot have 0 trials'],
    ['--loss bpr,sotfmax', 'softmax'],
    ['--stop-on ndcg', 'has no option --stop-on'],
  ])('explains what is wrong with %s', async (option, said) => {
    const { code, stderr } = await run(`tune tastes.csv --out wrong ${option}`)
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said)
  })
})
