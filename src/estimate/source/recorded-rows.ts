import { advice } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { hashText } from '../../random/stream.js'
import { EXACT, SCRIPT_FORMAT, type ScriptPart } from '../../sql/script/script-format.js'
import { counted, formatCount } from '../../number-text.js'

/** A row of the result of a `sumsScript`. */
export interface RecordedRow {
  readonly part: string
  readonly id: string | null
  readonly partRows: number | null
  /** x0, x1 and so on, null where there is none. */
  readonly numbers: readonly (number | null)[]
}

/** The rows of a result by their parts, and what the result says it was made for. */
export interface RecordedParts {
  /** What messages call it. */
  readonly name: string
  readonly settings: ReadonlyMap<string, string>
  of(part: ScriptPart): readonly RecordedRow[]
}

/** More of a number than this must not be lost on the way: an export that rounds to fewer digits changes answers. */
const MOST_ROUNDED = 1e-12

/** The parts of a whole result; an error where rows are missing, numbers were rounded, or it is of another version. */
export function recordedParts(name: string, rows: readonly RecordedRow[]): RecordedParts {
  const byPart = new Map<string, RecordedRow[]>()
  for (const row of rows) {
    const own = byPart.get(row.part)
    if (own) own.push(row)
    else byPart.set(row.part, [row])
  }
  const settings = byPart.get('setting') ?? []
  if (settings.length === 0)
    throw damaged(
      name,
      byPart.size === 0
        ? 'it has no rows'
        : 'it does not say what it was made for: the rows of the part "setting" are missing',
    )
  for (const [part, own] of byPart) {
    const expected = own[0]!.partRows
    if (expected === null || own.some(({ partRows }) => partRows !== expected))
      throw damaged(name, `the column part_rows of the part ${JSON.stringify(part)} is damaged`)
    if (own.length !== expected)
      throw damaged(
        name,
        `${formatCount(own.length)} of ${counted(expected, 'row')} of the part ${JSON.stringify(part)} are there`,
      )
  }
  const texts = settings.flatMap(({ id }) => (id?.includes('=') ? [id] : []))
  const known = new Map(
    texts.map((text): [string, string] => [
      text.slice(0, text.indexOf('=')),
      text.slice(text.indexOf('=') + 1),
    ]),
  )
  requireFormat(name, known.get('format'))
  requireExact(name, settings.find(({ id }) => id === 'exact')?.numbers[0])
  return { name, settings: known, of: (part) => byPart.get(part) ?? [] }
}

/** The error for a result that cannot be used. */
export const damaged = (name: string, why: string): HindcastError =>
  new HindcastError('bad-file', `${name} is not the whole result of the statement: ${why}.`, {
    remedy: advice`Run the statement again and save all rows and columns of its result; some tools save only the first thousands.`,
  })

function requireFormat(name: string, format: string | undefined): void {
  if (format === String(SCRIPT_FORMAT)) return
  throw new HindcastError(
    'bad-file',
    `${name} was made by a statement of ${format === undefined ? 'an unknown version' : `version ${format}`}; this is version ${SCRIPT_FORMAT}.`,
    { remedy: 'Write the statement again with this version of Hindcast, and run it again.' },
  )
}

function requireExact(name: string, came: number | null | undefined): void {
  if (typeof came === 'number' && Math.abs(came / EXACT - 1) <= MOST_ROUNDED) return
  throw new HindcastError(
    'bad-file',
    `${name} holds rounded numbers: ${EXACT} came as ${String(came ?? 'nothing')}.`,
    {
      remedy: 'Save the result with all digits: as Parquet, or as CSV by a tool that does not round.',
    },
  )
}

/** Eight hexadecimal digits that differ where texts do, but for chance. */
export const fingerprintOf = (text: string): string => hashText(text).toString(16).padStart(8, '0')
