// Scores of the samples of a batch, their losses, and the slope of the loss along each score.
import { Field, plan } from './plan'
import { policy } from './policy-loss'
import { lanes } from './rows'
import { Step, stepNumber, stepWord } from './step'

const enum Form {
  pairwise,
  pointwise,
  softmax,
  policy,
  squared,
}

/** Losses and coefficients of the samples from `first` up to `end`. */
export function weigh(first: i32, end: i32): void {
  const form = <i32>plan(Field.form)
  const each = <i32>plan(Field.itemsPerSample)
  const share = 1 / <f64>stepWord(Step.samples)
  for (let sample = first; sample < end; sample++) {
    const slopes = plan(Field.coefficients) + ((<usize>(sample * each)) << 2)
    // Scores are put where the slopes will be.
    score(sample, each, slopes)
    const w = <f64>load<f32>(plan(Field.weights) + ((<usize>sample) << 2))
    let loss: f64
    if (form == Form.pairwise) loss = pairwise(slopes, w)
    else if (form == Form.pointwise)
      loss = pointwise(slopes, w, <f64>load<f32>(plan(Field.oppositeWeights) + ((<usize>sample) << 2)))
    else if (form == Form.squared)
      loss = squared(slopes, w, <f64>load<f32>(plan(Field.rewards) + ((<usize>sample) << 2)))
    else if (form == Form.policy) loss = policy(slopes, sample, w)
    else loss = softmax(slopes, each, w, plan(Field.corrections) + ((<usize>(sample * each)) << 2))
    store<f64>(plan(Field.losses) + ((<usize>sample) << 3), loss)
    for (let k: usize = 0; k < <usize>each; k++)
      store<f32>(slopes + (k << 2), <f32>(<f64>load<f32>(slopes + (k << 2)) * share))
  }
}

/** The scores of a sample's items: dot products over all columns, panel by panel, four chains wide. */
function score(sample: i32, each: i32, scores: usize): void {
  const bytes = plan(Field.width) << 2
  const room = plan(Field.batchNodesRoom) * bytes
  const end = plan(Field.batchFinal) + plan(Field.panels) * room
  const user = <usize>load<u32>(plan(Field.batchUsers) + ((<usize>sample) << 2)) * bytes
  const items = plan(Field.batchItems) + ((<usize>(sample * each)) << 2)
  for (let k: usize = 0; k < <usize>each; k++) {
    const item = <usize>load<u32>(items + (k << 2)) * bytes
    let sum = f32x4.splat(0)
    for (let panel = plan(Field.batchFinal); panel < end; panel += room)
      for (let c: usize = 0; c < bytes; c += 16)
        sum = f32x4.add(sum, f32x4.mul(v128.load(panel + user + c), v128.load(panel + item + c)))
    store<f32>(scores + (k << 2), lanes(sum))
  }
}

/** log(1 + eˣ). */
function softplus(x: f64): f64 {
  return (x > 0 ? x : 0) + Math.log1p(Math.exp(-Math.abs(x)))
}

function sigmoid(x: f64): f64 {
  const e = Math.exp(-Math.abs(x))
  return x >= 0 ? 1 / (1 + e) : e / (1 + e)
}

function pairwise(scores: usize, w: f64): f64 {
  const margin = <f64>load<f32>(scores) - <f64>load<f32>(scores, 4)
  const slope = w * sigmoid(-margin)
  store<f32>(scores, <f32>-slope)
  store<f32>(scores, <f32>slope, 4)
  return w * softplus(-margin)
}

function pointwise(scores: usize, w: f64, opposite: f64): f64 {
  const s = <f64>load<f32>(scores)
  store<f32>(scores, <f32>(opposite * sigmoid(s) - w * sigmoid(-s)))
  return w * softplus(-s) + opposite * softplus(s)
}

function squared(scores: usize, w: f64, rating: f64): f64 {
  const error = <f64>load<f32>(scores) - rating
  store<f32>(scores, <f32>(2 * w * error))
  return w * error * error
}

function softmax(scores: usize, each: i32, w: f64, corrections: usize): f64 {
  const end = (<usize>each) << 2
  let most: f64 = -Infinity
  for (let k: usize = 0; k < end; k += 4) {
    const x = <f64>load<f32>(scores + k) - <f64>load<f32>(corrections + k)
    // NaN must propagate: the loss shows that a run has diverged.
    if (!(x <= most)) most = x
  }
  let total: f64 = 0
  for (let k: usize = 0; k < end; k += 4)
    total += Math.exp(<f64>load<f32>(scores + k) - <f64>load<f32>(corrections + k) - most)
  const clicked = <f64>load<f32>(scores) - <f64>load<f32>(corrections) - most
  for (let k: usize = 0; k < end; k += 4) {
    const p = Math.exp(<f64>load<f32>(scores + k) - <f64>load<f32>(corrections + k) - most) / total
    store<f32>(scores + k, <f32>(w * (k == 0 ? p - 1 : p)))
  }
  return w * (Math.log(total) - clicked)
}

/** Adds α of the gradient of √(Var(ℓ)/B): coefficients are scaled by 1 + α (ℓ − mean ℓ)·B/((B − 1)·√(B·Var)). */
export function penaliseVariance(): void {
  const alpha = stepNumber(Step.variancePenalty)
  const samples = stepWord(Step.samples)
  if (alpha == 0 || samples < 2) return
  const losses = plan(Field.losses)
  const count = <f64>samples
  let mean: f64 = 0
  for (let s = 0; s < samples; s++) mean += load<f64>(losses + ((<usize>s) << 3))
  mean /= count
  let squares: f64 = 0
  for (let s = 0; s < samples; s++) {
    const off = load<f64>(losses + ((<usize>s) << 3)) - mean
    squares += off * off
  }
  if (squares == 0) return
  const factor = (alpha * count) / ((count - 1) * Math.sqrt((count * squares) / (count - 1)))
  const each = <i32>plan(Field.itemsPerSample)
  for (let s = 0; s < samples; s++) {
    const scale = 1 + factor * (load<f64>(losses + ((<usize>s) << 3)) - mean)
    for (let k = 0; k < each; k++) {
      const at = plan(Field.coefficients) + ((<usize>(s * each + k)) << 2)
      store<f32>(at, <f32>(<f64>load<f32>(at) * scale))
    }
  }
}
