import { HindcastError } from '../../../error.js'
import { serverWords } from './server-words.js'

/** The number that PostgreSQL wrote, to its last bit; null for NULL. */
export function numberOf(text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isNaN(number) || text === 'NaN') return number
  throw new HindcastError('bad-file', `PostgreSQL did not answer with a number: ${serverWords(text)}`, {
    remedy: 'Check the types of the columns.',
  })
}
