import { recordsOf } from '../../registry.js'
import type { Loss, ObjectiveParameter } from './loss.js'

const ofPolicy = recordsOf<
  Loss,
  'family' | 'form' | 'weights' | 'learnsFrom' | 'drawsFromAll' | 'withoutResampling'
>('learning.md', {
  family: 'policy',
  form: 'policy',
  weights: 'policy',
  learnsFrom: 'impressions',
  drawsFromAll: true,
  withoutResampling:
    'weighs impressions by a policy that changes at every step, and events cannot be drawn by weights that are not known yet',
})

const lambda = { placeholder: 'L', least: 0, most: 1e6, expected: 'a number of at least 0' } as const
const varianceStrength: ObjectiveParameter = {
  ...lambda,
  of: 'variance',
  label: 'λ of the penalty',
  usual: 1,
  example: 1,
}

/** −r·π/b. */
export const ips = ofPolicy('ips', {
  label: 'IPS',
  objective: { curve: 'linear' },
  meaning:
    'Maximises the IPS estimate of what the policy would earn: unbiased, and easily fooled by rare items.',
})

/** −r·min(π/b, M) (Ionides 2008; Strehl et al. 2010). */
export const clippedIps = ofPolicy('clipped-ips', {
  label: 'Clipped IPS',
  objective: {
    curve: 'linear',
    parameter: {
      of: 'curve',
      label: 'largest weight M',
      placeholder: 'M',
      usual: 100,
      example: 100,
      least: Number.MIN_VALUE,
      most: Infinity,
      expected: 'a number above 0',
    },
  },
  meaning: 'IPS with weights π/b above M cut: an impression that counts M times teaches no more.',
})

/** −(r − λ)·π/b, λ the value of the policy before each epoch, or fixed (Joachims et al. 2018). */
export const snips = ofPolicy('snips', {
  label: 'SNIPS',
  objective: {
    curve: 'linear',
    selfNormalises: true,
    parameter: {
      of: 'rewards',
      label: 'λ taken from the rewards',
      placeholder: 'L',
      example: 0.5,
      least: -1e6,
      most: 1e6,
      expected: 'a number',
    },
  },
  meaning:
    'Maximises the self-normalised estimate: rewards are taken relative to what the policy earns, or to a fixed λ as in BanditNet (Joachims et al. 2018).',
})

/** −r·π/b, plus λ·√(Var/n) of these terms (Swaminathan & Joachims 2015a). */
export const poem = ofPolicy('poem', {
  label: 'POEM',
  objective: { curve: 'linear', parameter: varianceStrength },
  meaning:
    'IPS minus λ standard errors: prefers policies whose value is well known (Swaminathan & Joachims 2015).',
})

/** The self-normalised estimate, less λ·√(Var/n) of it (Swaminathan & Joachims 2015b). */
export const normPoem = ofPolicy('norm-poem', {
  label: 'Norm-POEM',
  objective: { curve: 'linear', selfNormalises: true, parameter: varianceStrength },
  meaning: 'SNIPS minus λ standard errors (Swaminathan & Joachims 2015).',
})

/** −(Σ_a π(a)·q̂(a) + (r − q̂)·π/b) (Dudík et al. 2011). */
export const dr = ofPolicy('dr', {
  label: 'Doubly robust',
  objective: { curve: 'linear', expects: true },
  meaning:
    'Maximises the doubly robust estimate, with the mean reward of each item among other users as its model (Dudík et al. 2011).',
})

/** −log(1 + λ·r·π/b)/λ for r ≥ 0, −r·π/b for r < 0 (Sakhi et al. 2024). */
export const logSmoothing = ofPolicy('log-smoothing', {
  label: 'Logarithmic smoothing',
  objective: {
    curve: 'logarithmic',
    parameter: { ...lambda, of: 'curve', label: 'λ of the smoothing', usual: 0.1, example: 0.1 },
  },
  meaning:
    'IPS with large terms reduced by a logarithm: never above IPS, and rare items have bounded influence (Sakhi et al. 2024).',
})

/** −(r/b)·log π. */
export const weightedLikelihood = ofPolicy('weighted-likelihood', {
  label: 'Weighted likelihood',
  objective: { curve: 'likelihood' },
  meaning:
    'Imitates what was rewarded, each impression weighted by reward/propensity: the simple baseline, which explores the most.',
})
