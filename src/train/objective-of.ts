import { badOption } from '../error.js'
import type { Graph } from '../graph/graph.js'
import type { KernelSettings } from '../kernels/kernel.js'
import type { PolicyTerms } from '../kernels/policy-loss.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import type { Objective } from './losses/loss.js'
import { REGULARISERS } from './regularisers.js'
import type { TrainSettings } from './settings.js'

type Chosen = Pick<TrainSettings, 'loss' | 'parameter'>

/** The objective of settings whose loss is one. */
export function objectiveOf({ loss }: Chosen): Objective {
  const { objective } = LOSSES.named(loss)
  if (!objective) throw new Error(`The loss ${loss} is not an objective.`)
  return objective
}

/** The number of the objective: the chosen one, or the usual one. */
export const parameterOf = (settings: Chosen): number | undefined =>
  settings.parameter ?? LOSSES.named(settings.loss).objective?.parameter?.usual

/** What the kernel is told of an objective. */
export function policyTermsOf(settings: Chosen & Pick<TrainSettings, 'temperature'>): PolicyTerms {
  const { curve, parameter, expects = false } = objectiveOf(settings)
  const bend = parameter?.of === 'curve' ? parameterOf(settings)! : Infinity
  return { curve, bend, temperature: settings.temperature, expects }
}

/**
 * The strength of the kernel's penalty √(Var/B) on a batch that makes it λ·√(Var/n) of all n events: λ·√(B/n). 0 for
 * objectives without one.
 */
export function penaltyOnBatches(settings: Chosen & Pick<TrainSettings, 'batch'>, events: number): number {
  if (objectiveOf(settings).parameter?.of !== 'variance') return 0
  return parameterOf(settings)! * Math.sqrt(Math.min(settings.batch, events) / events)
}

/** Whether what events count depends on the model, and is found anew before each epoch. */
export function followsModel(settings: Pick<TrainSettings, 'loss' | 'parameter' | 'weightTarget'>): boolean {
  const { objective, imputes } = LOSSES.named(settings.loss)
  if (imputes) return true
  if (!objective) return settings.weightTarget.kind === 'model'
  const isFixed = objective.parameter?.of === 'rewards' && settings.parameter !== undefined
  return objective.selfNormalises === true && !isFixed
}

/** Throws for a number that the objective cannot have. */
export function requireParameter({ loss, parameter }: Chosen): void {
  if (parameter === undefined) return
  const may = LOSSES.named(loss).objective?.parameter
  if (may && parameter >= may.least && parameter <= may.most) return
  throw badOption(
    `${loss} cannot have the number ${parameter}.`,
    may ? `Give ${may.expected}: ${loss}:${may.example}.` : 'It takes none: leave it out.',
  )
}

/** Items in a sample of the loss, of a catalogue of so many: a policy is taken over all items while they are few. */
export const itemsPerSample = (
  { loss, drawn }: Pick<TrainSettings, 'loss' | 'drawn'>,
  items: number,
): number =>
  ({ pairwise: 2, pointwise: 1, squared: 1, softmax: 1 + drawn, policy: Math.min(1 + drawn, items) })[
    LOSSES.named(loss).form
  ]

/** What the kernel has to know of the settings. */
export const kernelSettings = (settings: TrainSettings, graph: Graph, events: Events): KernelSettings => ({
  graph,
  dim: settings.dim,
  layers: settings.layers,
  learningRate: settings.learningRate,
  l2: settings.l2,
  form: LOSSES.named(settings.loss).form,
  itemsPerSample: itemsPerSample(settings, graph.items),
  // A click and the item drawn beside it may be two samples, a rating and the imputed ones three.
  batch: Math.max(3, settings.batch),
  ...(LOSSES.named(settings.loss).form === 'policy'
    ? { policy: policyTermsOf(settings), variancePenalty: penaltyOnBatches(settings, events.count) }
    : {
        variancePenalty:
          REGULARISERS.named(settings.regulariser.kind).family === 'losses'
            ? settings.regulariser.strength
            : 0,
      }),
})
