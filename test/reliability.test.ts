import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './markdown-pages.js'

// The counts of docs/reliability.md are those of the saved runs.

interface FuzzRun {
  files: number
  read: number
  refused: Record<string, number>
  disagreements: number
  hangs: number
  crashes: number
}

interface KillsRun {
  kills: number
  struck: number
  resumed: number
  failures: string[]
}

const saved = async <Run>(name: string): Promise<Run> =>
  JSON.parse(await readFile(join(root, `bench/results/${name}.json`), 'utf8')) as Run
const page = (): Promise<string> => readFile(join(root, 'docs/reliability.md'), 'utf8')
const count = (number: number): string => number.toLocaleString('en-US')

it('docs/reliability.md has the counts of the last saved run of the fuzzer', async () => {
  const { files, read, refused, disagreements, hangs, crashes } = await saved<FuzzRun>('fuzz')
  const refusals = Object.values(refused).reduce((sum, one) => sum + one, 0)
  expect(read + refusals + disagreements + hangs + crashes).toBe(files)
  expect(await page()).toContain(
    `The last saved run read ${count(files)} files: ${count(read)} were read alike and ${count(refusals)} refused alike; disagreements: ${count(disagreements)}, hangs: ${count(hangs)}, crashes: ${count(crashes)}.`,
  )
})

it('docs/reliability.md has the counts of the last saved run of the killer', async () => {
  const { kills, struck, resumed, failures } = await saved<KillsRun>('kills')
  expect(await page()).toContain(
    `The last saved run made ${count(kills)} attempts, of which ${count(struck)} struck before the command had ended, and ${count(resumed)} trainings continued to the same bits; files that were neither whole nor absent, and errors without a sentence: ${count(failures.length)}.`,
  )
})
