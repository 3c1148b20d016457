/** A named step of a statement, and what it is for. */
export interface Step {
  readonly name: string
  readonly about: string
  readonly select: Select
  /** Cheap to compute wherever it is named, and large to keep. */
  readonly isCheap?: boolean
}

/** A query as its clauses, so that it can be laid out for people. */
interface Select {
  readonly columns: readonly string[]
  readonly from: string
  readonly where?: string
  readonly groupBy?: readonly string[]
  readonly orderBy?: string
  readonly limit?: number
}

/** A column under a name. */
export const named = (expression: string, name: string): string => `${expression} AS ${name}`

/** A query on several lines. */
function selectText({ columns, from, where, groupBy, orderBy, limit }: Select, indent = '  '): string {
  const lines = [
    'SELECT',
    columns.map((column) => `  ${column}`).join(`,\n${indent}`),
    `FROM ${from}`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
    ...(groupBy ? [`GROUP BY ${groupBy.join(', ')}`] : []),
    ...(orderBy === undefined ? [] : [`ORDER BY ${orderBy}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ]
  return lines.map((line) => indent + line).join('\n')
}

/** A text as comment lines. No line of it can end the comment. */
export const comment = (text: string): string =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `-- ${line}`.trimEnd())
    .join('\n')

/** Steps as the common table expressions of one statement; cheap ones are marked with `again`, where the engine has such a word. */
export const stepsText = (steps: readonly Step[], again: string | undefined): string =>
  steps
    .map(({ name, about, select, isCheap }, k) => {
      const mark = isCheap && again !== undefined ? ` ${again}` : ''
      return `${comment(about)}\n${k === 0 ? 'WITH ' : ''}${name} AS${mark} (\n${selectText(select)}\n)`
    })
    .join(',\n')
