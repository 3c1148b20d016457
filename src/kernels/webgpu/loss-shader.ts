import type { KernelSettings } from '../kernel.js'
import { ENTRANCE, overLanes, type Shader } from './shader.js'
import { POLICY_LOSS, policyFunctions } from './policy-shader.js'

/**
 * exp, log(1 + x), softplus and sigmoid to a few units in the last place. WGSL allows its own exp an error that grows
 * with the argument, and its log one that is as large as the result near 1.
 */
const FUNCTIONS = /* wgsl */ `
/** eˣ for x ≤ 0: x = n·log 2 + r, |r| ≤ log(2)/2, log 2 in two parts so that r is exact, and a polynomial in r. */
fn power(x: f32) -> f32 {
  if (x < -87.0) { return 0.0; }
  let n = round(x * 1.44269504);
  let r = (x - n * 0.693359375) + n * 2.12194440e-4;
  var p = 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  return ldexp((p * r) * r + r + 1.0, i32(n));
}

/** log(1 + x) for x in [0, 1]: 2·artanh(x / (2 + x)), whose series ends soon. */
fn logOnePlus(x: f32) -> f32 {
  let z = x / (2.0 + x);
  let y = z * z;
  var p = 1.0 / 15.0;
  p = p * y + 1.0 / 13.0;
  p = p * y + 1.0 / 11.0;
  p = p * y + 1.0 / 9.0;
  p = p * y + 1.0 / 7.0;
  p = p * y + 1.0 / 5.0;
  p = p * y + 1.0 / 3.0;
  return 2.0 * ((p * y) * z + z);
}

/** log x for x ≥ 1. */
fn logarithm(x: f32) -> f32 {
  let parts = frexp(x);
  return f32(parts.exp - 1) * 0.69314718 + logOnePlus(2.0 * parts.fract - 1.0);
}

/** log(1 + eˣ). */
fn softplus(x: f32) -> f32 { return max(x, 0.0) + logOnePlus(power(-abs(x))); }

fn sigmoid(x: f32) -> f32 {
  let e = power(-abs(x));
  return select(e, 1.0, x >= 0.0) / (1.0 + e);
}
`

/** The loss of a sample and its slope along each of its scores, which stand where the slopes will be. */
const FORMS = {
  pairwise: /* wgsl */ `
  if (isSample && lane == 0u) {
    let margin = coefficients[first] - coefficients[first + 1u];
    let slope = weight * sigmoid(-margin) * share;
    coefficients[first] = -slope;
    coefficients[first + 1u] = slope;
    losses[place] = weight * softplus(-margin);
  }`,
  pointwise: /* wgsl */ `
  if (isSample && lane == 0u) {
    let score = coefficients[first];
    let opposite = bitcast<f32>(blocks[step.block + shape.blockExtra + sample]);
    coefficients[first] = (opposite * sigmoid(score) - weight * sigmoid(-score)) * share;
    losses[place] = weight * softplus(-score) + opposite * softplus(score);
  }`,
  squared: /* wgsl */ `
  if (isSample && lane == 0u) {
    let error = coefficients[first] - bitcast<f32>(blocks[step.block + shape.blockRewards + sample]);
    coefficients[first] = 2.0 * weight * error * share;
    losses[place] = weight * error * error;
  }`,
  // The lanes of a sample share its items. Others than the clicked one are summed apart: 1 less their share would
  // lose its digits where that share is small.
  softmax: /* wgsl */ `
  var own = Powers(-3.4e38, 0.0, 0.0);
  if (isSample) {
    for (var k = lane; k < shape.itemsPerSample; k += lanes) {
      own = together(own, Powers(logit(first + k), select(0.0, 1.0, k == 0u), select(1.0, 0.0, k == 0u)));
    }
  }
  let all = powersOverLanes(own, thread, lane);
  if (lane == 0u) { powers[thread >> shape.laneBits] = all; }
  workgroupBarrier();
  let found = powers[thread >> shape.laneBits];
  let total = found.clicked + found.others;
  if (isSample && lane == 0u) {
    losses[place] = weight * logOfSum(found, logit(first));
  }
  // Slopes take the place of the scores, which the loss has been made from.
  storageBarrier();
  if (isSample) {
    for (var k = lane; k < shape.itemsPerSample; k += lanes) {
      let p = select(power(logit(first + k) - found.most), -found.others, k == 0u);
      coefficients[first + k] = weight * (p / total) * share;
    }
  }`,
  policy: POLICY_LOSS,
} as const

/** What the softmax is taken of, and how its sums are put together. */
const SOFTMAX = /* wgsl */ `
fn logit(entry: u32) -> f32 {
  return coefficients[entry] - bitcast<f32>(blocks[step.block + shape.blockExtra + entry]);
}

/** The largest x of some items, and Σ e^{x − most} of the clicked one, if it is among them, and of the others. */
struct Powers { most: f32, clicked: f32, others: f32 }

fn together(a: Powers, b: Powers) -> Powers {
  let most = max(a.most, b.most);
  let ofA = power(a.most - most);
  let ofB = power(b.most - most);
  return Powers(most, a.clicked * ofA + b.clicked * ofB, a.others * ofA + b.others * ofB);
}

/** log(Σ e^x) less the x of the clicked item. */
fn logOfSum(all: Powers, clicked: f32) -> f32 {
  if (all.others <= all.clicked) { return logOnePlus(all.others / all.clicked); }
  return logarithm(all.clicked + all.others) + (all.most - clicked);
}

var<workgroup> powers: array<Powers, 256>;
`

