import { HindcastError } from '../error.js'
import type { Plan } from '../estimate/plan/plan-record.js'
import { PLAN_DEFAULTS } from '../estimate/defaults.js'
import type { PlanSourceOptions } from '../estimate/plan/plan.js'
import { given } from '../given.js'
import { formatCount } from '../number-text.js'
import { targetAsked } from './ask-target.js'
import type { Arguments, Command } from './command.js'
import { type Asked, engineFor, refuseInMemoryOnly, settingsInPlace } from './evaluate.js'
import {
  ENGINE_OPTION,
  ESTIMATOR_OPTION,
  estimatorList,
  EVALUATE_OPTIONS,
  evaluateOptionsOf,
  exitCodeFor,
  INTERVAL_LIST,
  PLACE_OPTIONS,
  readingInPlace,
  readLogFor,
  TARGET_NOTES,
} from './evaluate-options.js'
import { wrap } from './format.js'
import { logNamed, nameOfLog } from './join-options.js'
import { LOG_LISTS } from './log-options.js'
import { jsonOption, reportOption, tell, writeReport } from './outputs.js'
import { number, text } from './parse.js'
import { isTargetOnDisk, parseTarget } from './target-option.js'
import { parseTemperatures } from './temperatures-option.js'

export const plan: Command = {
  name: 'plan',
  usage: 'plan LOG --target WHICH [--against WHICH] [--detect D] [--width W] [options]',
  about:
    'How many more rows, users and days does a decision need? From how much today’s log varies, this estimates the size at which the difference between a target and the logging policy is decided, or an interval has the width you ask for. It also shows what more random items would buy, and at which temperatures of the target the log can answer.',
  options: {
    target: {
      value: 'WHICH',
      help: 'the target policy, which has no default: uniform, logging, popularity@RULE, column:NAME, table:FILE, scores:FILE@RULE or model:DIR@RULE',
    },
    against: {
      value: 'WHICH',
      help: 'the policy to compare it with, named in the same way (default logging)',
    },
    detect: {
      value: 'D',
      help: 'the smallest difference worth finding, in reward per impression; without it, the plan is for the difference seen',
    },
    width: { value: 'W', help: 'also plan for intervals of this width, from the lower to the upper end' },
    power: { value: 'P', help: `probability of finding a true difference (${PLAN_DEFAULTS.power})` },
    explore: {
      value: 'LIST',
      help: 'comma-separated shares of random items to look at (0.01,0.02,0.05,0.1,0.2,0.5,1)',
    },
    temperatures: {
      value: 'LIST',
      help: 'comma-separated temperatures to look at, of a target whose rule is softmax=T (from half to eight times its own)',
    },
    ...ESTIMATOR_OPTION,
    ...ENGINE_OPTION,
    ...EVALUATE_OPTIONS,
    ...PLACE_OPTIONS,
    ...jsonOption('the plan'),
    ...reportOption(
      'write a page with figures: power curves, what exploration would buy, other temperatures',
    ),
  },
  examples: [
    ['hindcast plan toy.csv --target uniform', 'how much more of this log would decide it?'],
    [
      'hindcast plan log.parquet --target column:new_policy_prob --detect 0.002',
      'how much to find a difference of 0.002?',
    ],
    [
      'hindcast plan log.csv --target popularity@softmax=0.5 --temperatures 0.5,1,2',
      'which softer policy can this log answer already?',
    ],
    [
      'hindcast plan log.csv --target column:a --against column:b --width 0.01 --json -',
      'two candidates, and an interval of a given width, as JSON',
    ],
  ],
  lists: [estimatorList('estimator'), INTERVAL_LIST, ...LOG_LISTS],
  notes: TARGET_NOTES,
  async run(args, context) {
    const path = logNamed(args, 'plan')
    const target = await targetAsked(args, 'plan', path)
    const against = text(args, 'against') ?? 'logging'
    const inMemory = [target, against].find((typed) => !isTargetOnDisk(typed))
    const asked: Compared = { path, target, against, args, context }
    const isInMemory = (await engineFor({ ...asked, target: inMemory ?? target })) === 'memory'
    const made = await (isInMemory ? planInMemory : planInPlace)(asked)
    context.terminal.status('')
    return show(made, asked)
  },
}

