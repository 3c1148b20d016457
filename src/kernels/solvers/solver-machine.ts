import { badOption, HindcastError } from '../../error.js'
import { formatCount } from '../../number-text.js'
import { hostOf, type StartThread, type Thread } from '../wasm/thread.js'
import { hasSharedMemory } from '../wasm/wasm-kernel.js'

/** What solves large systems: threads of WebAssembly. Results do not depend on their number. */
export interface SolverOptions {
  /** Threads in all; more than one needs shared memory and `startThread`. Default 1. */
  threads?: number
  startThread?: StartThread
}

/** The jobs of assembly/solvers.ts, by their numbers there. */
const JOBS = {
  quit: 0,
  factorColumn: 1,
  invertColumn: 2,
  multiplyRow: 3,
  sumProducts: 4,
  solveRows: 5,
  rankRows: 6,
} as const
type SolverJob = Exclude<keyof typeof JOBS, 'quit'>

/** The words that the host tells the solvers, in the order of assembly/words.ts. */
const WORD_NAMES = [
  'threads',
  'failure',
  'step',
  'tileRows',
  'tiles',
  'sharedTiles',
  'ownTiles',
  'dim',
  'rows',
  'otherRows',
  'offsets',
  'neighbours',
  'own',
  'other',
  'gram',
  'scratch',
  'weights',
  'scratchBytes',
  'lists',
  'listLength',
  'firstRow',
  'endRow',
] as const
type SolverWord = (typeof WORD_NAMES)[number]

const WORDS = 1536
const PAGE = 65536
/** The barrier of the threads, and the word for what failed, within the first page. */
const CONTROL = PAGE - 128
const FAILURE = PAGE - 64
/** What 32-bit addresses reach, less a page for safety. */
const MOST_BYTES = 2 ** 32 - PAGE

/** Memory and threads of a solver. `regions` are byte counts by name; each begins at a cache line. */
export interface SolverMachine<Region extends string> {
  readonly threads: number
  readonly buffer: ArrayBufferLike
  address(region: Region): number
  tell(words: Partial<Record<SolverWord, number>>): void
  run(job: SolverJob): void
  /** The row whose pivot was not positive, or the item whose score is NaN; −1 while there is none. */
  readonly failure: number
  dispose(): Promise<void>
}

interface Exports {
  gather(threads: number, control: number): void
  run(job: number): void
  jobs(): number
}

/** Lays out memory, compiles the solvers and starts their threads. `regions` may depend on the number of threads. */
export async function solverMachine<Region extends string>(
  regions: (threads: number) => Readonly<Record<Region, number>>,
  options: SolverOptions = {},
): Promise<SolverMachine<Region>> {
  const { startThread } = options
  const threads = startThread && hasSharedMemory() ? Math.max(1, options.threads ?? 1) : 1
  const addresses = new Map<Region, number>()
  let end = PAGE
  for (const [region, bytes] of Object.entries(regions(threads)) as [Region, number][]) {
    addresses.set(region, end)
    end += Math.ceil(bytes / 64) * 64
  }
  const memory = makeMemory(end, threads > 1)
  const { default: text } = await (threads > 1
    ? import('../wasm/binary-solvers-shared.js')
    : import('../wasm/binary-solvers-single.js'))
  const module = await WebAssembly.compile(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
  const instance = await WebAssembly.instantiate(module, { env: hostOf(memory) })
  const exports = instance.exports as unknown as Exports
  exports.gather(threads, CONTROL)
  const words = new Uint32Array(memory.buffer, WORDS, WORD_NAMES.length)
  const failure = new Int32Array(memory.buffer, FAILURE, 1)
  failure[0] = -1
  // The first thread may sleep, except that of a web page.
  new Int32Array(memory.buffer, CONTROL, 8)[4] = 'document' in globalThis ? 0 : 1
  const tell = (told: Partial<Record<SolverWord, number>>): void => {
    for (const [name, value] of Object.entries(told)) words[WORD_NAMES.indexOf(name as SolverWord)] = value
  }
  tell({ threads, failure: FAILURE })
  const helpers: Thread[] = []
  for (let thread = 1; thread < threads; thread++)
    helpers.push(await startThread!({ module, memory, thread, lastJob: exports.jobs() }))
  return {
    threads,
    buffer: memory.buffer,
    address: (region) => addresses.get(region)!,
    tell,
    run: (job) => exports.run(JOBS[job]),
    get failure() {
      return failure[0]!
    },
    async dispose() {
      exports.run(JOBS.quit)
      await Promise.all(helpers.map((helper) => helper.stop()))
    },
  }
}

function makeMemory(bytes: number, shared: boolean): WebAssembly.Memory {
  const remedy = 'Close other programs, or use a smaller log.'
  const mebibytes = formatCount(Math.ceil(bytes / 2 ** 20))
  if (bytes > MOST_BYTES)
    throw badOption(`This needs ${mebibytes} MiB, more than WebAssembly can address.`, remedy)
  const pages = Math.ceil(bytes / PAGE)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
  } catch (cause) {
    throw new HindcastError('bad-option', `This needs ${mebibytes} MiB of memory, which is not available.`, {
      remedy,
      cause,
    })
  }
}
