import type { Adjacency, Graph } from '../graph/graph.js'
import type { PolicyTerms } from './policy-loss.js'
import type { CompactBatch } from './webgpu/compact-batch.js'

/**
 * How the scores of a sample become a loss. A sample is a user with one or more items; s are their scores.
 *
 * | form | items per sample | loss of the sample |
 * |---|---|---|
 * | pairwise | 2: clicked i, not clicked j | w · softplus(−(s_i − s_j)) |
 * | pointwise | 1 | w · softplus(−s) + v · softplus(s) |
 * | squared | 1 | w · (s − r)² |
 * | softmax | 1 + m: clicked i, then m drawn | −w · log(e^{s_i − c_i} / Σ_j e^{s_j − c_j}) |
 * | policy | 1 + m: shown i, then all others or m drawn | −w · g(π, 1/b, r), π = e^{s_i/T − c_i} / Σ_j e^{s_j/T − c_j}, g of `PolicyTerms` |
 */
export type LossForm = 'pairwise' | 'pointwise' | 'squared' | 'softmax' | 'policy'

/** Numbers of a kernel: float32 in the fast ones, float64 in the reference. */
export type Numbers = Float32Array | Float64Array

/** One batch of samples, in columns. */
export interface Batch {
  /** The user of each sample. */
  readonly users: Uint32Array
  /** The items of each sample, one sample after the other. */
  readonly items: Uint32Array
  /** w of each sample. */
  readonly weights: Numbers
  /** v of each sample, in the pointwise form. */
  readonly oppositeWeights?: Numbers
  /** c of each item of each sample, in the softmax and policy forms: the logarithm of how often it is expected among the drawn. */
  readonly corrections?: Numbers
  /** 1/b of the shown item, for each sample of the policy form. */
  readonly inversePropensities?: Numbers
  /** r of each sample: its reward in the policy form, its rating in the squared one. */
  readonly rewards?: Numbers
  /** q of each item of each sample, in the policy form where `PolicyTerms.expects`. */
  readonly expectedRewards?: Numbers
  /** The nodes of the batch by `batchCompactor`, where they were numbered ahead; backends that want them do it themselves otherwise. */
  readonly compact?: CompactBatch
}

/** What a kernel is made for; fixed for its lifetime. */
export interface KernelSettings {
  readonly graph: Graph
  /** Width d of the embeddings. */
  readonly dim: number
  /** Propagation layers K; 0 is matrix factorisation. */
  readonly layers: number
  readonly learningRate: number
  /** λ of the penalty λ/(2B) Σ ‖e⁰‖² over the layer-0 embeddings of a batch of B samples, counted as often as they occur. */
  readonly l2: number
  readonly form: LossForm
  /** Items per sample: 2 in the pairwise form, 1 in the pointwise and the squared one. */
  readonly itemsPerSample: number
  /** The largest batch. */
  readonly batch: number
  /**
   * Strength of the variance penalty: adds this much of √(Var(ℓ)/B) to the mean loss of a batch, ℓ the weighted
   * losses of its samples (Swaminathan & Joachims 2015). Default 0.
   */
  readonly variancePenalty?: number
  /** What the policy form is taught by. */
  readonly policy?: PolicyTerms
}

/** Everything that training changes: with it a kernel resumes where another stopped, to the same bits. */
export interface KernelState {
  /** Layer-0 embeddings, users first, then items; row after row of `dim` numbers. */
  readonly embeddings: Numbers
  /** Adam's running mean of the gradient, and of its square. */
  readonly mean: Numbers
  readonly square: Numbers
  /** Steps taken. */
  readonly steps: number
}

/** Embeddings as they were at some time, kept where they are until somebody reads them. */
export interface EmbeddingsCopy {
  /** Layer-0 embeddings, laid out as in `KernelState`. */
  read(): Promise<Numbers>
  /** Frees it unread. */
  drop(): void
}

/** The best items of some users: row after row of `k` items, best first; `NO_ITEM` where there are fewer. */
export interface Rankings {
  readonly users: Uint32Array
  readonly k: number
  readonly items: Uint32Array
}

/** Stands in rankings where a user has no further item. */
export const NO_ITEM = 0xffffffff

/**
 * The inner loops of training, on some device. Parameters, moments and gradients live inside; batches go in,
 * and embeddings come out only to be evaluated or saved. Every backend passes `conformance.test.ts` against
 * `reference.ts`. Adam's β are 0.9 and 0.999, its ε 1e-8.
 */
export interface Kernel {
  readonly backend: 'reference' | 'wasm' | 'webgpu'
  readonly threads: number
  /** The name of the device it runs on, if not the CPU. */
  readonly device?: string
  /** Loads a state, made by `state()` or with moments of zero to begin. */
  load(state: KernelState): void
  /** A copy of everything that training changes. */
  state(): Promise<KernelState>
  /** A copy of the layer-0 embeddings after the steps given so far; a device is waited for only when it is read. */
  copy(): EmbeddingsCopy
  /** Runs one step, or puts it in the queue of a device. The arrays of the batch are free again afterwards. */
  step(batch: Batch): void
  /** Waits for the steps given so far; returns the mean loss, penalties left out, of each step since the last call. */
  settle(): Promise<Float64Array>
  /** Final embeddings P·E⁰ of all users and items, as `KernelState.embeddings` is laid out. Ranking and scoring use those of the last call. */
  propagate(): Promise<Numbers>
  /** Scores of all items for some users, row after row, from the last `propagate`. */
  scores(users: Uint32Array): Promise<Numbers>
  /** The k best items of some users from the last `propagate`, those excluded for them left out; of equal scores the first item wins. */
  topK(users: Uint32Array, k: number, exclude?: Adjacency): Promise<Rankings>
  /** Stops its threads and frees its memory. */
  dispose(): Promise<void>
}
