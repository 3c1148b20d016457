import { type Adjacency, propagate } from '../graph/graph.js'
import { exp, log, softplus } from '../portable-math.js'
import { ADAM, adamCorrections } from './adam.js'
import { rankTile } from './best-items.js'
import type { Batch, Kernel, KernelSettings, KernelState, LossForm, Numbers, Rankings } from './kernel.js'
import { policyLoss } from './policy-loss.js'

/**
 * The kernel that is easy to verify: float64, one thread, no shortcuts. LightGCN is linear, final = P·E⁰ with
 * P = (I + Â + … + Â^K)/(K + 1), and P is symmetric, so the gradient along E⁰ is P applied to the gradient
 * along the final embeddings: the same propagation serves both ways.
 */
export function referenceKernel(settings: KernelSettings): Kernel {
  const { graph, dim, layers, learningRate, l2, itemsPerSample, variancePenalty = 0 } = settings
  const size = (graph.users + graph.items) * dim
  let embeddings: Float64Array = new Float64Array(size)
  let mean: Float64Array = new Float64Array(size)
  let square: Float64Array = new Float64Array(size)
  let steps = 0
  let losses: number[] = []
  let final = embeddings

  const spread = (table: Float64Array): Float64Array => meanOf(propagate(graph, table, dim, layers))

  const step = (batch: Batch): void => {
    const samples = batch.users.length
    const now = spread(embeddings)
    const userRow = (sample: number): number => batch.users[sample]! * dim
    const itemRow = (sample: number, k: number): number =>
      (graph.users + batch.items[sample * itemsPerSample + k]!) * dim

    const found = Array.from(batch.users, (_, sample) => {
      const scores = Array.from({ length: itemsPerSample }, (__, k) =>
        dot(now, userRow(sample), itemRow(sample, k), dim),
      )
      return lossOf(settings, scores, batch, sample)
    })
    const average = found.reduce((sum, { loss }) => sum + loss, 0) / samples
    losses.push(average)
    const influence = varianceInfluence(
      found.map(({ loss }) => loss),
      average,
      variancePenalty,
    )

    const slope = new Float64Array(size)
    found.forEach(({ slopes }, sample) =>
      slopes.forEach((one, k) => {
        const [user, item] = [userRow(sample), itemRow(sample, k)]
        const share = (one * influence[sample]!) / samples
        for (let d = 0; d < dim; d++) {
          slope[user + d]! += share * now[item + d]!
          slope[item + d]! += share * now[user + d]!
        }
      }),
    )
    const gradient = spread(slope)
    const penalise = (row: number): void => {
      for (let d = 0; d < dim; d++) gradient[row + d]! += (l2 / samples) * embeddings[row + d]!
    }
    for (let sample = 0; sample < samples; sample++) {
      penalise(userRow(sample))
      for (let k = 0; k < itemsPerSample; k++) penalise(itemRow(sample, k))
    }

    steps++
    const { rate, root } = adamCorrections(learningRate, steps)
    for (let p = 0; p < size; p++) {
      const g = gradient[p]!
      mean[p] = ADAM.beta1 * mean[p]! + (1 - ADAM.beta1) * g
      square[p] = ADAM.beta2 * square[p]! + (1 - ADAM.beta2) * g * g
      embeddings[p]! -= (rate * mean[p]!) / (root * Math.sqrt(square[p]!) + ADAM.epsilon)
    }
  }

  const scores = async (users: Uint32Array): Promise<Float64Array> => {
    const result = new Float64Array(users.length * graph.items)
    users.forEach((user, place) => {
      for (let item = 0; item < graph.items; item++)
        result[place * graph.items + item] = dot(final, user * dim, (graph.users + item) * dim, dim)
    })
    return result
  }

  return {
    backend: 'reference',
    threads: 1,
    load: (state: KernelState) => {
      embeddings = Float64Array.from(state.embeddings)
      mean = Float64Array.from(state.mean)
      square = Float64Array.from(state.square)
      steps = state.steps
      losses = []
    },
    copy: () => {
      const rows = embeddings.slice()
      return { read: async () => rows, drop: () => {} }
    },
    state: async () => ({
      embeddings: embeddings.slice(),
      mean: mean.slice(),
      square: square.slice(),
      steps,
    }),
    step,
    settle: async () => {
      const settled = Float64Array.from(losses)
      losses = []
      return settled
    },
    propagate: async () => {
      final = spread(embeddings)
      return final.slice()
    },
    scores,
    topK: async (users: Uint32Array, k: number, exclude?: Adjacency): Promise<Rankings> => {
      const rankings = { users, k, items: new Uint32Array(users.length * k) }
      rankTile(rankings, { scores: await scores(users), first: 0, items: graph.items, exclude })
      return rankings
    },
    dispose: async () => {},
  }
}

