import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { Cell } from '../../log/cell.js'
import { namesBehind, originOf } from '../../log/values/origin.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import type { LogRows } from './log-rows.js'

/** A cell of each row as it comes out of a warehouse. */
export interface StreamedCell {
  /** What the origins of `StreamedCells` call it. */
  readonly name: string
  /** The column of the table. */
  readonly column: string
  readonly sql: string
  /** The cell as a reader of files would deliver it. */
  read(text: string | null): Cell
}

/** The cells that the columns of a log are read from, and which of them each is read from. */
export interface StreamedCells {
  readonly cells: readonly StreamedCell[]
  readonly origins: ColumnOrigins
}

/** No name of a column has this character. */
const TIME = '\0time'

/**
 * The cells behind the columns of a log. Texts and whole numbers come as they are, so that they are read as those of a file
 * with the same rows are; other numbers as doubles, and times in milliseconds, as sums inside the engine see them.
 */
export function streamedCells(dialect: Dialect, { columns, origins }: LogRows): StreamedCells {
  const names = columns.map(({ name }) => name)
  const columnOf = (name: string): SqlColumn => columns.find((column) => column.name === name)!
  const [timeText] = origins.time ?? []
  const origin = timeText === undefined ? undefined : originOf(timeText, names, 'time')
  const time = origin?.kind === 'column' ? columnOf(origin.name) : undefined
  const { time: _time, ...others } = origins
  // A column of times may be a label too: it then comes twice.
  const isMoment = time !== undefined && MOMENTS.has(time.kind)
  const plain = (isMoment ? others : origins) as ColumnOrigins
  const cells = namesBehind(plain, names).map((name) => plainCell(dialect, columnOf(name)))
  if (!isMoment) return { cells, origins }
  const moment = {
    name: TIME,
    column: time.name,
    sql: dialect.milliseconds(dialect.identifier(time.name), time.kind as 'time' | 'instant' | 'date'),
    read: numberOf,
  }
  return { cells: [...cells, moment], origins: { ...plain, time: [TIME] } }
}

const MOMENTS: ReadonlySet<SqlColumn['kind']> = new Set(['time', 'instant', 'date'])

function plainCell(dialect: Dialect, { name, kind }: SqlColumn): StreamedCell {
  const cell = dialect.identifier(name)
  const streamed = (sql: string, read: StreamedCell['read'] = (text) => text): StreamedCell => ({
    name,
    column: name,
    sql,
    read,
  })
  switch (kind) {
    case 'text':
    case 'integer':
    case 'uuid':
    case 'date':
      return streamed(dialect.text(cell))
    case 'number':
      return streamed(dialect.double(cell), numberOf)
    case 'boolean':
      return streamed(`CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END`, (text) =>
        text === null ? null : text === 'true',
      )
    default:
      // No id or label, as `textSql` has it.
      return streamed(dialect.text('NULL'))
  }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))
