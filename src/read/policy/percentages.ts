import { HindcastError } from '../../error.js'
import { type PolicyFile, type PolicyValues, rowsOf, sumOf } from './policy-file.js'
import { sumsToOne } from './rounding.js'

/** What probabilities written as percentages sum to. */
const HUNDRED = 100

/**
 * Probabilities, of which a file may hold percentages: those of every row then sum to 100, up to rounding, and are divided by it.
 * `read` reads the file with numbers up to a limit.
 */
export async function readShares(read: (most: number) => Promise<PolicyFile>): Promise<PolicyFile> {
  const readAgain = (error: unknown): Promise<PolicyFile | undefined> => {
    if (!(error instanceof HindcastError) || error.code !== 'bad-rows') throw error
    // What is wrong with it either way is said of probabilities.
    return read(HUNDRED).catch(() => undefined)
  }
  let failed: unknown
  const file = await read(1).catch((error: unknown) => {
    failed = error
    return readAgain(error)
  })
  const shares = file && inShares(file)
  if (shares) return shares
  if (failed !== undefined) throw failed
  return file!
}

function inShares(file: PolicyFile): PolicyFile | undefined {
  const sharesOf = (row: number): PolicyValues =>
    Float64Array.from(file.values(row), (value) => value / HUNDRED)
  for (let row = 0; row < rowsOf(file); row++) {
    const sum = sumOf(file.values(row)) / HUNDRED
    // Probabilities, whose sums are nowhere near 100, are known by their first row.
    if (Math.abs(sum - 1) > 0.5 || !sumsToOne(sum, sharesOf(row))) return undefined
  }
  const whose = file.userIds ? 'the numbers of every user' : 'its numbers'
  return {
    ...file,
    values: sharesOf,
    notes: [...(file.notes ?? []), `${file.name}: ${whose} sum to 100, and are read as percentages.`],
  }
}
