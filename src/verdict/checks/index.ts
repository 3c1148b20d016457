import type { Check } from '../check.js'
import { amountsCheck } from './amounts.js'
import { balanceChecks } from './balance.js'
import { copyChecks } from './copies.js'
import { dayChecks } from './days.js'
import { lostCheck } from './lost.js'
import { neighbourChecks } from './neighbours.js'
import { placesCheck } from './places.js'
import { trainedCheck } from './trained.js'
import { userChecks } from './users.js'
import { visitChecks } from './visits.js'

/** Every check that asks the rows of a log; of several faults that say the same, the first is the more particular one. */
export const CHECKS: readonly Check[] = [
  ...copyChecks,
  ...visitChecks,
  placesCheck,
  ...neighbourChecks,
  ...userChecks,
  amountsCheck,
  ...dayChecks,
  lostCheck,
  ...balanceChecks,
  trainedCheck,
]
