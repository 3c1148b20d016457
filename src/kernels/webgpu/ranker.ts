import { badOption } from '../../error.js'
import type { Adjacency } from '../../graph/graph.js'
import { rankTile } from '../best-items.js'
import type { KernelSettings, Rankings } from '../kernel.js'
import { type DeviceWatch, makeBuffers, readBack } from './device-memory.js'
import { ASKED_HEAD, excludeShader, rankShader, scoreShader, TILE } from './rank-shader.js'
import { type Compiler, dispatchOf, type Shader, type ShaderBuffer } from './shader.js'

/** Scores kept at a time, in bytes, and rankings before they are read. */
const SCORES_BYTES = 2 ** 26
const RANKED_BYTES = 2 ** 26
const MOST_USERS = 1024
/** More items than this are ranked by the host: the device finds them one after the other. */
const MOST_RANKED = 128

const NO_FAILURE = 0xffffffff

export interface RankerParts {
  readonly device: GPUDevice
  readonly name: string
  readonly watch: DeviceWatch
  readonly settings: KernelSettings
  /** Final embeddings of all nodes. */
  readonly finals: GPUBuffer
  readonly compiler: Compiler
  readonly uniforms: GPUBindGroup
}

/** A shader to run, on how many workgroups, with which buffers besides the ranker's own. */
interface RankWork {
  readonly shader: Shader
  readonly workgroups: number
  readonly others: Partial<Record<ShaderBuffer, GPUBuffer>>
}

type OwnBuffers = Readonly<Record<'asked' | 'scores' | 'failed', GPUBuffer>>

/** Makes what scores and ranks from the final embeddings. */
export async function makeRanker(parts: RankerParts): Promise<Ranker> {
  const { users, items } = parts.settings.graph
  const fit = Math.min(users, MOST_USERS, Math.floor(SCORES_BYTES / (4 * items)))
  const tileUsers = Math.max(1, fit < TILE ? fit : fit - (fit % TILE))
  const buffers = await makeBuffers(parts, {
    asked: 4 * (ASKED_HEAD + tileUsers),
    scores: 4 * tileUsers * items,
    failed: 4,
  })
  return new Ranker(parts, buffers, tileUsers)
}

/** Owns the device's scores and what was excluded last. */
export class Ranker {
  readonly #parts: RankerParts
  readonly #buffers: OwnBuffers
  readonly #tileUsers: number
  #excluded: { of: Adjacency; buffer: GPUBuffer } | undefined

  constructor(parts: RankerParts, buffers: OwnBuffers, tileUsers: number) {
    this.#parts = parts
    this.#buffers = buffers
    this.#tileUsers = tileUsers
  }

  /** Scores of all items for some users, row after row. */
  async scores(users: Uint32Array): Promise<Float32Array> {
    const { items } = this.#parts.settings.graph
    const result = new Float32Array(users.length * items)
    await this.#eachTile(users, (scores, first) => result.set(scores, first * items))
    return result
  }

