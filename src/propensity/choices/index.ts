import { Registry } from '../../registry.js'
import { constant } from './constant.js'
import { logistic } from './logistic.js'
import { naiveBayes } from './naive-bayes.js'
import { none } from './none.js'
import { popularity } from './popularity.js'
import { position } from './position.js'
import type { StandIn } from './stand-in.js'
import { uniform } from './uniform.js'

/** What can stand in for propensities that were not logged, by name. There is no default. */
export const PROPENSITIES: Registry<StandIn> = new Registry('stand-in for propensities', [
  none,
  uniform,
  constant,
  popularity,
  logistic,
  naiveBayes,
  position,
])
