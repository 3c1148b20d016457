import { isSolved, type TrainedModelName } from '../../model/trained-models.js'
import { randomStream } from '../../random/stream.js'
import { checkSettings } from '../check-settings.js'
import { logSmoothing } from '../losses/policy.js'
import { DEFAULT_SETTINGS, type TrainSettings } from '../settings.js'
import { settingsFor } from '../settings-for.js'
import { type Alternative, type DimensionName, DIMENSIONS, type Ground } from './dimensions.js'

/** What trials are drawn from. */
export interface Space {
  readonly ground: Ground
  /** Settings that all trials share. */
  readonly fixed: Alternative
  /** What is tried instead of the usual values. */
  readonly tried: Readonly<Partial<Record<DimensionName, readonly Alternative[]>>>
  readonly seed: number
}

/** Draws without a new trial after which a space is taken to have no more. */
const MOST_REPEATS = 200

/**
 * So many different trials, each setting drawn by itself, uniformly from its values; fewer where the space has no more.
 * A trial depends on the seed and on those before it, so that more trials begin with the same ones.
 */
export function drawTrials(space: Space, count: number): TrainSettings[] {
  const found = new Map<string, TrainSettings>()
  let repeats = 0
  for (let draw = 0; found.size < count && repeats < MOST_REPEATS; draw++) {
    const settings = drawnSettings(space, draw)
    const key = JSON.stringify(settings)
    repeats = found.has(key) ? repeats + 1 : 0
    found.set(key, settings)
  }
  return [...found.values()]
}

function drawnSettings(space: Space, draw: number): TrainSettings {
  const random = randomStream(space.seed, 'trials of a tuning', draw)
  return settingsOf(space, (alternatives) => alternatives[Math.floor(random.uniform() * alternatives.length)])
}

/** The settings that `pick` takes from the values of each dimension. */
function settingsOf(
  space: Space,
  pick: (alternatives: readonly Alternative[], isAsked: boolean) => Alternative | undefined,
): TrainSettings {
  const { ground, fixed } = space
  const chosen = DIMENSIONS.reduce<Alternative>((before, { name, applies, usual }) => {
    if (fixed[name] !== undefined || !applies(before)) return before
    const asked = space.tried[name]
    const found = pick(gradientOnly(asked ?? usual(before, ground)), asked !== undefined)
    return { ...before, ...found }
  }, fixed)
  return withDefaults(space, chosen)
}

const withDefaults = ({ ground }: Space, chosen: Alternative): TrainSettings =>
  checkSettings(settingsFor(ground.hasPropensities, { ...chosen, stopOn: ground.by }))

/** Models that are solved choose their own numbers: they are tried once, apart from what is drawn. */
const gradientOnly = (alternatives: readonly Alternative[]): readonly Alternative[] =>
  alternatives.filter(({ model }) => model === undefined || !isSolved(model))

/**
 * What training by gradients would do without tuning: the defaults, with what all trials share and the first of what was asked
 * for. Models that are solved are trials of their own.
 */
export function defaultTrial(space: Space): TrainSettings {
  const { by } = space.ground
  const asked = settingsAsked(space)
  return withDefaults(space, {
    ...(by !== 'lower-bound' && asked.loss === undefined && { model: DEFAULT_SETTINGS.model }),
    ...(by === 'lower-bound' && asked.loss === undefined && { loss: logSmoothing.name }),
    ...asked,
  })
}

/** The fixed settings with the first value of each dimension that was asked for and applies. */
function settingsAsked({ fixed, tried }: Space): Alternative {
  return DIMENSIONS.reduce<Alternative>((before, { name, applies }) => {
    const [first] = gradientOnly(tried[name] ?? [])
    return first && fixed[name] === undefined && applies(before) ? { ...before, ...first } : before
  }, fixed)
}

/** The models to try that are solved: those asked for, or the `usual` ones where no model is named and clicks are ranked. */
export function solvedTrials(space: Space, usual: readonly TrainedModelName[]): TrainSettings[] {
  const { ground, fixed, tried } = space
  if (ground.by === 'lower-bound' || fixed.loss !== undefined || tried.loss) return []
  const asked = (fixed.model ? [fixed] : tried.model)?.flatMap(({ model }) => model ?? [])
  const models = asked ? asked.filter(isSolved) : usual
  // What a loss is made of means nothing to them.
  const { regulariser: _, parameter: __, start: ___, biases: ____, ...shared } = fixed
  return models.map((model) => withDefaults(space, { ...shared, model }))
}

/** Whether there is anything to train by gradients. */
export const hasGradients = ({ fixed, tried }: Space): boolean =>
  fixed.model === undefined ? !tried.model || gradientOnly(tried.model).length > 0 : !isSolved(fixed.model)
