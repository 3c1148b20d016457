// Pages of several items whose value is known exactly, by recursion over the sets of items already shown.
import { ids, logOf } from './log-of.mjs'
import { evenAppeal, logistic, runningSums, solve } from './numbers.mjs'
import { expectation, FOUR_KINDS } from './spread.mjs'

const ITEMS = 12
const PAGES_PER_USER = 2
/** How much a position is looked at, where only a slot's own item matters. */
const seen = (slot) => 1 / Math.sqrt(slot + 1)
const APPEAL = evenAppeal(ITEMS)
const BITS = Uint8Array.from({ length: 1 << ITEMS }, (_, set) => set.toString(2).replaceAll('0', '').length)

/**
 * A policy of pages: each slot shows an item with a chance in proportion to exp(tilt · z), among all items (slot by
 * slot) or among those not yet on the page (without repetition, Plackett & Luce).
 */
function pagePolicy(tilt, repeats) {
  const strength = Float64Array.from(APPEAL, (z) => Math.exp(tilt * z))
  const totals = Float64Array.from(BITS, (_, set) => {
    let total = 0
    for (let a = 0; a < ITEMS; a++) if (repeats || !(set & (1 << a))) total += strength[a]
    return total
  })
  /** Chance of item `a` below the items of `above`, a set of bits. */
  return (a, above) => (!repeats && above & (1 << a) ? 0 : strength[a] / totals[above])
}

/**
 * Expected value of what is added up slot by slot: `step(item, slot, chance, rest)` with `rest` the value of the slots
 * below. Where items may repeat, what lies above makes no difference and slots are taken one after the other.
 */
function overPages(slots, repeats, end, step) {
  if (repeats) {
    let rest = end
    for (let slot = slots - 1; slot >= 0; slot--) {
      let value = 0
      for (let a = 0; a < ITEMS; a++) value += step(a, slot, 0, rest)
      rest = value
    }
    return rest
  }
  const values = new Float64Array(1 << ITEMS)
  for (let above = values.length - 1; above >= 0; above--) {
    if (BITS[above] > slots) continue
    if (BITS[above] === slots) values[above] = end
    else
      for (let a = 0; a < ITEMS; a++)
        if (!(above & (1 << a))) values[above] += step(a, BITS[above], above, values[above | (1 << a)])
  }
  return values[0]
}

/** A family's cell as a world: pages, their exact value per page, and logs with a target column and a reward model. */
export function slateWorld({ slots, pages, draws, rewards, essRatio, slatePropensities }) {
  const repeats = draws === 'slot by slot'
  const isCascade = rewards === 'cascade'
  const logging = pagePolicy(-0.1, repeats)
  const tilt = solve(
    (s) => {
      const target = pagePolicy(s, repeats)
      const squared = (a, slot, above, rest) => (target(a, above) ** 2 / logging(a, above)) * rest
      return overPages(slots, repeats, 1, squared) - 1 / essRatio
    },
    -0.1,
    4,
    30,
  )
  const target = pagePolicy(tilt, repeats)
  const rate = (c, a, slot, shift) => logistic(c + 0.5 * APPEAL[a] + shift) * (isCascade ? 1 : seen(slot))
  const worth = (c) =>
    expectation(FOUR_KINDS, (shift) =>
      overPages(slots, repeats, 0, (a, slot, above, rest) => {
        const p = rate(c, a, slot, shift)
        return target(a, above) * (isCascade ? p + (1 - p) * rest : p + rest)
      }),
    )
  const c = solve((level) => worth(level) - 0.5, -12, 6, 30)
  /** What a simple model expects of an item in a slot: right on average where only the item matters. */
  const model = Array.from({ length: slots }, (_, slot) =>
    Float64Array.from(APPEAL, (_z, a) => rate(c, a, slot, 0) * (isCascade ? 0.9 ** slot : 1)),
  )
  /** What a slot below the items of `above` is like: running sums of the logging policy, and the model's value. */
  const slotOf = keptBy((slot, above) => ({
    cumulative: runningSums(APPEAL.map((_, a) => logging(a, above))),
    value: APPEAL.reduce((sum, _, a) => sum + target(a, above) * model[slot][a], 0),
  }))
  const clickRate = (a, slot, shift) => rate(c, a, slot, shift)
  const world = { slots, pages, logging, target, clickRate, isCascade, model, repeats, slotOf }
  const truth = worth(c)
  return {
    draw: (random) => ({
      log: drawPages(world, random),
      target: { kind: 'column', name: 'target' },
      truth,
      slatePropensities,
    }),
  }
}

/** Remembers what was made for a slot and a set of items. */
function keptBy(make) {
  const kept = new Map()
  return (slot, above) => {
    const key = (slot << ITEMS) | above
    let made = kept.get(key)
    if (!made) kept.set(key, (made = make(slot, above)))
    return made
  }
}

function drawPages(world, random) {
  const { slots, pages, logging, target, clickRate, isCascade, model, repeats, slotOf } = world
  const rows = slots * pages
  const column = () => new Float64Array(rows)
  const [user, item, slate] = Array.from({ length: 3 }, () => new Uint32Array(rows))
  const [reward, propensity, pi, position, q, v] = Array.from({ length: 6 }, column)
  let shift = 0
  for (let page = 0; page < pages; page++) {
    if (page % PAGES_PER_USER === 0) shift = FOUR_KINDS[random.below(4)].shift
    let above = 0
    let isOver = false
    for (let slot = 0; slot < slots; slot++) {
      const row = page * slots + slot
      const { cumulative, value } = slotOf(slot, above)
      const shown = random.pick(cumulative)
      user[row] = Math.floor(page / PAGES_PER_USER)
      slate[row] = page
      position[row] = slot + 1
      item[row] = shown
      propensity[row] = logging(shown, above)
      pi[row] = target(shown, above)
      q[row] = model[slot][shown]
      v[row] = value
      const isClicked = random.uniform() < clickRate(shown, slot, shift)
      reward[row] = isClicked && !isOver ? 1 : 0
      // A cascade ends with the first click.
      if (isCascade && isClicked) isOver = true
      if (!repeats) above |= 1 << shown
    }
  }
  const users = Math.ceil(pages / PAGES_PER_USER)
  return logOf({
    user,
    users,
    item,
    items: ITEMS,
    reward,
    propensity,
    target: pi,
    slate,
    slateIds: ids('p', pages),
    position,
    q,
    v,
  })
}
