import { type Advice, advice, set } from '../advice.js'
import { badOption } from '../error.js'
import { listed } from '../listed.js'
import { isLinear, TRAINED_MODELS } from '../model/trained-models.js'
import { LOSSES } from './losses/index.js'
import { requireParameter } from './objective-of.js'
import { learnsRatings } from './rating-rows.js'
import { requireStrength } from './regularisers.js'
import type { TrainSettings } from './settings.js'
import { STOPPING_MEASURES } from './stopping-measures.js'

/** The settings, once each is valid; matrix factorisation has no layers. */
export function checkSettings(settings: TrainSettings): TrainSettings {
  const { dim, layers, learningRate, batch, l2, epochs, k, patience, minimumGain } = settings
  const { evaluateEvery, temperature, seed, drawn, weightTarget, negatives, ips, sampleBy } = settings
  const model = TRAINED_MODELS.named(settings.model)
  const loss = LOSSES.named(settings.loss)
  STOPPING_MEASURES.named(settings.stopOn)
  oneOf('weight target', weightTarget.kind, ['uniform', 'inverse', 'model', 'column'])
  oneOf('way to draw negatives', negatives.kind, ['unclicked', 'all', 'popularity'])
  oneOf('way to use weights', ips, ['weight', 'resample'])
  oneOf('way to sample', sampleBy, ['event', 'user'])
  requireStrength(settings.regulariser)
  requireParameter(settings)
  if (loss.objective && settings.regulariser.kind !== 'none')
    refuse(
      `The objective ${loss.name} has no weights for the regulariser ${settings.regulariser.kind} to change: its weights follow the policy at every step.`,
      advice`Leave the regulariser out (${set('regulariser', 'none')}); clipped-ips, log-smoothing and poem hold large weights back.`,
    )
  whole('dim', dim, 1, 1024)
  whole('layers', layers, 0, 16)
  whole('batch', batch, 1, 2 ** 20)
  whole('epochs', epochs, 1)
  whole('k', k, 1)
  whole('patience', patience, 1)
  if (settings.patienceSteps !== undefined) whole('patienceSteps', settings.patienceSteps, 0)
  whole('evaluateEvery', evaluateEvery, 1)
  whole('seed', seed, 0)
  whole('drawn', drawn, 1, 4096)
  above('learningRate', learningRate, 0)
  above('temperature', temperature, 0)
  if (weightTarget.kind === 'model') {
    above('temperature of the target', weightTarget.temperature, 0)
    within('epsilon of the target', weightTarget.epsilon, 1)
  }
  // Beyond, powers of clicks leave the range of numbers.
  if (negatives.kind === 'popularity') within('power of popularity', negatives.power, 10)
  if (!(l2 >= 0 && l2 < Infinity)) refuse(`The setting l2 cannot be ${l2}.`, 'Give a number of at least 0.')
  if (!(minimumGain >= 0)) refuse(`The setting minimumGain cannot be ${minimumGain}.`, 'Give 0 or more.')
  if (model.hasLayers && layers === 0)
    refuse(
      `${model.label} without layers is matrix factorisation.`,
      advice`Choose ${set('model', 'mf')}, or at least one layer.`,
    )
  if (settings.start !== undefined) oneOf('start', settings.start, ['uniform', 'logging'])
  if (settings.start === 'logging' && (!loss.objective || model.hasLayers))
    refuse(
      'Only an objective by matrix factorisation can start at the logging policy.',
      advice`Choose ${set('model', 'mf')} and an objective such as ips, or leave the start out.`,
    )
  if (loss.withoutResampling !== undefined && ips === 'resample')
    refuse(
      `The loss ${loss.name} ${loss.withoutResampling}.`,
      advice`Let the weights multiply the loss, with ${set('ips', 'weight')}.`,
    )
  if (learnsRatings(settings)) checkRatings(settings)
  if (isLinear(settings.model) && !loss.objective)
    refuse(
      `A linear policy is learnt by an objective, not by the loss ${loss.name}.`,
      advice`Choose ${set('objective', 'dr')} or another objective.`,
    )
  checkSolved(settings)
  return model.hasLayers ? settings : { ...settings, layers: 0 }
}

