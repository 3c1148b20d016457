import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
import { estimatesFigure } from '../src/figures/index.js'
import { createDocument } from '../src/node/dom.js'
import { uniformPolicy } from '../src/policy/probabilities.js'
import { REASONS } from '../src/verdict/registry.js'
import { QUESTIONS } from '../src/verdict/verdict.js'
import { tastesWorld } from '../src/world/tastes.js'
import { hindcast, program } from './hindcast.js'
import { root, userPages } from './markdown-pages.js'
import { hasConsole, type Run, withOutputs } from './shown-output.js'
import { typedWords } from './typed-words.js'

// `npm run docs` writes the pages anew with what the program says today.

const pages: { page: string; text: string }[] = []
for (const page of await userPages()) {
  const text = await readFile(join(root, page), 'utf8')
  if (hasConsole(text)) pages.push({ page, text })
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-docs-'))
  // How long a command takes must not show in the pages.
  process.env['HINDCAST_PROGRESS'] = 'none'
  const npx = join(folder, 'bin', 'npx')
  await mkdir(join(folder, 'bin'))
  await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(npx, 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

it.each(pages)(
  '$page shows what its commands write',
  async ({ page, text }) => {
    const cwd = join(folder, page.replaceAll('/', '-'))
    await mkdir(cwd)
    await symlink(join(root, 'examples'), join(cwd, 'examples'))
    await expect(await withOutputs(text, typedIn(cwd))).toMatchFileSnapshot(join(root, page))
  },
  120_000,
)

it('docs/verdict.md lists every check of the rows', async () => {
  const page = join(root, 'docs/verdict.md')
  const text = await readFile(page, 'utf8')
  const [before, after] = [text.indexOf(CHECKS_BEGIN) + CHECKS_BEGIN.length, text.indexOf(CHECKS_END)]
  expect(after).toBeGreaterThan(before)
  await expect(`${text.slice(0, before)}\n\n${checksTable()}\n\n${text.slice(after)}`).toMatchFileSnapshot(
    page,
  )
})

const [CHECKS_BEGIN, CHECKS_END] = ['<!-- checks -->', '<!-- /checks -->']

/** Every reason that a verdict may have, question by question, as its record describes it. */
function checksTable(): string {
  const ordered = REASONS.toSorted((a, b) => QUESTIONS.indexOf(a.question) - QUESTIONS.indexOf(b.question))
  return [
    '| reason | question | found in | what is found | what helps |',
    '|---|---|---|---|---|',
    ...ordered.map(
      ({ code, question, scope, finds, helps }) =>
        `| \`${code}\` | ${question} | ${scope} | ${finds} | ${helps} |`,
    ),
  ].join('\n')
}

it('the picture of README is drawn from its example', async () => {
  const world = tastesWorld({ seed: 1, users: 200, items: 50, temperature: 2, popularityQuality: -0.5 })
  const { evaluation } = await evaluate(world.draw(), {
    target: { kind: 'uniform' },
    estimators: ['dm', 'ips', 'snips', 'dr'],
  })
  const truth = world.value(uniformPolicy(world.itemIds.length))
  const { svg } = estimatesFigure(
    { ...evaluation, meanReward: evaluation.log.meanReward, truth },
    { document: createDocument() },
  )
  await expect(svg).toMatchFileSnapshot(join(root, 'docs/images/shop.svg'))
})

/** What a line shows: in this process where it is a command of ours, with one output into a file at most; else in a shell. */
function typedIn(cwd: string): Run {
  const shell = shellIn(cwd)
  return async (line) => {
    const [, command = line, output, file] = /^(.*) (2?)> (\S+)$/.exec(line) ?? []
    if (!command.startsWith('npx hindcast ') || /[<>|&;$`]/.test(command)) return shell(line)
    const [words] = await typedWords([command], 'npx')
    const { shown, stdout, stderr } = await hindcast(words!.slice(1), { cwd })
    if (file === undefined) return shown
    const [kept, seen] = output === '2' ? [stderr, stdout] : [stdout, stderr]
    await writeFile(join(cwd, file), kept)
    return seen
  }
}

/** A shell in which `npx hindcast` is the program as it was built here. */
function shellIn(cwd: string): Run {
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
  return (command) =>
    new Promise((resolve) => {
      const options = { cwd, env: { ...process.env, PATH: path }, maxBuffer: 1 << 28 }
      execFile('sh', ['-c', `exec 2>&1\n${command}`], options, (_, stdout) => resolve(stdout))
    })
}
