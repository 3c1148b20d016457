import { ips, snips } from '../estimate/estimators/importance.js'
import type { Log } from '../log/log.js'

/**
 * What a policy surely earns is the lower of the lower bounds of SNIPS and IPS. Where the policy shows items that the
 * logging policy shows hardly ever, a log may miss them, and all it has average less than 1 in weight. SNIPS takes the
 * missing ones to earn what the others do; IPS, with rewards of at least 0, takes them to earn nothing.
 */
export const CAREFUL_ESTIMATORS = [snips.name, ips.name] as const

/** The log with rewards counted from the lowest, where that is below 0: IPS then takes what is missing to earn the lowest. */
export function fromFloor(log: Log): { readonly raised: Log; readonly floor: number } {
  const floor = log.reward.reduce((least, reward) => Math.min(least, reward), 0)
  return floor < 0
    ? { raised: { ...log, reward: log.reward.map((reward) => reward - floor) }, floor }
    : { raised: log, floor }
}
