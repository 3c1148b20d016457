import { HindcastError } from '../error.js'
import type { Plan } from '../estimate/plan/plan-record.js'
import { COMPARE_DEFAULTS } from '../estimate/defaults.js'
import { PLAN_DEFAULTS } from '../estimate/defaults.js'
import type { PlanSourceOptions } from '../estimate/plan/plan.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { formatCount } from '../number-text.js'
import { targetAsked } from './ask-target.js'
import type { Arguments, Command } from './command.js'
import { type Asked, engineFor, refuseInMemoryOnly, settingsInPlace } from './evaluate.js'
import {
  estimatorList,
  EVALUATE_OPTIONS,
  evaluateOptionsOf,
  exitCodeFor,
  INTERVAL_LIST,
  readLogFor,
  slatePropensitiesAsked,
  withNamedColumns,
} from './evaluate-options.js'
import {
  isTargetOnDisk,
  MODEL_TARGET_NOTE,
  parseTarget,
  parseTargetInPlace,
  POPULARITY_TARGET_NOTE,
} from './target-option.js'
import { parseTemperatures } from './temperatures-option.js'
import { wrap } from './format.js'
import { writeJson } from './json.js'
import { logNamed, nameOfLog } from './join-options.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, readingOptions } from './log-options.js'
import { writesFile } from './outputs.js'
import { number, text } from './parse.js'
import { FILE_TARGETS_NOTE, RULES_NOTE } from './policy-targets.js'
import { connectOptions, SCRATCH_OPTION, WAREHOUSE_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'

export const plan: Command = {
  name: 'plan',
  usage: 'plan LOG --target WHICH [--against WHICH] [--detect D] [--width W] [options]',
  about:
    'How many more rows, users and days does a decision need? From how much today’s log varies, this estimates the size at which the difference between a target and the logging policy is decided, or an interval has the width you ask for. It also shows what more random items would buy, and at which temperatures of the target the log can answer.',
  options: {
    target: {
      type: 'string',
      value: 'WHICH',
      help: 'the target policy, which has no default: uniform, logging, popularity@RULE, column:NAME, table:FILE, scores:FILE@RULE or model:DIR@RULE',
    },
    against: {
      type: 'string',
      value: 'WHICH',
      help: 'the policy to compare it with, named in the same way (default logging)',
    },
    detect: {
      type: 'string',
      value: 'D',
      help: 'the smallest difference worth finding, in reward per impression; without it, the plan is for the difference seen',
    },
    width: {
      type: 'string',
      value: 'W',
      help: 'also plan for intervals of this width, from the lower to the upper end',
    },
    power: {
      type: 'string',
      value: 'P',
      help: `probability of finding a true difference (${PLAN_DEFAULTS.power})`,
    },
    explore: {
      type: 'string',
      value: 'LIST',
      help: 'comma-separated shares of random items to look at (0.01,0.02,0.05,0.1,0.2,0.5,1)',
    },
    temperatures: {
      type: 'string',
      value: 'LIST',
      help: 'comma-separated temperatures to look at, of a target whose rule is softmax=T (from half to eight times its own)',
    },
    estimator: {
      type: 'string',
      value: 'NAME',
      help: `${COMPARE_DEFAULTS.estimator} (default; snrips for pages whose propensities depend on the items above), or another from the list below`,
    },
    engine: {
      type: 'string',
      value: 'NAME',
      help: 'memory; duckdb, for logs larger than memory; or auto (default), which takes duckdb if the log would fill more than a fifth of memory',
    },
    ...EVALUATE_OPTIONS,
    ...LOG_OPTIONS,
    ...WAREHOUSE_OPTIONS,
    ...SCRATCH_OPTION,
    json: {
      type: 'string',
      value: 'FILE|-',
      writes: writesFile,
      help: 'write the plan as JSON, to a file or to standard output',
    },
    report: {
      type: 'string',
      value: 'FILE.html',
      writes: writesFile,
      help: 'write a page with figures: power curves, what exploration would buy, other temperatures',
    },
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
  notes: [LOG_NOTE, WAREHOUSE_NOTE, FILE_TARGETS_NOTE, RULES_NOTE, POPULARITY_TARGET_NOTE, MODEL_TARGET_NOTE],
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
  const connecting = isWarehouseLog(path) ? await connectOptions(args) : {}
  const reading = async (typed: string): Promise<InPlaceOptions> => ({
    ...(await readingOptions(withNamedColumns(typed, args), context)),
    ...connecting,
    ...slatePropensitiesAsked(args),
    target: await parseTargetInPlace(typed, args, context),
  })
  const readings = { target: await reading(target), against: await reading(against) }
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
  const [estimator, explore] = [text(args, 'estimator'), text(args, 'explore')]
  const temperatures = text(args, 'temperatures')
  const [power, detect, width] = [number(args, 'power'), number(args, 'detect'), number(args, 'width')]
  return {
    ...(estimator !== undefined && { estimator }),
    ...(power !== undefined && { power }),
    ...(detect !== undefined && { detect }),
    ...(width !== undefined && { width }),
    ...(explore !== undefined && { epsilons: sharesOf(explore) }),
    ...(temperatures !== undefined && { temperatures: parseTemperatures(temperatures) }),
  }
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
  const json = text(args, 'json')
  if (json !== undefined) await writeJson(json, made, context)
  if (json !== '-') {
    const { planText } = await import('./plan-text.js')
    context.terminal.print(planText(file, made, context.terminal))
  }
  if (text(args, 'temperatures') !== undefined && made.temperaturesReason !== undefined)
    context.terminal.note(wrap(`No temperatures: ${made.temperaturesReason}.`))
  const report = text(args, 'report')
  if (report !== undefined) {
    const { writePlanReport } = await import('../node/plan-report.js')
    const settings = { ...log, options: args.values }
    await writePlanReport(report, { title: file, plan: made, settings }, context.signal)
    context.terminal.note(`Wrote ${report}.`)
  }
  return exitCodeFor([made.verdict.level], args)
}
