import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import type { BackendName } from '../kernels/backends.js'
import { kernelBytes, MOST_BYTES } from '../kernels/wasm/layout.js'
import { counted, formatCount } from '../number-text.js'
import { itemsPerSample, policyTermsOf } from './objective-of.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'

/** The size of a log before it is read. */
export interface TrainingSize {
  readonly rows: number
  readonly users: number
  readonly items: number
  readonly clicks: number
  /** Columns of ids and of numbers that a row has in memory. */
  readonly columns: { readonly ids: number; readonly numbers: number }
}

/** The memory that a training takes, in bytes. */
export interface TrainingMemory {
  /** The log, the parts that it is split into, its ids, the clicks and copies of the embeddings. */
  readonly host: number
  /** What WebAssembly adds to it. */
  readonly wasm: number
  /** The largest piece of a GPU's memory. */
  readonly gpuPiece: number
}

/** A text in a list and in a dictionary. */
const ID_BYTES = 150
/** Of each click: the graph both ways, and the events that batches are drawn from. */
const CLICK_BYTES = 48
/** Tables of embeddings outside the kernel: the best, a checkpoint, the final ones. */
const TABLES = 4
/** What WebGPU binds in one piece, at most, on the devices that were tried. */
const MOST_GPU_PIECE = 2 ** 31
/** A dictionary holds no more ids. */
const MOST_IDS = 2 ** 24

/** About how much memory a training takes, all clicks but those held out counted as distinct. */
export function trainingMemory(
  { rows, users, items, clicks, columns }: TrainingSize,
  settings: TrainSettings,
  trainShare: number,
): TrainingMemory {
  const edges = Math.ceil(clicks * trainShare)
  const nodes = users + items
  const { dim, layers, batch } = settings
  const table = nodes * dim * 4
  const log = rows * (4 * columns.ids + 8 * columns.numbers)
  return {
    host: 2 * log + 5 * rows + nodes * ID_BYTES + clicks * CLICK_BYTES + TABLES * table,
    wasm: kernelBytes({
      graph: { users: Math.max(1, users), items: Math.max(1, items), edges },
      dim,
      layers,
      batch,
      itemsPerSample: itemsPerSample(settings, items),
      ...(LOSSES.named(settings.loss).form === 'policy' && { policy: policyTermsOf(settings) }),
    }),
    gpuPiece: Math.max(8 * edges + 12 * nodes, table),
  }
}

/** Where a training is to run. */
export interface TrainingPlace {
  readonly backend: BackendName
  /** Whether a GPU may be there. */
  readonly mayHaveGpu: boolean
  /** Memory that the process may use, in bytes. */
  readonly available: number
}

const gigabytes = (bytes: number): string => `${formatCount(Number((bytes / 1e9).toPrecision(2)))} GB`

/** A sentence about what a training needs; an error where it cannot fit. */
export function requireMemory(
  name: string,
  size: TrainingSize,
  { host, wasm, gpuPiece }: TrainingMemory,
  { backend, mayHaveGpu, available }: TrainingPlace,
): string {
  const { rows, users, items, clicks } = size
  const onGpu = backend === 'webgpu' || (backend === 'auto' && mayHaveGpu)
  const fitsGpu = onGpu && gpuPiece <= MOST_GPU_PIECE
  const fitsWasm = backend !== 'webgpu' && wasm <= MOST_BYTES
  // The reference keeps its tables in ordinary memory, in doubles.
  const needed = host + (backend === 'reference' ? 2 * wasm : fitsGpu ? 0 : wasm)
  const told = `${name}: ${counted(rows, 'row')} of ${counted(users, 'user')} and ${counted(items, 'item')}, ${counted(clicks, 'click')}`
  const part = advice`Train on a part of the rows, or with fewer dimensions (${set('dim')}) or layers (${set('layers')}).`
  const fits =
    'The largest trainings so far: 79 million clicks in WebAssembly, 238 million on an H200-class GPU.'
  if (Math.max(users, items) > MOST_IDS)
    throw badOption(
      `${told}: a log in memory has at most ${formatCount(MOST_IDS)} users and as many items.`,
      'Train on a part of the users.',
    )
  if (backend !== 'reference' && !fitsGpu && !fitsWasm)
    throw badOption(
      `${told}. Training needs ${backend === 'webgpu' ? `one buffer of ${gigabytes(gpuPiece)} in a GPU’s memory, where at most 2.1 GB are possible` : `${gigabytes(wasm)} of WebAssembly’s memory, which has 4.3 GB`}. ${fits}`,
      part,
    )
  if (needed > available)
    throw badOption(
      `${told}. Training needs about ${gigabytes(needed)} of memory, and this machine has ${gigabytes(available)}. ${fits}`,
      part,
    )
  return `${told}. Training takes about ${gigabytes(needed)} of memory, of ${gigabytes(available)}.`
}