/** Biases of users and items take two columns, which layers would blur; and ratings are judged by their errors. */
function checkRatings({ loss, model, dim, stopOn }: TrainSettings): void {
  if (model !== 'mf')
    refuse(
      `The loss ${loss} predicts ratings by matrix factorisation, not by ${TRAINED_MODELS.named(model).label}.`,
      advice`Choose ${set('model', 'mf')}.`,
    )
  whole('dim', dim, 3, 1024)
  if (!STOPPING_MEASURES.named(stopOn).isError)
    refuse(
      `Training by the loss ${loss} cannot stop on ${stopOn}: which items were rated says nothing about what users like.`,
      advice`Choose ${set('stopOn', 'mse')} or ${set('stopOn', 'weighted-mse')}.`,
    )
}

/** What only some models have, and what those that are solved do without. */
function checkSolved({
  model: name,
  loss,
  regulariser,
  biases,
  lambda,
  unobserved,
  neighbours,
  shrinkage,
}: TrainSettings): void {
  const model = TRAINED_MODELS.named(name)
  if (model.family === 'solved' && (LOSSES.named(loss).weights !== 'none' || regulariser.kind !== 'none'))
    refuse(
      `${model.label} is solved from the clicks, without a loss and its weights.`,
      LOSSES.named(loss).objective
        ? advice`Leave out ${set('objective', loss)}, or choose ${set('model', 'mf')} or ${set('model', 'lightgcn')}.`
        : advice`Leave out ${set('loss')} and ${set('regulariser')}, or choose ${set('model', 'lightgcn')} or ${set('model', 'mf')}.`,
    )
  if (biases && name !== 'mf')
    refuse(`${model.label} has no biases to learn.`, advice`Choose ${set('model', 'mf')}, or leave them out.`)
  const takes: Readonly<Record<string, readonly string[]>> = {
    lambda: ['ease', 'slim', 'ials'],
    unobserved: ['ials'],
    neighbours: ['item-knn', 'slim'],
    shrinkage: ['item-knn'],
  }
  for (const [setting, value] of Object.entries({ lambda, unobserved, neighbours, shrinkage }))
    if (value !== undefined && !takes[setting]!.includes(name))
      refuse(
        `The setting ${setting} belongs to ${listed(takes[setting]!)}, not to ${name}.`,
        advice`Choose ${set('model', takes[setting]![0]!)}, or leave it out.`,
      )
  if (lambda !== undefined) above('lambda', lambda, 0)
  if (neighbours !== undefined) whole('neighbours', neighbours, 1)
  if (unobserved !== undefined && !(unobserved >= 0 && unobserved < Infinity))
    refuse(`The setting unobserved cannot be ${unobserved}.`, 'Give a number of at least 0.')
  if (shrinkage !== undefined && !(shrinkage >= 0 && shrinkage < Infinity))
    refuse(`The setting shrinkage cannot be ${shrinkage}.`, 'Give a number of at least 0.')
}

function whole(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  refuse(
    `The setting ${name} cannot be ${value}.`,
    `Give a whole number of at least ${least}${most < 2 ** 53 - 1 ? ` and at most ${most}` : ''}.`,
  )
}

function above(name: string, value: number, least: number): void {
  if (value > least && value < Infinity) return
  refuse(`The setting ${name} cannot be ${value}.`, `Give a number above ${least}.`)
}

function within(name: string, value: number, most: number): void {
  if (value >= 0 && value <= most) return
  refuse(`The setting ${name} cannot be ${value}.`, `Give a number from 0 to ${most}.`)
}

function oneOf(what: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    refuse(`There is no ${what} ${JSON.stringify(name)}.`, `Choose ${names.join(', ')}.`)
}

function refuse(message: string, remedy: string | Advice): never {
  throw badOption(message, remedy)
}
