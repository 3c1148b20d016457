import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly bin: { readonly hindcast: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/**
 * Packs the package, unpacks it into an empty folder beside the packages that it declares, and no others, and uses it
 * there as a stranger would.
 */
let folder: string
let command: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-package-'))
  await run(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const installed = join(folder, 'node_modules', 'hindcast')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'], { cwd: folder })
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  command = join(installed, manifest.bin.hindcast)
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the packed package', () => {
  it('holds the build and no sources, tests or data', async () => {
    const names = await readdir(join(folder, 'node_modules', 'hindcast'), { recursive: true })
    expect(names).toContain('README.md')
    expect(names).toContain('LICENSE')
    expect(names).toContain(join('dist', 'index.d.ts'))
    expect(names.filter((name) => /\.test\.|^(src|test|bench|docs)\b/.test(name))).toEqual([])
  })

  it('gives a working command', async () => {
    const hindcast = (args: string[]): Promise<{ stdout: string }> =>
      run(process.execPath, [command, ...args], { cwd: folder })
    await hindcast(['simulate', 'toy', '--seed', '7', '--out', 'toy.parquet'])
    const { stdout } = await hindcast(['describe', 'toy.parquet', '--json', '-', '--report', 'toy.html'])
    expect(JSON.parse(stdout)).toMatchObject({ rows: 5000, users: 1000 })
    expect(await readFile(join(folder, 'toy.html'), 'utf8')).toContain('<svg')
    expect((await hindcast(['--help'])).stdout).toMatch(/recommend .*\n  study .*\n  studio /)
    expect((await hindcast(['study', '--help'])).stdout).toContain('--quick')
  })

  it('gives a working library, each entrance of it', async () => {
    await writeFile(
      join(folder, 'use.js'),
      `import { describeLog, tallyItems, toyWorld } from 'hindcast'
       import { clickRatePerItem } from 'hindcast/figures'
       import { createDocument, readLogFile, writeLogFile } from 'hindcast/node'
       import { reportHtml } from 'hindcast/report'
       import { descriptionSchema, trainingSchema } from 'hindcast/schemas'
       import { splitByRow } from 'hindcast'
       import { COMMANDS } from 'hindcast/cli'
       import { studyAnswer, studySettings } from 'hindcast/study'
       import { studyInFolder, writeStudyReport } from 'hindcast/study/node'
       import { studySchema } from 'hindcast/study/schema'
       import { train } from 'hindcast/train'
       await writeLogFile('small.csv', toyWorld({ users: 50, items: 10 }).draw())
       const { log } = await readLogFile('small.csv')
       const chart = clickRatePerItem(tallyItems(log), { document: createDocument() })
       const html = reportHtml({ title: 't', answer: 'a', facts: [], charts: [chart], settings: {}, generatedBy: 'test' })
       const { training } = await train(splitByRow(log), { epochs: 2, dim: 4 })
       const epochs = trainingSchema.parse(JSON.parse(JSON.stringify(training))).epochs.length
       const rows = descriptionSchema.parse(describeLog(log)).rows
       const settings = { ...studySettings({ quick: true, seeds: 2 }), toy: { users: 60, items: 20, exposures: 5, beta: [2, 5], skew: 5, logs: 20 } }
       const results = studySchema.parse(await studyInFolder('study', { parts: ['toy'], settings, threads: 1 }))
       const { figures } = await writeStudyReport('study', results)
       console.log(JSON.stringify([
         rows, html.includes(chart.title.slice(0, 10)), epochs, COMMANDS.some(({ name }) => name === 'evaluate'),
         studySettings().seeds, studyAnswer(results)[0].includes('claims'), figures.length,
       ]))`,
    )
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual([250, true, 2, true, 5, true, 7])
  })

  it('has types that compile for a strict user', async () => {
    await writeFile(
      join(folder, 'use.ts'),
      `import { describeLog, toyWorld, type Description } from 'hindcast'
       import { main, type Command } from 'hindcast/cli'
       import { readLogFile } from 'hindcast/node'
       import type { StudyResults } from 'hindcast/study'
       import { studyInFolder, type StudyInFolderOptions } from 'hindcast/study/node'
       const mine: Command = { name: 'mine', usage: 'mine', about: '', options: {}, examples: [], run: async () => 0 }
       export const start = (): Promise<void> => main(['mine'], [{ name: 'mine', summary: '', load: async () => mine }])
       export const study = (options: StudyInFolderOptions): Promise<StudyResults> => studyInFolder('x', options)
       const description: Description = describeLog(toyWorld().draw())
       export const rows: number = description.rows
       export const later = (): Promise<number> => readLogFile('x.csv').then(({ log }) => log.rows)`,
    )
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
    await run(process.execPath, [compiler, ...flags, 'use.ts'], { cwd: folder })
  })
})
