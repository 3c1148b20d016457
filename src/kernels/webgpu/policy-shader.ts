import type { PolicyTerms } from '../policy-loss.js'
import { overLanes } from './shader.js'

/** The term of a sample and its slope along log π: r its reward, v one over the propensity, `ratio` v·π. */
const CURVES: Readonly<Record<PolicyTerms['curve'], string>> = {
  linear: /* wgsl */ `
fn termOf(r: f32, v: f32, ratio: f32, logShare: f32) -> f32 { return r * min(ratio, step.bend); }
fn slopeOf(r: f32, v: f32, ratio: f32) -> f32 { return select(r * ratio, 0.0, ratio >= step.bend); }`,
  logarithmic: /* wgsl */ `
fn termOf(r: f32, v: f32, ratio: f32, logShare: f32) -> f32 {
  let x = step.bend * r * ratio;
  if (r < 0.0 || step.bend == 0.0) { return r * ratio; }
  if (x <= 1.0) { return logOnePlus(x) / step.bend; }
  return logarithm(1.0 + x) / step.bend;
}
fn slopeOf(r: f32, v: f32, ratio: f32) -> f32 {
  return r * ratio / select(1.0 + step.bend * r * ratio, 1.0, r < 0.0);
}`,
  likelihood: /* wgsl */ `
fn termOf(r: f32, v: f32, ratio: f32, logShare: f32) -> f32 { return r * v * logShare; }
fn slopeOf(r: f32, v: f32, ratio: f32) -> f32 { return r * v; }`,
}

const SHARES_OVER_LANES = overLanes({
  name: 'sharesOverLanes',
  type: 'Shares',
  array: 'shares',
  together: 'together(all, shares[place])',
})

/** What the policy form is computed with. */
export const policyFunctions = ({ curve, expects }: PolicyTerms): string => /* wgsl */ `
fn logit(entry: u32) -> f32 {
  return coefficients[entry] * step.coldness - bitcast<f32>(blocks[step.block + shape.blockExtra + entry]);
}

/** The expected reward of an item of a sample. */
fn expected(entry: u32) -> f32 {
  return ${expects ? 'bitcast<f32>(blocks[step.block + shape.blockExpected + entry])' : '0.0'};
}

/** The largest x of some items, Σ e^{x − most} of the shown one, if it is among them, and of the others, and Σ q·e^{x − most}. */
struct Shares { most: f32, shown: f32, others: f32, rewards: f32 }

fn together(a: Shares, b: Shares) -> Shares {
  let most = max(a.most, b.most);
  let ofA = power(a.most - most);
  let ofB = power(b.most - most);
  return Shares(
    most, a.shown * ofA + b.shown * ofB, a.others * ofA + b.others * ofB, a.rewards * ofA + b.rewards * ofB,
  );
}

/** log of the share of the shown item, whose x is given. */
fn logShareOf(all: Shares, x: f32) -> f32 {
  if (all.others <= all.shown) { return -logOnePlus(all.others / all.shown); }
  return x - all.most - logarithm(all.shown + all.others);
}

var<workgroup> shares: array<Shares, 256>;
${SHARES_OVER_LANES}
${CURVES[curve]}
`

/** The loss of a sample and its slopes, as `policyLoss` has them; the lanes of a sample share its items. */
export const POLICY_LOSS = /* wgsl */ `
  var own = Shares(-3.4e38, 0.0, 0.0, 0.0);
  if (isSample) {
    for (var k = lane; k < shape.itemsPerSample; k += lanes) {
      own = together(own, Shares(
        logit(first + k), select(0.0, 1.0, k == 0u), select(1.0, 0.0, k == 0u), expected(first + k),
      ));
    }
  }
  let all = sharesOverLanes(own, thread, lane);
  if (lane == 0u) { shares[thread >> shape.laneBits] = all; }
  workgroupBarrier();
  let found = shares[thread >> shape.laneBits];
  let total = found.shown + found.others;
  let mean = found.rewards / total;
  var slope = 0.0;
  if (isSample) {
    let v = bitcast<f32>(blocks[step.block + shape.blockInverse + sample]);
    let r = bitcast<f32>(blocks[step.block + shape.blockRewards + sample]) - expected(first);
    let ratio = v * (found.shown / total);
    slope = slopeOf(r, v, ratio);
    if (lane == 0u) { losses[place] = -weight * (termOf(r, v, ratio, logShareOf(found, logit(first))) + mean); }
  }
  // Slopes take the place of the scores, which the loss has been made from.
  storageBarrier();
  if (isSample) {
    for (var k = lane; k < shape.itemsPerSample; k += lanes) {
      let p = power(logit(first + k) - found.most) / total;
      let push = select(-slope * p, slope * (found.others / total), k == 0u);
      coefficients[first + k] = -weight * step.coldness * (push + p * (expected(first + k) - mean)) * share;
    }
  }`