  /** The k best items of some users. */
  async topK(users: Uint32Array, k: number, exclude?: Adjacency): Promise<Rankings> {
    const { items } = this.#parts.settings.graph
    if (!(Number.isInteger(k) && k >= 1))
      throw badOption(`The number of best items cannot be ${k}.`, 'Give a whole number of at least 1.')
    const rankings = { users, k, items: new Uint32Array(users.length * k) }
    if (k > MOST_RANKED)
      await this.#eachTile(users, (scores, first) => rankTile(rankings, { scores, first, items, exclude }))
    else {
      const part = Math.max(1, Math.floor(RANKED_BYTES / (4 * k)))
      for (let first = 0; first < users.length; first += part)
        rankings.items.set(await this.#rank(users.subarray(first, first + part), k, exclude), first * k)
    }
    return rankings
  }

  /** Gives back its memory. */
  dispose(): void {
    for (const buffer of Object.values(this.#buffers)) buffer.destroy()
    this.#excluded?.buffer.destroy()
  }

  async #rank(users: Uint32Array, k: number, exclude: Adjacency | undefined): Promise<Uint32Array> {
    const { device, watch } = this.#parts
    const ranked = (await makeBuffers(this.#parts, { ranked: 4 * users.length * k })).ranked
    const excluded = exclude && (await this.#exclusionOf(exclude))
    device.queue.writeBuffer(this.#buffers.failed, 0, Uint32Array.of(NO_FAILURE))
    for (let first = 0; first < users.length; first += this.#tileUsers) {
      const asked = users.subarray(first, first + this.#tileUsers)
      await this.#send(asked, { k, first }, [
        this.#scoring(asked.length),
        ...(excluded ? [{ shader: excludeShader(), workgroups: asked.length, others: { excluded } }] : []),
        { shader: rankShader(), workgroups: asked.length, others: { ranked } },
      ])
    }
    const [items, failed] = await watch.wait(
      Promise.all([
        readBack(device, ranked, 4 * users.length * k).bytes(),
        readBack(device, this.#buffers.failed, 4).bytes(),
      ]),
    )
    ranked.destroy()
    const [failure] = new Uint32Array(failed)
    if (failure !== NO_FAILURE)
      throw badOption(
        `The score of item ${failure} is NaN.`,
        'Training probably diverged: try a smaller learning rate, or regularise the weights.',
      )
    return new Uint32Array(items)
  }

  /** Scores of as many users at a time as there is room for. */
  async #eachTile(users: Uint32Array, visit: (scores: Float32Array, first: number) => void): Promise<void> {
    const { device, watch, settings } = this.#parts
    for (let first = 0; first < users.length; first += this.#tileUsers) {
      const asked = users.subarray(first, first + this.#tileUsers)
      await this.#send(asked, { k: 0, first: 0 }, [this.#scoring(asked.length)])
      const bytes = 4 * asked.length * settings.graph.items
      visit(new Float32Array(await watch.wait(readBack(device, this.#buffers.scores, bytes).bytes())), first)
    }
  }

  /** Asks about users, and sends the work that answers. */
  async #send(
    users: Uint32Array,
    { k, first }: { k: number; first: number },
    work: readonly RankWork[],
  ): Promise<void> {
    const { device, uniforms, compiler, finals } = this.#parts
    // Compiled once for a device, when they are first needed.
    const programs = await Promise.all(work.map(({ shader }) => compiler.compile(shader)))
    const words = new Uint32Array(ASKED_HEAD + users.length)
    words.set([users.length, k, first])
    words.set(users, ASKED_HEAD)
    device.queue.writeBuffer(this.#buffers.asked, 0, words)
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setBindGroup(0, uniforms, [0])
    work.forEach(({ workgroups, others }, place) => {
      const { pipeline, bind } = programs[place]!
      pass.setPipeline(pipeline)
      pass.setBindGroup(1, bind({ ...this.#buffers, finals, ...others }))
      pass.dispatchWorkgroups(...dispatchOf(workgroups))
    })
    pass.end()
    device.queue.submit([encoder.finish()])
  }

  #scoring(users: number): RankWork {
    const { items } = this.#parts.settings.graph
    return {
      shader: scoreShader(),
      workgroups: Math.ceil(users / TILE) * Math.ceil(items / TILE),
      others: {},
    }
  }

  /** What is left out for each user, kept on the device until something else is: an evaluation asks for the same every time. */
  async #exclusionOf(exclude: Adjacency): Promise<GPUBuffer> {
    if (this.#excluded?.of !== exclude) {
      this.#excluded?.buffer.destroy()
      this.#excluded = undefined
      const { device, settings } = this.#parts
      const { neighbours } = exclude
      const offsets = exclude.offsets.subarray(0, settings.graph.users + 1)
      const { excluded } = await makeBuffers(this.#parts, {
        excluded: 4 * (offsets.length + neighbours.length),
      })
      device.queue.writeBuffer(excluded, 0, offsets)
      device.queue.writeBuffer(excluded, 4 * offsets.length, neighbours)
      this.#excluded = { of: exclude, buffer: excluded }
    }
    return this.#excluded.buffer
  }
}
