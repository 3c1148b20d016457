// The log, and the scores of a model, that a slider of the studio is timed on; runs in a browser too.
import { drawNormal } from '../../dist/random/distributions.js'
import { randomStream, takeRows, tastesWorld } from '../../dist/index.js'

/**
 * A simulated log of `users` × `exposures` rows as they come in time: the first impression of every user, then the
 * second of every user, so that rows of a user do not stand together.
 */
export function sliderLog({ users = 10_000, items = 1000, exposures = 100, seed = 0 } = {}) {
  const drawn = tastesWorld({ users, items, exposures, seed }).draw()
  const inTime = Uint32Array.from(
    { length: drawn.rows },
    (_, k) => (k % users) * exposures + Math.floor(k / users),
  )
  return takeRows(drawn, inTime)
}

/** Scores of a model with `dimensions` random axes: for a user, one for each item, mostly between −3 and 3. */
export function sliderScores({ users = 10_000, items = 1000, dimensions = 16, seed = 0 } = {}) {
  const random = randomStream(seed, 'slider scores')
  const axes = (rows) =>
    Float32Array.from({ length: rows * dimensions }, () => drawNormal(random) / dimensions ** 0.25)
  const [userAxes, itemAxes] = [axes(users), axes(items)]
  return (user) => {
    const scores = new Float32Array(items)
    for (let item = 0; item < items; item++)
      for (let axis = 0; axis < dimensions; axis++)
        scores[item] += userAxes[user * dimensions + axis] * itemAxes[item * dimensions + axis]
    return scores
  }
}

/** `count` temperatures in equal ratios, from 0.1 to 10, in a shuffled order as a hand moves a slider. */
export const sliderTemperatures = (count = 50) =>
  Array.from({ length: count }, (_, k) => 10 ** ((2 * ((k * 17) % count)) / (count - 1) - 1))