const SCORES_OVER_LANES = overLanes({
  name: 'scoresOverLanes',
  type: 'vec4f',
  array: 'parts',
  together: 'all + parts[place]',
})
const POWERS_OVER_LANES = overLanes({
  name: 'powersOverLanes',
  type: 'Powers',
  array: 'powers',
  together: 'together(all, powers[place])',
})

/** Scores of the samples, their losses, and the slope of the mean loss along each score. As many lanes on a sample as on a row. */
export function weighShader({ form, policy }: Pick<KernelSettings, 'form' | 'policy'>): Shader {
  const functions = {
    pairwise: () => '',
    pointwise: () => '',
    squared: () => '',
    softmax: () => SOFTMAX + POWERS_OVER_LANES,
    policy: () => policyFunctions(policy!),
  }[form]()
  const code = /* wgsl */ `
${FUNCTIONS}

fn product(user: vec4f, entry: u32, lane: u32) -> f32 {
  let item = blocks[step.block + shape.blockItemPlaces + entry];
  return dot(user, batchFinals[item * shape.width + lane]);
}

var<workgroup> parts: array<vec4f, 128>;
${SCORES_OVER_LANES}
${functions}

${ENTRANCE}
  let lanes = 1u << shape.laneBits;
  let lane = thread & (lanes - 1u);
  let sample = group * shape.slices + (thread >> shape.laneBits);
  let isSample = sample < step.samples;
  let first = sample * shape.itemsPerSample;
  var user = vec4f();
  if (isSample && lane < shape.width) {
    user = batchFinals[blocks[step.block + shape.blockUserPlaces + sample] * shape.width + lane];
  }
  // Four items at a time.
  for (var k = 0u; k < shape.itemsPerSample; k += 4u) {
    var scores = vec4f();
    if (isSample && lane < shape.width) {
      scores.x = product(user, first + k, lane);
      if (k + 1u < shape.itemsPerSample) { scores.y = product(user, first + k + 1u, lane); }
      if (k + 2u < shape.itemsPerSample) { scores.z = product(user, first + k + 2u, lane); }
      if (k + 3u < shape.itemsPerSample) { scores.w = product(user, first + k + 3u, lane); }
    }
    scores = scoresOverLanes(scores, thread, lane);
    if (isSample && lane == 0u) {
      coefficients[first + k] = scores.x;
      if (k + 1u < shape.itemsPerSample) { coefficients[first + k + 1u] = scores.y; }
      if (k + 2u < shape.itemsPerSample) { coefficients[first + k + 2u] = scores.z; }
      if (k + 3u < shape.itemsPerSample) { coefficients[first + k + 3u] = scores.w; }
    }
  }
  storageBarrier();
  let place = step.slot * shape.batch + sample;
  let share = 1.0 / f32(step.samples);
  var weight = 0.0;
  if (isSample) { weight = bitcast<f32>(blocks[step.block + shape.blockWeights + sample]); }
  ${FORMS[form]}
}
`
  return {
    name: 'scores and losses',
    buffers: {
      blocks: 'read',
      batchFinals: 'read',
      coefficients: 'read_write',
      losses: 'read_write',
    },
    code,
  }
}

/**
 * The mean loss of steps, a workgroup each, in two parts whose sum is more exact than one number; and the factor of
 * the variance penalty, α·B/((B − 1)·√(B·Var)), by which a loss above the mean counts more.
 */
export function summaryShader(): Shader {
  const code = /* wgsl */ `
var<workgroup> parts: array<f32, 256>;

fn total(thread: u32, part: f32) -> f32 {
  workgroupBarrier();
  parts[thread] = part;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) { parts[thread] += parts[thread + half]; }
    workgroupBarrier();
  }
  return parts[0];
}

${ENTRANCE}
  let slot = step.slot + group;
  let first = slot * shape.batch;
  let samples = blocks[slot * shape.blockLength];
  let count = f32(samples);
  var part = 0.0;
  for (var k = thread; k < samples; k += 256u) { part += losses[first + k]; }
  let mean = total(thread, part) / count;
  part = 0.0;
  for (var k = thread; k < samples; k += 256u) { part += losses[first + k] - mean; }
  let rest = total(thread, part) / count;
  part = 0.0;
  for (var k = thread; k < samples; k += 256u) {
    let off = (losses[first + k] - mean) - rest;
    part += off * off;
  }
  let squares = total(thread, part);
  var factor = 0.0;
  if (squares > 0.0) { factor = step.variancePenalty * sqrt(count / (count - 1.0)) / sqrt(squares); }
  if (thread == 0u) { told[slot] = vec4f(mean, rest, factor, 0.0); }
}
`
  return {
    name: 'mean losses',
    buffers: { blocks: 'read', losses: 'read', told: 'read_write' },
    code,
  }
}
