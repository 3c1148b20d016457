import { HindcastError } from '../error.js'
import type { Graph } from '../graph/graph.js'
import type { ModelCard } from './model-card.js'
import type { ClickModel } from './model.js'
import type { Safetensors, Tensor } from './safetensors.js'

/** Tensors of a file, taken out by name, type and shape. */
export interface TensorReader {
  /** The numbers of a tensor; `undefined` in a shape accepts any size. One that is missing or of another kind is an error. */
  take<Data extends Tensor['data']>(
    key: string,
    Type: new () => Data,
    shape: readonly (number | undefined)[],
  ): Data
  /** The error about a file that does not hold what model.json describes. */
  refuse(reason: string): HindcastError
}

/** Reads the tensors of a model; `name` is what messages call the file. */
export function tensorReader(tensors: Safetensors['tensors'], name: string): TensorReader {
  const refuse = (reason: string): HindcastError =>
    new HindcastError('bad-file', `${name} does not hold the model that model.json describes: ${reason}.`, {
      remedy: 'Train the model again, or copy both files of the folder together.',
    })
  return {
    refuse,
    take(key, Type, shape) {
      const found = tensors[key]
      if (!found) throw refuse(`it has no tensor ${key}`)
      const fits =
        found.shape.length === shape.length &&
        shape.every((size, axis) => size === undefined || size === found.shape[axis])
      if (!(found.data instanceof Type) || !fits)
        throw refuse(
          `${key} is ${found.data.constructor.name} of shape [${found.shape.join(', ')}], not ${Type.name} of [${shape.map((size) => size ?? 'any').join(', ')}]`,
        )
      return found.data
    },
  }
}

/** Whether offsets cut `length` entries into rows. */
export const isCut = (offsets: Uint32Array, length: number): boolean =>
  offsets[0] === 0 && offsets.at(-1) === length && offsets.every((at, k) => k === 0 || offsets[k - 1]! <= at)

/** What model.json says about the shape of a model. */
export type ModelShape = Pick<ModelCard, 'kind' | 'layers' | 'dim' | 'users' | 'items' | 'features'>

/** How a kind of model is kept in a file: its numbers as tensors, and the model again from them, to the same bits. */
export interface ModelStore {
  /** Its width and layers, 0 for a model without embeddings, and the names of its features. */
  shape(model: ClickModel): Pick<ModelCard, 'dim' | 'layers' | 'features'>
  /** Its numbers by name, the training clicks aside. */
  tensors(model: ClickModel): Safetensors['tensors']
  restore(reader: TensorReader, graph: Graph, shape: ModelShape): ClickModel
}
