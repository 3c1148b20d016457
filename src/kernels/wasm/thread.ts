/** What a worker thread of the kernel is given: it instantiates the module on the shared memory and goes to work. */
export interface ThreadStart {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
  /** Its number, from 1. */
  readonly thread: number
  /** The number of the last job that was given before it began. */
  readonly lastJob: number
}

/** A worker thread. */
export interface Thread {
  /** Stops it, whatever it is doing. */
  stop(): Promise<void>
}

/** Starts a worker thread; ready when it has gone to work. Node and browsers each have their own way. */
export type StartThread = (start: ThreadStart) => Promise<Thread>

/** What the kernel asks of its host: to sleep until a word of memory changes. A thread that never arrives is an error. */
export const hostOf = (memory: WebAssembly.Memory): { memory: WebAssembly.Memory; sleep: Sleep } => {
  const words = new Int32Array(memory.buffer)
  const sleep: Sleep = (address, old, milliseconds) => {
    if (Atomics.wait(words, address >>> 2, old, milliseconds) === 'timed-out')
      throw new Error('A thread of the kernel no longer responds.')
  }
  return { memory, sleep }
}
type Sleep = (address: number, old: number, milliseconds: number) => void

/** The program of a worker thread, as text, since that is what every kind of worker can be given. */
export const THREAD_PROGRAM = `
const hostOf = ${hostOf.toString()}
const goToWork = ({ module, memory, thread, lastJob }, say) =>
  WebAssembly.instantiate(module, { env: hostOf(memory) }).then(({ exports }) => {
    say('ready')
    exports.work(thread, lastJob)
  })
`

/** A thread as a web worker. */
export const startWebThread: StartThread = (start) => {
  const program = `${THREAD_PROGRAM}onmessage = ({ data }) => goToWork(data, postMessage)`
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }))
  const worker = new Worker(url)
  return new Promise((resolve, reject) => {
    worker.onmessage = () => {
      URL.revokeObjectURL(url)
      resolve({ stop: async () => worker.terminate() })
    }
    worker.onerror = (event) => reject(new Error(event.message || 'The worker did not start.'))
    worker.postMessage(start)
  })
}
