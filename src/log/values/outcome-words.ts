import { type Cell, cellOutcome, cellText } from '../cell.js'

/** What a text of an outcome that happened contains. */
const HAPPENED =
  /click|conver|purchas|bought|buy|book|order|sale|sold|like|watch|play|accept|success|yes|true/i
/** How the text of one that did not begins. */
const NEGATED = /^(no|non|not|un|dis|without|false)(?![a-z]*tif)/i
/** Texts that stand for an empty cell. */
const EMPTY = /^\s*(\\N|null|none|nil|na|<na>|#?n\/a|nan|unknown|[-–?.]*)\s*$/i
/** More different texts are no outcomes. */
const MOST_WORDS = 6

/**
 * The different texts of cells that say in words what happened, such as clicked and viewed; undefined where one is a number,
 * yes or no, or stands for an empty cell, and where there are too many to be outcomes.
 */
export function outcomeWords(cells: readonly Cell[]): string[] | undefined {
  const words = new Set<string>()
  for (const cell of cells) {
    const text = cellText(cell)
    if (text === undefined) continue
    if (typeof cell !== 'string' || EMPTY.test(text) || !Number.isNaN(cellOutcome(cell))) return undefined
    words.add(text)
    if (words.size > MOST_WORDS) return undefined
  }
  return words.size === 0 ? undefined : [...words]
}

/** Whether a word seems to say that something happened. */
export const isHappened = (word: string): boolean => HAPPENED.test(word) && !NEGATED.test(word)

/** The word among them that seems to say that something happened; undefined if none or several do. */
export function happenedWord(words: readonly string[]): string | undefined {
  const found = words.filter(isHappened)
  return found.length === 1 ? found[0] : undefined
}
