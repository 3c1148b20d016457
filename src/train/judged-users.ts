import { randomStream } from '../random/stream.js'

/** Pairs of user and item that are ranked to judge a candidate, unless these users are too few. */
const MOST_PAIRS = 1e8
/** Users that are judged however many items there are. */
const LEAST_USERS = 5000

/** How many users judge a candidate at most: a try, or a sweep of many. */
export const mostJudged = (items: number): number => Math.max(LEAST_USERS, Math.floor(MOST_PAIRS / items))

/** The users that judge candidates, in their order: all, or as many as may be, drawn by the seed. The same for every candidate. */
export function judgedUsers(users: Uint32Array, items: number, seed: number): Uint32Array {
  const most = mostJudged(items)
  if (users.length <= most) return users
  const draws = Float64Array.from(users, (user) => randomStream(seed, 'judged users', user).uniform())
  const bound = draws.toSorted()[most]!
  return users.filter((_, place) => draws[place]! < bound)
}
