import { Registry } from '../../registry.js'
import type { Loss } from './loss.js'
import { bpr, ipsBpr, snBpr, ubpr } from './pairwise.js'
import { clippedIps, dr, ips, logSmoothing, normPoem, poem, snips, weightedLikelihood } from './policy.js'
import { bce, ipsBce, relmf, snBce } from './pointwise.js'
import { drJl, ipsMse, mse } from './rating.js'
import { ipsSoftmax, softmax } from './softmax.js'

const ALL = [
  bpr,
  ipsBpr,
  snBpr,
  bce,
  ipsBce,
  snBce,
  softmax,
  ipsSoftmax,
  relmf,
  ubpr,
  mse,
  ipsMse,
  drJl,
  ips,
  clippedIps,
  snips,
  poem,
  normPoem,
  dr,
  logSmoothing,
  weightedLikelihood,
] as const

export type LossName = (typeof ALL)[number]['name']

/** The losses that can be trained, by name; objectives are the losses of the policy form. */
export const LOSSES: Registry<Loss<LossName>> = new Registry('loss', ALL)
