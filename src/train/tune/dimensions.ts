import { isSolved, TRAINED_MODELS } from '../../model/trained-models.js'
import { bpr, ipsBpr, ipsSoftmax, LOSSES, type LossName, softmax } from '../losses/index.js'
import type { TrainSettings } from '../settings.js'
import type { TunedBy } from './tuning.js'

/** Settings chosen together, such as an objective with its number. */
export type Alternative = Partial<TrainSettings>

/** What the log and the question allow. */
export interface Ground {
  readonly by: TunedBy
  readonly hasPropensities: boolean
  readonly items: number
}

/** A setting that is tried at several values. */
interface Dimension<Name extends string = string> {
  readonly name: Name
  /** Whether it matters, given the dimensions before it. */
  applies(chosen: Alternative): boolean
  /** What is tried unless otherwise asked. */
  usual(chosen: Alternative, ground: Ground): readonly Alternative[]
}

const always = (): boolean => true
const isGradient = ({ model }: Alternative): boolean => model === undefined || !isSolved(model)
const lossOf = ({ loss }: Alternative) => (loss === undefined ? undefined : LOSSES.named(loss))

/** The dimension of one setting: where it matters, and the values that are tried of it. */
const dimension = <Name extends keyof TrainSettings>(
  name: Name,
  applies: Dimension['applies'],
  valuesOf: (chosen: Alternative, ground: Ground) => readonly TrainSettings[Name][],
): Dimension<Name> => ({
  name,
  applies,
  usual: (chosen, ground) => valuesOf(chosen, ground).map((value) => ({ [name]: value })),
})

const model = dimension('model', always, (_, { by }) => (by === 'lower-bound' ? ['mf'] : ['lightgcn', 'mf']))

/** Objectives for what a policy earns; else the usual losses, weighted too where there are propensities. */
const loss = dimension('loss', isGradient, (_, { by, hasPropensities }) =>
  by === 'lower-bound'
    ? LOSSES.all.filter(({ objective }) => objective).map(({ name }): LossName => name)
    : [bpr, softmax, ...(hasPropensities ? [ipsBpr, ipsSoftmax] : [])].map(({ name }) => name),
)

/** Multiples of an objective's usual number. */
const MULTIPLES = [0.1, 0.3, 1, 3, 10]

const parameter = dimension(
  'parameter',
  (chosen) => chosen.parameter === undefined && lossOf(chosen)?.objective?.parameter?.usual !== undefined,
  (chosen) => {
    const { usual = 1, least, most } = lossOf(chosen)!.objective!.parameter!
    const values = MULTIPLES.map((multiple) => Number((usual * multiple).toPrecision(3)))
    return values.filter((value) => value >= least && value <= most)
  },
)

const start = dimension(
  'start',
  (chosen) => lossOf(chosen)?.objective !== undefined && chosen.model === 'mf',
  () => ['uniform', 'logging'],
)

const regulariser = dimension(
  'regulariser',
  (chosen) => lossOf(chosen)?.weights === 'ips',
  () => [
    { kind: 'none', strength: 0 },
    ...[0.03, 0.1, 0.3, 1].map((strength) => ({ kind: 'shrink', strength }) as const),
    ...[3, 10, 30].map((strength) => ({ kind: 'clip', strength }) as const),
    ...[0.25, 0.5, 0.75].map((strength) => ({ kind: 'power', strength }) as const),
  ],
)

const biases: Dimension<'biases'> = {
  name: 'biases',
  applies: (chosen) => chosen.model === 'mf' && lossOf(chosen)?.objective === undefined,
  usual: () => [{}, { biases: true }],
}

const learningRate = dimension('learningRate', isGradient, () => [5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2])

const l2 = dimension('l2', isGradient, () => [1e-6, 1e-5, 1e-4, 1e-3, 1e-2])

/** A linear policy is as wide as its features. */
const isFree = (chosen: Alternative): boolean => isGradient(chosen) && chosen.model !== 'linear'

const dim = dimension('dim', isFree, () => [32, 64, 128])

const hasLayers = ({ model: name }: Alternative): boolean =>
  TRAINED_MODELS.find(name ?? '')?.hasLayers === true

const layers = dimension('layers', hasLayers, () => [1, 2, 3])

const drawn = dimension(
  'drawn',
  (chosen) => lossOf(chosen)?.form === 'softmax',
  (_, { items }) => [16, 64, 256].filter((count) => count === 16 || count < items),
)

/** What is tried, in this order: later ones depend on what those before them chose. */
export const DIMENSIONS = [
  model,
  loss,
  parameter,
  start,
  regulariser,
  biases,
  learningRate,
  l2,
  dim,
  layers,
  drawn,
] as const

export type DimensionName = (typeof DIMENSIONS)[number]['name']
