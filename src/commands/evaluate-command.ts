import { HindcastError } from '../error.js'
import { EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import type { EvaluateOptions } from '../estimate/evaluate.js'
import { itemMean } from '../estimate/reward/reward-model.js'
import type { Target } from '../estimate/target.js'
import { given } from '../given.js'
import type { Column } from '../log/columns.js'
import { POPULARITY } from '../policy/popularity.js'
import { type AskedRule, ruledName } from '../policy/score-rule.js'
import type { PolicyColumnMapping } from '../read/policy/policy-columns.js'
import type { MissingUser } from '../read/policy/policy-match.js'
import { FACTS, type Totals, type VerdictOptions } from '../verdict/said.js'
import { commandWords, type TypedOptions } from './command-line.js'
import { columnChoice, type LogChoices, logOptions, typeable } from './log-choices.js'

/** A target that can be typed: one that the log defines, popularity, a table of probabilities or scores in a file, or a trained model's folder. */
export type NamedTarget =
  | Exclude<Target, { kind: 'policy' }>
  | { readonly kind: 'popularity'; readonly rule: AskedRule }
  | { readonly kind: 'table'; readonly file: string }
  | { readonly kind: 'scores'; readonly file: string; readonly rule: AskedRule }
  | { readonly kind: 'model'; readonly folder: string; readonly rule: AskedRule }

/** What evaluations and comparisons share. */
interface Choices
  extends
    Pick<
      EvaluateOptions,
      'cluster' | 'confidence' | 'interval' | 'bootstrap' | 'seed' | 'maxWeight' | 'rewardRange' | 'tuning'
    >,
    VerdictOptions {
  readonly log: LogChoices
  readonly rewardModel?: 'item-mean' | 'item-position-mean'
  /** What users that a target's file does not have are shown; default `error`. */
  readonly missingUser?: MissingUser
  /** The columns of the targets' tables, where they are not found by their names. */
  readonly policyColumns?: PolicyColumnMapping
  /** The file with the category of each item. */
  readonly categories?: string
  /** Where to write the page. */
  readonly report?: string
}

/** The choices that `hindcast evaluate` repeats. */
export interface EvaluateChoices extends Choices, Pick<EvaluateOptions, 'estimators'> {
  readonly target: NamedTarget
  /** What rows are divided by, as typed. */
  readonly by?: string
  /** Also at other temperatures, which are chosen by the scale of the scores. */
  readonly temperatures?: 'auto'
}

/** The choices that `hindcast compare` repeats. */
export interface CompareChoices extends Choices {
  /** The first is the baseline. */
  readonly targets: readonly NamedTarget[]
  readonly estimator?: string
  /** As for an evaluation. */
  readonly temperatures?: 'auto'
}

/** The words after `hindcast` that evaluate again, without defaults. */
export const evaluateCommandOf = (choices: EvaluateChoices): string[] =>
  commandWords('evaluate', choices.log.file, evaluateTyped(choices))

/** The options of that command, as its report lists them. */
export function evaluateTyped(choices: EvaluateChoices): TypedOptions {
  const { target, estimators } = choices
  return {
    ...given({
      target: targetText(target),
      // Which are usual depends on the log.
      estimators: estimators?.join(),
      by: choices.by,
      temperatures: choices.temperatures,
    }),
    ...saidTyped(choices),
    ...shared(choices, [target]),
  }
}

/** The words after `hindcast` that compare again, without defaults. */
export const compareCommandOf = (choices: CompareChoices): string[] =>
  commandWords('compare', choices.log.file, compareTyped(choices))

/** The options of that command, as its report lists them. */
export const compareTyped = (choices: CompareChoices): TypedOptions => ({
  ...given({
    targets: choices.targets.map(targetInList).join(),
    estimator: choices.estimator,
    temperatures: choices.temperatures,
  }),
  ...saidTyped(choices),
  ...shared(choices, choices.targets),
})

/** The choices that `hindcast plan` repeats: it judges nothing. */
export interface PlanChoices extends Omit<Choices, keyof VerdictOptions> {
  readonly target: NamedTarget
  /** Default logging. */
  readonly against?: NamedTarget
  /** The smallest difference worth finding. */
  readonly detect?: number
}

/** The words after `hindcast` that plan again, without defaults. */
export function planCommandOf(choices: PlanChoices): string[] {
  const { target, against = { kind: 'logging' } } = choices
  return commandWords('plan', choices.log.file, {
    ...given({
      target: targetText(target),
      against: against.kind === 'logging' ? undefined : targetText(against),
      detect: unlessUsual(choices.detect, undefined),
    }),
    ...shared(choices, [target, against]),
  })
}

function shared(choices: Choices, targets: readonly NamedTarget[]): TypedOptions {
  const { log, cluster = EVALUATE_DEFAULTS.cluster, confidence, interval, bootstrap, seed } = choices
  const clusterWays = cluster.split('+')
  const clusterTyped = clusterWays.map((way) => (way === 'column' ? columnChoice(log, 'cluster') : way))
  const named: Column[] = [
    ...(targets.some(({ kind }) => kind === 'column') ? ['target' as const] : []),
    ...(clusterWays.includes('column') ? ['cluster' as const] : []),
  ]
  return {
    ...given({
      cluster: unlessUsual(clusterTyped.join('+'), EVALUATE_DEFAULTS.cluster),
      confidence: unlessUsual(confidence, EVALUATE_DEFAULTS.confidence),
      interval: unlessUsual(interval, EVALUATE_DEFAULTS.interval),
      bootstrap: unlessUsual(bootstrap, EVALUATE_DEFAULTS.bootstrap),
      seed: unlessUsual(seed, EVALUATE_DEFAULTS.seed),
      'reward-model': unlessUsual(choices.rewardModel, itemMean.name),
      categories: choices.categories,
      'missing-user': unlessUsual(choices.missingUser, 'error'),
      'policy-columns': policyColumnsText(choices.policyColumns),
      'max-weight': unlessUsual(choices.maxWeight, undefined),
      'reward-range': choices.rewardRange?.join(),
      tuning: unlessUsual(choices.tuning, EVALUATE_DEFAULTS.tuning),
    }),
    ...logOptions(log, named),
    ...given({ report: choices.report }),
  }
}

/** What the user told the verdict, as it is typed. */
function saidTyped({ said, totals, strict, matters, accept }: VerdictOptions): TypedOptions {
  const facts = FACTS.flatMap((fact) => {
    const answer = said?.facts?.[fact]
    return answer === undefined ? [] : [answer ? fact : `${fact}=no`]
  })
  return given({
    'policy-made': said?.policyMade,
    said: facts.length === 0 ? undefined : facts.join(),
    strict: strict ? true : undefined,
    matters: unlessUsual(matters, undefined),
    accept: accept && Object.entries(accept).map(([code, why]) => `${code}=${why}`),
    totals: totals && totalsText(totals),
  })
}

function totalsText({ rows, reward, days }: Totals): string {
  if (days)
    throw new HindcastError('bad-option', 'Totals by day cannot be typed on the command line.', {
      remedy: 'Save them as a table with columns day, rows and reward.',
    })
  return [
    ...(rows === undefined ? [] : [`rows=${rows}`]),
    ...(reward === undefined ? [] : [`reward=${reward}`]),
  ].join()
}

/** `user=uid,item=sku`; absent where nothing is named. */
function policyColumnsText(columns: PolicyColumnMapping = {}): string | undefined {
  const named = Object.entries(columns).map(([column, name]) => `${column}=${typeable(name)}`)
  return named.length === 0 ? undefined : named.join()
}

function targetInList(target: NamedTarget): string {
  const text = targetText(target)
  if (!text.includes(',') && text === text.trim()) return text
  throw new HindcastError('bad-option', `The target ${text} cannot be typed on the command line.`, {
    remedy:
      'Targets are separated by commas: rename the file or folder so that it has none, and no spaces at its end.',
  })
}

function targetText(target: NamedTarget): string {
  switch (target.kind) {
    case 'column':
      return `column:${typeable(target.name)}`
    case 'popularity':
      return ruledName(POPULARITY, target.rule)
    case 'table':
      return `table:${target.file}`
    case 'scores':
      return ruledName(`scores:${target.file}`, target.rule)
    case 'model':
      return ruledName(`model:${target.folder}`, target.rule)
    default:
      return target.kind
  }
}

const unlessUsual = (
  value: string | number | undefined,
  usual: string | number | undefined,
): string | undefined => (value === undefined || value === usual ? undefined : String(value))
