import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '$core/estimate/defaults.js'
import { isTuned } from '$core/estimate/estimator.js'
import { ESTIMATORS } from '$core/estimate/estimators/index.js'
import { INTERVALS } from '$core/estimate/intervals/index.js'
import type { Bounds } from '$core/estimate/intervals/interval.js'
import type { TuningMethod } from '$core/estimate/requests.js'
import { CANONICAL_NAMES } from '$core/log/columns.js'
import { type AskedRule, parseAskedRule } from '$core/policy/score-rule.js'
import type { MissingUser } from '$core/read/policy/policy-match.js'
import { type Fact, FACTS, type PolicyMade, type Said } from '$core/verdict/said.js'
import { type Problem, problemOf } from '../../desk/call.js'
import type { OpenedLog } from '../../desk/open-log.js'
import type { EvaluationChoices, TargetChoice } from '../../desk/target-choice.js'
import type { TrainedModel } from '../../models.svelte.js'
import { isInRange, type NumberRange, SEEDS, typedNumber } from '../../parts/number-range.js'
import type { Asked } from './asked.svelte.js'
import { choiceOf, type OwnPolicy } from './own-record.js'
import { CLUSTER_OFFERS, type ClusterOffer, TUNING_MEANINGS } from './meanings.js'

/** The traits of a log that decide which choices there are. */
export interface LogTraits {
  /** The column with the probabilities of a target, by its name in the file. */
  readonly targetColumn: string | undefined
  readonly hasClusters: boolean
  readonly hasTimes: boolean
  readonly hasSlates: boolean
}

/** What the open log lets one choose. */
export const traitsOf = ({ hasTarget, origins }: Pick<OpenedLog, 'hasTarget' | 'origins'>): LogTraits => ({
  targetColumn: hasTarget ? (origins?.target?.[0] ?? CANONICAL_NAMES.target) : undefined,
  hasClusters: origins?.cluster !== undefined,
  hasTimes: origins?.time !== undefined,
  hasSlates: origins?.slate !== undefined,
})

/** Policies that can always be asked about, by name. */
const ALWAYS: readonly string[] = ['uniform', 'logging', 'popularity']

/** The name of a policy; `fallback` where a link names an impossible one. */
export const policyNamed = (name: string, fallback: string): string =>
  ALWAYS.includes(name) || name === 'column' || /^(model|own):/.test(name) ? name : fallback

/** Policies from files, and which of their files are in the page. */
interface OwnPolicies {
  readonly list: readonly OwnPolicy[]
  isHere(fingerprint: string): boolean
  /** Why the policy of this id does not fit the log, once that is known. */
  problemOf(id: string): Problem | undefined
  readonly missingUser: MissingUser
}

const NO_FILES: OwnPolicies = {
  list: [],
  isHere: () => false,
  problemOf: () => undefined,
  missingUser: 'error',
}

/** A policy to ask the desk about; or why there is none; or what has to be chosen before there is one. */
export type TargetOrProblem =
  | { readonly target: TargetChoice }
  | { readonly problem: Problem }
  | { readonly open: string }

const NO_RULE = { open: 'Choose how items are shown by their scores: scores alone are no policy.' }

/** The policy that a name and a rule stand for; or why there is none, for example after a link made elsewhere. */
export function targetOf(
  name: string,
  rule: string,
  { targetColumn }: LogTraits,
  models: readonly TrainedModel[],
  files = NO_FILES,
): TargetOrProblem {
  if (name === '') return { open: 'Choose the policy that is asked about.' }
  if (name.startsWith('own:')) return ownTarget(name, files)
  if (name === 'popularity') return byRule(rule, (one) => ({ kind: name, rule: one }))
  if (name === 'column')
    return targetColumn === undefined
      ? {
          problem: {
            message: 'This log has no column with the probabilities of a target policy.',
            remedy: 'Open the log again and choose the column that holds them, or choose another policy.',
          },
        }
      : { target: { kind: name, name: targetColumn } }
  if (name.startsWith('model:')) {
    const model = models.find(({ id }) => `model:${id}` === name)
    if (!model)
      return {
        problem: {
          message: 'This page does not have that model.',
          remedy:
            'Models exist only in the page that trained them: train it again, or choose another policy.',
        },
      }
    const { id, name: called, settings, split } = model
    const training = { ...split, seed: settings.seed }
    return byRule(rule, (one) => ({ kind: 'model', id, name: called, rule: one, training }))
  }
  return { target: { kind: name === 'logging' ? name : 'uniform' } }
}