/** What the user asked for. */
interface Compared extends Asked {
  readonly against: string
}

/** A plan, the log as it is called, and how it was read. */
interface Made {
  readonly plan: Plan
  readonly file: string
  readonly log: Readonly<Record<string, unknown>>
}

async function planInMemory({ path, target, against, args, context }: Compared): Promise<Made> {
  const read = await readLogFor(path, target, args, context)
  const isSame = !against.startsWith('column:') || against === target
  const other = isSame ? read : await readLogFor(path, against, args, context)
  const { plan: run } = await import('../estimate/plan/plan.js')
  context.terminal.status(`planning from ${formatCount(read.log.rows)} rows …`)
  const { cluster, ...evaluating } = await evaluateOptionsOf(args, read.log)
  const made = await run(read.log, {
    ...evaluating,
    ...(text(args, 'cluster') !== undefined && { cluster: cluster! }),
    ...planningOf(args),
    target: await parseTarget(target, read, args, context),
    against: { target: await parseTarget(against, other, args, context), log: other.log },
  })
  const { logSettings } = await import('../report/log-settings.js')
  return { plan: made, file: read.file, log: logSettings(read) }
}

/** The log stays where it is: DuckDB or a warehouse computes the sums. */
async function planInPlace({ path, target, against, args, context }: Compared): Promise<Made> {
  refuseInMemoryOnly(args)
  const readings = {
    target: await readingInPlace(path, target, args, context),
    against: await readingInPlace(path, against, args, context),
  }
  const { planFile } = await import('../node/plan-file.js')
  const { cluster, ...evaluating } = await evaluateOptionsOf(args)
  const made = await planFile(path, readings, {
    ...evaluating,
    ...(text(args, 'cluster') !== undefined && { cluster: cluster! }),
    ...planningOf(args),
  })
  const file = nameOfLog(path)
  return { plan: made, file, log: settingsInPlace(path) }
}

/** The options of the plan itself. */
function planningOf(args: Arguments): PlanSourceOptions {
  const [explore, temperatures] = [text(args, 'explore'), text(args, 'temperatures')]
  return given({
    estimator: text(args, 'estimator'),
    power: number(args, 'power'),
    detect: number(args, 'detect'),
    width: number(args, 'width'),
    epsilons: explore === undefined ? undefined : sharesOf(explore),
    temperatures: temperatures === undefined ? undefined : parseTemperatures(temperatures),
  })
}

function sharesOf(typed: string): number[] {
  return typed.split(',').map((word) => {
    const share = word.trim() === '' ? NaN : Number(word)
    if (share >= 0 && share <= 1) return share
    throw new HindcastError(
      'bad-option',
      `--explore expects shares from 0 to 1, not ${JSON.stringify(word)}.`,
      {
        remedy: 'For example: --explore 0.05,0.1',
      },
    )
  })
}

/** Prints and writes the plan. Returns the exit code. */
async function show({ plan: made, file, log }: Made, { args, context }: Compared): Promise<number> {
  const { terminal, signal } = context
  await tell(made, async () => (await import('./plan-text.js')).planText(file, made, terminal), args, context)
  if (text(args, 'temperatures') !== undefined && made.temperaturesReason !== undefined)
    terminal.note(wrap(`No temperatures: ${made.temperaturesReason}.`))
  await writeReport(args, context, async (path) => {
    const { writePlanReport } = await import('../node/write-report.js')
    await writePlanReport(
      path,
      { title: file, plan: made, settings: { ...log, options: args.values } },
      signal,
    )
  })
  return exitCodeFor([made.verdict.level], args)
}
