import { badOption } from '../error.js'

/** The items of a new user's clicks, each once, ascending; throws where there are none or one does not exist. */
export function clickedItems(clicks: Uint32Array, items: number): Uint32Array {
  if (clicks.length === 0)
    throw badOption(
      'A user without clicks cannot be scored.',
      'Give at least one item they clicked, or recommend what is popular.',
    )
  const sorted = clicks.toSorted()
  const last = sorted[sorted.length - 1]!
  if (last >= items)
    throw badOption(
      `There is no item ${last}: the model has ${items} items.`,
      'Count items from 0, in the order of the model.',
    )
  return sorted.filter((item, k) => k === 0 || item !== sorted[k - 1])
}