/** The loss of a sample of the batch, and its slope along each of its scores. */
function lossOf(
  { form, itemsPerSample, policy }: KernelSettings,
  scores: readonly number[],
  batch: Batch,
  sample: number,
): { loss: number; slopes: number[] } {
  const ofSample = (column: Numbers | undefined): Numbers | undefined =>
    column?.subarray(sample * itemsPerSample, (sample + 1) * itemsPerSample)
  const weight = batch.weights[sample]!
  if (form === 'policy')
    return policyLoss(policy!, scores, {
      weight,
      inversePropensity: batch.inversePropensities![sample]!,
      reward: batch.rewards![sample]!,
      corrections: ofSample(batch.corrections)!,
      expectedRewards: ofSample(batch.expectedRewards),
    })
  return sampleLoss(form, scores, {
    weight,
    opposite: batch.oppositeWeights?.[sample] ?? 0,
    reward: batch.rewards?.[sample],
    corrections: ofSample(batch.corrections),
  })
}

/**
 * How much each sample counts once α·√(Var(ℓ)/B) is added to the mean loss: 1 + α·(ℓ − ℓ̄)·B/((B − 1)·√(B·Var)),
 * the derivative of the sum along ℓ, times B.
 */
function varianceInfluence(losses: readonly number[], mean: number, strength: number): number[] {
  const count = losses.length
  const squares = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0)
  if (strength === 0 || squares === 0) return losses.map(() => 1)
  const variance = squares / (count - 1)
  return losses.map(
    (loss) => 1 + (strength * (loss - mean) * count) / ((count - 1) * Math.sqrt(count * variance)),
  )
}

function meanOf(layers: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(layers[0]!.length)
  for (const layer of layers) for (let p = 0; p < total.length; p++) total[p]! += layer[p]!
  return total.map((sum) => sum / layers.length)
}

function dot(table: Float64Array, first: number, second: number, dim: number): number {
  let sum = 0
  for (let d = 0; d < dim; d++) sum += table[first + d]! * table[second + d]!
  return sum
}

/** What a sample's loss is made from besides its scores: w, v, r and c of `LossForm`. */
interface SampleWeights {
  readonly weight: number
  readonly opposite: number
  readonly reward?: number | undefined
  readonly corrections: Numbers | undefined
}

/** The loss of one sample and its slope along each of its scores, as `LossForm` says; `policyLoss` has that of the policy form. The obvious way, in float64. */
export function sampleLoss(
  form: Exclude<LossForm, 'policy'>,
  scores: readonly number[],
  { weight, opposite, reward, corrections }: SampleWeights,
): { loss: number; slopes: number[] } {
  if (form === 'pairwise') {
    const margin = scores[0]! - scores[1]!
    const slope = weight * sigmoid(-margin)
    return { loss: weight * softplus(-margin), slopes: [-slope, slope] }
  }
  if (form === 'pointwise') {
    const s = scores[0]!
    return {
      loss: weight * softplus(-s) + opposite * softplus(s),
      slopes: [opposite * sigmoid(s) - weight * sigmoid(-s)],
    }
  }
  if (form === 'squared') {
    const error = scores[0]! - reward!
    return { loss: weight * error * error, slopes: [2 * weight * error] }
  }
  const logits = scores.map((score, k) => score - corrections![k]!)
  const most = Math.max(...logits)
  const powers = logits.map((logit) => exp(logit - most))
  const total = powers.reduce((a, b) => a + b)
  return {
    loss: weight * (log(total) + most - logits[0]!),
    slopes: powers.map((power, k) => weight * (power / total - (k === 0 ? 1 : 0))),
  }
}

const sigmoid = (x: number): number => {
  const e = exp(-Math.abs(x))
  return x >= 0 ? 1 / (1 + e) : e / (1 + e)
}