/** The policy that scores become by a rule as it is typed; a link may hold anything. */
function byRule(typed: string, made: (rule: AskedRule) => TargetChoice): TargetOrProblem {
  if (typed === '') return NO_RULE
  try {
    return { target: made(parseAskedRule(typed)) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** The policy from files of this name, if its files are here and its rule is one. */
function ownTarget(name: string, files: OwnPolicies): TargetOrProblem {
  const { list, isHere, missingUser } = files
  const own = list.find(({ id }) => `own:${id}` === name)
  if (!own)
    return {
      problem: {
        message: 'This page does not have that policy.',
        remedy: 'Add its file under “Policies from files”, or choose another policy.',
      },
    }
  if (!isHere(own.fingerprint))
    return {
      problem: {
        message: `This link was made with ${own.file}, which is not open here.`,
        remedy: 'Add that file under “Policies from files” to continue where the link left off.',
      },
    }
  const problem = files.problemOf(own.id)
  if (problem) return { problem }
  if (own.form !== 'table' && own.rule === '') return NO_RULE
  try {
    return { target: choiceOf(own, missingUser) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** Whether a policy follows scores by a rule that is chosen with it; that of policies from files stands with their files. */
export const takesRule = (name: string): boolean => name === 'popularity' || name.startsWith('model:')

/** The estimators whose differences can be computed, without those whose λ is chosen separately for each policy; the default first. */
export const comparableEstimators = (traits: LogTraits): readonly string[] =>
  estimatorsOf(traits)
    .filter((name) => !isTuned(ESTIMATORS.named(name)))
    .toSorted((a, b) => Number(b === COMPARE_DEFAULTS.estimator) - Number(a === COMPARE_DEFAULTS.estimator))

/** The estimator that a name stands for; undefined where there is none of that name: then the usual one of the log compares. */
export const comparedBy = (name: string, traits: LogTraits): string | undefined =>
  comparableEstimators(traits).find((estimator) => estimator === name)

/** The estimators that a log allows: item categories are not available here. */
export const estimatorsOf = ({ hasSlates }: LogTraits): readonly string[] =>
  ESTIMATORS.all
    .filter(({ rows }) => rows !== 'categories' && (hasSlates || rows !== 'slates'))
    .map(({ name }) => name)

/** The estimators that a list names, in the order in which they are offered; undefined where it names none: then the usual ones of the log are computed. */
export function chosenEstimators(list: string, traits: LogTraits): readonly string[] | undefined {
  const named = list.split(',')
  const chosen = estimatorsOf(traits).filter((name) => named.includes(name))
  return chosen.length > 0 ? chosen : undefined
}

/** Whether an estimator's λ is a weight threshold, above which it clips the weight or uses the model. */
function cutsAtLambda(name: string): boolean {
  const estimator = ESTIMATORS.find(name)
  return estimator !== undefined && isTuned(estimator) && estimator.tuning.cutsAtLambda === true
}

/** Whether one of the estimators takes a weight threshold. */
export const takesLambda = (estimators: readonly string[]): boolean => estimators.some(cutsAtLambda)

/** Whether an interval uses a largest weight known in advance. */
export const takesMaxWeight = (interval: string): boolean => INTERVALS.find(interval)?.usesMaxWeight === true

/** Whether one of the estimators has a λ that is chosen from the data. */
export const isTuning = (estimators: readonly string[]): boolean =>
  estimators.some((name) => {
    const estimator = ESTIMATORS.find(name)
    return estimator !== undefined && isTuned(estimator)
  })

/** The ways in which rows of a log may depend on each other. */
export const clustersOffered = ({ hasClusters, hasTimes }: LogTraits): readonly ClusterOffer[] =>
  CLUSTER_OFFERS.filter(({ needs }) =>
    needs.every((need) => ({ clusters: hasClusters, times: hasTimes })[need]),
  )

/** What the numbers of an evaluation may be, at its controls and in links. */
export const RANGES = {
  confidence: { above: 0.5, below: 1 },
  lambda: { min: 0 },
  maxWeight: { above: 0 },
  bootstrap: { min: 2, max: 10_000, isWhole: true },
  seed: SEEDS,
  knownRows: { above: 0 },
} as const satisfies Record<string, NumberRange>

/** How an evaluation is asked for. What a link says that makes no sense here falls back on the default. */
export function choicesOf(asked: Asked, traits: LogTraits): EvaluationChoices {
  const { interval, cluster, tuning } = asked
  const lambda = typedNumber(asked.lambda, RANGES.lambda)
  const maxWeight = typedNumber(asked.maxWeight, RANGES.maxWeight)
  const rewardRange = rangeIn(asked.rewardLeast, asked.rewardMost)
  const numberOf = (name: 'confidence' | 'bootstrap' | 'seed'): number =>
    isInRange(RANGES[name], asked[name]) ? asked[name] : EVALUATE_DEFAULTS[name]
  const estimators = chosenEstimators(asked.estimators, traits)?.map((name) =>
    lambda !== undefined && cutsAtLambda(name) ? `${name}:${lambda}` : name,
  )
  return {
    ...(estimators && { estimators }),
    cluster:
      clustersOffered(traits).find(({ value }) => value === cluster)?.value ?? EVALUATE_DEFAULTS.cluster,
    confidence: numberOf('confidence'),
    interval: INTERVALS.find(interval)?.name ?? EVALUATE_DEFAULTS.interval,
    bootstrap: numberOf('bootstrap'),
    seed: numberOf('seed'),
    tuning: Object.hasOwn(TUNING_MEANINGS, tuning) ? (tuning as TuningMethod) : EVALUATE_DEFAULTS.tuning,
    ...(rewardRange && { rewardRange }),
    ...(maxWeight !== undefined && takesMaxWeight(interval) && { maxWeight }),
    ...saidIn(asked),
  }
}

/** What the user said of the log and the policy, and what is known of it. */
function saidIn(asked: Asked): Pick<EvaluationChoices, 'said' | 'totals'> {
  const policyMade = policyMadeIn(asked.policyMade)
  const facts = factsIn(asked.facts)
  const rows = typedNumber(asked.knownRows, RANGES.knownRows)
  const reward = typedNumber(asked.knownReward)
  const said = { ...(policyMade && { policyMade }), ...(Object.keys(facts).length > 0 && { facts }) }
  const totals = { ...(rows !== undefined && { rows }), ...(reward !== undefined && { reward }) }
  return {
    ...(Object.keys(said).length > 0 && { said }),
    ...(Object.keys(totals).length > 0 && { totals }),
  }
}

const POLICY_MADE: readonly PolicyMade[] = ['elsewhere', 'held-out', 'this-log']

/** Where a policy was made, as a link says it; undefined where it does not. */
export const policyMadeIn = (typed: string): PolicyMade | undefined =>
  POLICY_MADE.find((made) => made === typed)

/** The facts in a list such as `complete,people=no`; what is none is left out. */
export function factsIn(list: string): NonNullable<Said['facts']> {
  const words = list.split(',')
  const said = FACTS.filter((fact) => words.includes(fact) || words.includes(`${fact}=no`))
  return Object.fromEntries(said.map((fact) => [fact, words.includes(fact)]))
}

/** The list of facts again. */
export const factsText = (facts: { readonly [fact in Fact]?: boolean | undefined }): string =>
  FACTS.flatMap((fact) => (facts[fact] === undefined ? [] : [facts[fact] ? fact : `${fact}=no`])).join()

/** Two typed numbers, the first below the second; undefined where either is missing. */
function rangeIn(least: string, most: string): Bounds | undefined {
  const [from, to] = [typedNumber(least), typedNumber(most)]
  return from !== undefined && to !== undefined && from < to ? [from, to] : undefined
}
