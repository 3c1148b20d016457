// The loss of a sample that teaches a policy π = softmax(s/T) by what it would have earned, and its slopes.
import { Field, plan } from './plan'
import { Step, stepNumber } from './step'

const enum Curve {
  linear,
  logarithmic,
  likelihood,
}

/** −w times the term of a sample; its scores give way to the slopes. The shown item comes first. */
export function policy(scores: usize, sample: i32, w: f64): f64 {
  const each = <i32>plan(Field.itemsPerSample)
  const first = (<usize>(sample * each)) << 2
  const end = (<usize>each) << 2
  const corrections = plan(Field.corrections) + first
  const expects = plan(Field.expects) == 1
  const expected = plan(Field.expectedRewards) + first
  const coldness = stepNumber(Step.coldness)
  let most: f64 = -Infinity
  for (let k: usize = 0; k < end; k += 4) {
    const x = logit(scores + k, corrections + k, coldness)
    // NaN must propagate: the loss shows that a run has diverged.
    if (!(x <= most)) most = x
  }
  const x = logit(scores, corrections, coldness) - most
  const shown = Math.exp(x)
  // Others than the shown one are summed apart: 1 less its share would lose digits.
  let others: f64 = 0
  let sum: f64 = expects ? shown * <f64>load<f32>(expected) : 0
  for (let k: usize = 4; k < end; k += 4) {
    const power = Math.exp(logit(scores + k, corrections + k, coldness) - most)
    store<f32>(scores + k, <f32>power)
    others += power
    if (expects) sum += power * <f64>load<f32>(expected + k)
  }
  const total = shown + others
  const mean = sum / total
  const v = <f64>load<f32>(plan(Field.inversePropensities) + ((<usize>sample) << 2))
  const q = expects ? <f64>load<f32>(expected) : 0
  const r = <f64>load<f32>(plan(Field.rewards) + ((<usize>sample) << 2)) - q
  const ratio = v * (shown / total)
  const scale = (-w * coldness) / total
  const slope = slopeOf(r, v, ratio)
  store<f32>(scores, <f32>(scale * (slope * others + shown * (q - mean))))
  for (let k: usize = 4; k < end; k += 4) {
    const lean = expects ? <f64>load<f32>(expected + k) - mean : 0
    store<f32>(scores + k, <f32>(scale * <f64>load<f32>(scores + k) * (lean - slope)))
  }
  return -w * (termOf(r, v, ratio, x - Math.log(total)) + mean)
}

// @ts-ignore: decorator
@inline
function logit(score: usize, correction: usize, coldness: f64): f64 {
  return <f64>load<f32>(score) * coldness - <f64>load<f32>(correction)
}

/** The term of a sample: r its reward, v one over the propensity, `ratio` v·π. */
function termOf(r: f64, v: f64, ratio: f64, logShare: f64): f64 {
  const curve = <i32>plan(Field.curve)
  const bend = stepNumber(Step.bend)
  if (curve == Curve.likelihood) return r * v * logShare
  if (curve == Curve.linear) return r * min(ratio, bend)
  return r < 0 || bend == 0 ? r * ratio : Math.log1p(bend * r * ratio) / bend
}

/** The slope of the term along log π. */
function slopeOf(r: f64, v: f64, ratio: f64): f64 {
  const curve = <i32>plan(Field.curve)
  const bend = stepNumber(Step.bend)
  if (curve == Curve.likelihood) return r * v
  // Also where the ratio is NaN, so that it shows.
  if (curve == Curve.linear) return ratio >= bend ? 0 : r * ratio
  return r < 0 ? r * ratio : (r * ratio) / (1 + bend * r * ratio)
}
