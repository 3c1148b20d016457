import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { HindcastError } from 'hindcast'
import {
  columns,
  type Command,
  type Context,
  duration,
  onlyPositional,
  text,
  wholeNumber,
  wrap,
} from 'hindcast/cli'
import { decidingEffects, effectText } from '../claims/effect.js'
import type { StudyResults } from '../results.js'
import type { StudyProgress } from '../run-study.js'

const PARTS: Readonly<Record<string, StudyResults['parts']>> = {
  toy: ['toy'],
  movielens: ['movielens'],
  all: ['toy', 'movielens'],
}

export const study: Command = {
  name: 'study',
  usage: 'study toy|movielens|all --out DIR [options]',
  about:
    'Runs the whole paper: every figure, every comparison, every claim tested. Finished steps are kept, so an interrupted study resumes where it stopped.',
  options: {
    out: {
      value: 'DIR',
      writes: (folder) =>
        ['results.json', 'report.html', 'figures', 'steps'].map((name) => join(folder, name)),
      help: 'folder for results.json, figures and report.html',
    },
    quick: { help: 'about a minute: fewer seeds, users, temperatures and steps' },
    seed: { value: 'N', help: 'the first seed (default 0)' },
    seeds: { value: 'S', help: 'how many seeds (default 5; quick 3)' },
    resamples: { value: 'N', help: 'bootstrap resamples per estimate (default 50)' },
    threads: { value: 'N', help: 'default: all cores; the results are the same' },
  },
  examples: [
    ['hindcast study all --quick --out study', 'a first look in about a minute'],
    ['hindcast study all --seeds 10 --out study', 'the real thing: get a coffee'],
    ['hindcast study toy --out toy', "the paper's synthetic world alone"],
  ],
  notes: [
    'MovieLens is used if it is found (HINDCAST_DATA) or can be downloaded. Otherwise ratings of its size are simulated, and every result says so.',
  ],
  async run(args, context) {
    const name = onlyPositional(args, 'study', 'a part: toy, movielens or all')
    const parts = PARTS[name]
    if (!parts)
      throw new HindcastError('unknown-name', `There is no study named ${JSON.stringify(name)}.`, {
        remedy: 'Choose toy, movielens or all.',
      })
    const out = text(args, 'out')
    if (out === undefined)
      throw new HindcastError('bad-option', 'hindcast study needs --out DIR.', {
        remedy: `For example: hindcast study ${name} --out study`,
      })
    const threads = wholeNumber(args, 'threads')
    if (threads === 0)
      throw new HindcastError('bad-option', 'A study cannot run on 0 threads.', {
        remedy: 'Give at least 1.',
      })
    const seed = wholeNumber(args, 'seed')
    const seeds = wholeNumber(args, 'seeds')
    const resamples = wholeNumber(args, 'resamples')
    const { studySettings } = await import('../settings.js')
    const settings = studySettings({
      quick: args.values['quick'] === true,
      ...(seed !== undefined && { seed }),
      ...(seeds !== undefined && { seeds }),
      ...(resamples !== undefined && { resamples }),
    })
    const { studyInFolder } = await import('./study-in-folder.js')
    const results = await studyInFolder(out, {
      parts,
      settings,
      threads: threads ?? availableParallelism(),
      progress: studyLine(context),
      signal: context.signal,
    }).catch((error: unknown) => {
      if (error instanceof HindcastError && error.code === 'interrupted')
        throw new HindcastError('interrupted', 'The study was interrupted; its finished steps are kept.', {
          remedy: 'Run the same command again to resume.',
          cause: error,
        })
      throw error
    })
    context.terminal.status('drawing figures')
    const { writeStudyReport } = await import('./study-report.js')
    const { report } = await writeStudyReport(out, results, context.signal)
    printFindings(results, context)
    const reused = results.run.steps.filter((step) => step.reused).length
    const time = `${duration(results.run.seconds)}${reused > 0 ? `, ${reused} of ${results.run.steps.length} steps reused` : ''}`
    context.terminal.print()
    context.terminal.print(`Report: ${report}`)
    context.terminal.print(`Numbers: ${join(out, 'results.json')} (${time})`)
    return 0
  },
}

const SHOWN_EVERY = 200

/** `methods at temperature 1, seed 2 of 3: 45 % done, 38 s left` */
function studyLine({ terminal }: Context): (progress: StudyProgress) => void {
  const started = performance.now()
  let lastShown = 0
  return ({ what, share, reused }) => {
    const now = performance.now()
    if (now - lastShown < SHOWN_EVERY) return
    lastShown = now
    // What was taken from before took no time, and says nothing of how long the rest takes.
    const [worked, left] = [share - reused, 1 - share]
    const estimate = worked > 0.02 ? `, ${duration(((now - started) / 1000 / worked) * left)} left` : ''
    terminal.status(`${what}: ${Math.floor(100 * share)} % done${estimate}`)
  }
}

/** The summary, and the claims with the number that each verdict rests on. */
function printFindings({ summary, claims }: StudyResults, { terminal }: Context): void {
  for (const sentence of summary) terminal.print(wrap(sentence))
  terminal.print()
  terminal.print(
    columns(
      claims.flatMap((claim) => [
        [claim.verdict, claim.claim] as const,
        ...decidingEffects(claim).map((effect) => ['', effectText(effect)] as const),
      ]),
      '',
    ),
  )
}
