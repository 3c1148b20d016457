import { randomStream } from '../../dist/random/stream.js'

/** Choices that belong to one file of one seed: the same two always give the same ones. */
export function chanceOf(seed, file) {
  const { uniform } = randomStream(seed, 'fuzz', file)
  const below = (count) => Math.floor(uniform() * count)
  const pick = (list) => list[below(list.length)]
  return { uniform, below, pick, isHit: (share) => uniform() < share }
}
