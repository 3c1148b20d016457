import { csvText } from '$core/log/write/text.js'
import { FIRST_SEED, shopWorld } from './shop-world.js'

/** The log of the shop world as CSV: an example of what the page reads. */
export const sampleLog = (): string => [...csvText(shopWorld(FIRST_SEED).draw())].join('')
