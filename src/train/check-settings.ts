import { HindcastError } from '../error.js'
import { LOSSES, REGULARISERS, STOPPING_MEASURES, TRAINED_MODELS, type TrainSettings } from './settings.js'

/** The settings, once each of them makes sense; matrix factorisation has no layers. */
export function checkSettings(settings: TrainSettings): TrainSettings {
  const { dim, layers, learningRate, batch, l2, epochs, k, patience, minimumGain } = settings
  const { evaluateEvery, temperature, seed, drawn, weightTarget } = settings
  oneOf('model', settings.model, TRAINED_MODELS)
  oneOf('loss', settings.loss, LOSSES)
  oneOf('regulariser', settings.regulariser.kind, REGULARISERS)
  oneOf('stopping measure', settings.stopOn, STOPPING_MEASURES)
  whole('dim', dim, 1, 1024)
  whole('layers', layers, 0, 16)
  whole('batch', batch, 1, 2 ** 20)
  whole('epochs', epochs, 1)
  whole('k', k, 1)
  whole('patience', patience, 1)
  whole('evaluateEvery', evaluateEvery, 1)
  whole('seed', seed, 0)
  whole('drawn', drawn, 1, 4096)
  above('learningRate', learningRate, 0)
  above('temperature', temperature, 0)
  if (weightTarget.kind === 'model') above('temperature of the target', weightTarget.temperature, 0)
  if (!(l2 >= 0 && l2 < Infinity)) refuse(`An l2 of ${l2} makes no sense.`, 'Give a number of at least 0.')
  if (!(minimumGain >= 0)) refuse(`A minimum gain of ${minimumGain} makes no sense.`, 'Give 0 or more.')
  if (settings.model === 'lightgcn' && layers === 0)
    refuse('LightGCN without layers is matrix factorisation.', 'Take --model mf, or at least one layer.')
  return settings.model === 'mf' ? { ...settings, layers: 0 } : settings
}

function whole(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  refuse(
    `A ${name} of ${value} makes no sense.`,
    `Give a whole number of at least ${least}${most < 2 ** 53 - 1 ? ` and at most ${most}` : ''}.`,
  )
}

function above(name: string, value: number, least: number): void {
  if (value > least && value < Infinity) return
  refuse(`A ${name} of ${value} makes no sense.`, `Give a number above ${least}.`)
}

function oneOf(what: string, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    refuse(`There is no ${what} ${JSON.stringify(name)}.`, `Choose ${names.join(', ')}.`)
}

function refuse(message: string, remedy: string): never {
  throw new HindcastError('bad-option', message, { remedy })
}
