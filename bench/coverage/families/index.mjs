// Families of simulated logs. A family has cells; `world(cell)` gives `draw(random)`, a log with a question and its true
// answer, and `ask(estimators, question)` puts it to Hindcast (default: one evaluation) and returns the answers. Limits of
// gates may be found on families for `found`; those for `tested` only test them.
//
// A family of another kind, such as intervals that are looked at many times, brings its own `ask`.
import { activity } from './activity.mjs'
import { amounts, revenue } from './amounts.mjs'
import { clicks } from './clicks.mjs'
import { days, days28 } from './days.mjs'
import { differences } from './differences.mjs'
import { doublyRobust } from './doubly-robust.mjs'
import { estimated } from './estimated.mjs'
import { fewClusters } from './few-clusters.mjs'
import { loggers } from './loggers.mjs'
import { mips } from './mips.mjs'
import { rewards } from './rewards.mjs'
import { slates10, slates4 } from './slates.mjs'
import { sound, soundSix } from './sound.mjs'
import { tunedSoftmax, tunedZipf } from './tuned.mjs'

export const FAMILIES = [
  clicks,
  rewards,
  revenue,
  amounts,
  slates4,
  slates10,
  mips,
  tunedSoftmax,
  tunedZipf,
  doublyRobust,
  days28,
  days,
  activity,
  fewClusters,
  loggers,
  estimated,
  differences,
  sound,
  soundSix,
]
