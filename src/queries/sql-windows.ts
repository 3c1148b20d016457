import { namedIn } from '../expression.js'
import { named, type Step } from '../sql/script/layout.js'
import { sqlOf } from '../sql/sql-of.js'
import type { Partition, RowNumber, Window } from './query.js'
import { ROW_COLUMNS, type SqlRows } from './sql-rows.js'

/** What orders rows, the first decides. */
const ORDER = ['t', 'i', 'r', 'b', 'k', 'n', 'u', 'w'] as const
/** The first step. */
const ROWS = 'asked_rows'
/** Stands for a number that is missing, where rows are put together by it. */
const MISSING = -Number.MAX_VALUE

/**
 * The rows of a log with their windows, in steps: each adds what those before it allow, and keeps what is needed later. An engine
 * that keeps steps sums whole groups apart and joins them; any other would compute all steps before it again for each.
 */
export class SqlWindows {
  readonly steps: Step[] = []
  /** The last step. */
  from = ROWS
  readonly #rows: SqlRows
  readonly #windows: readonly Window[]
  /** What is asked of the rows in the end. */
  readonly #asked: readonly RowNumber[]
  /** What names stand for in the last step. */
  readonly #columns = new Map<string, string>()
  /** Names of numbers that are missing, and of windows over them. */
  readonly #missing = new Set<string>()
  #pending: readonly Window[]
  /** Whether rows have their place among those of their user. */
  #arePlaced = false

  constructor(rows: SqlRows, windows: readonly Window[], asked: readonly RowNumber[]) {
    const { columns, dialect } = rows
    this.#rows = rows
    this.#windows = windows
    this.#asked = asked
    this.#pending = windows
    for (const name of new Set([...ROW_COLUMNS, ...Object.keys(columns)])) {
      const isThere = columns[name] !== undefined
      if (!isThere && name !== 'n') this.#missing.add(name)
      this.#columns.set(name, isThere ? name : name === 'n' ? dialect.number(1) : dialect.double('NULL'))
    }
    const present = Object.entries(columns).map(([name, column]) => named(column, name))
    this.#add(
      'The rows of the log for what is asked of them; u and i are the buckets of their user and item.',
      {
        columns: [named(rows.user, 'user_key'), named(rows.item, 'item_key'), ...present],
        from: rows.from,
      },
    )
    while (this.#pending.length > 0) this.#addWindows()
  }

  /** A number of the rows in the SQL of the engine. */
  sql(number: RowNumber): string {
    const { dialect } = this.#rows
    return sqlOf(number, dialect, (name) => this.#columns.get(name) ?? dialect.double('NULL'))
  }

  /** The first step that has these numbers: without windows, none is computed for them. */
  fromOf(numbers: readonly RowNumber[]): string {
    const names = new Set(this.#windows.map(({ name }) => name))
    return numbers.flatMap(namedIn).some((name) => names.has(name)) ? this.from : ROWS
  }

  #add(about: string, select: Step['select'], name = this.from): void {
    this.steps.push({ name, about, select })
  }

  /** Adds a step with all windows that can be computed by now; those in order first. */
  #addWindows(): void {
    const pending = new Set(this.#pending.map(({ name }) => name))
    const ready = this.#pending.filter((window) => namesIn(window).every((name) => !pending.has(name)))
    const areKept = this.#rows.dialect.again !== undefined
    const inOrder = ready.filter(isOrdered)
    // To sort moves whole rows, so it is done while they have few columns.
    const now = areKept && inOrder.length > 0 ? inOrder : ready
    const isApart = (window: Window): boolean => !isOrdered(window) && (areKept || window.over === 'log')
    this.#pending = this.#pending.filter((window) => !now.includes(window))

    const from = [this.from, ...this.#joins(now.filter(isApart))].join(' ')
    const made = new Map<string, string>()
    for (const window of now) if (!isApart(window)) made.set(this.#nameOf(window), this.#windowSql(window))
    if (!this.#arePlaced && inOrder.some(isOfUser)) {
      made.set('place', `row_number() OVER (${this.#inOrder('user')})`)
      this.#arePlaced = true
    }
    for (const window of now) {
      this.#columns.set(window.name, this.#nameOf(window))
      if (namesIn(window).some((name) => this.#missing.has(name))) this.#missing.add(window.name)
    }
    this.from = `asked_with_${this.#nameOf(now[0]!)}`
    this.#add(`The rows with ${now.map(({ name }) => name).join(', ')}.`, {
      columns: this.#needed().map((name) => (made.has(name) ? named(made.get(name)!, name) : name)),
      from,
    })
  }

  #nameOf(window: Window): string {
    return `x${this.#windows.indexOf(window)}`
  }

  /** Adds steps with what rows take of whole groups, one for each kind of group, and joins them. */
  #joins(windows: readonly Window[]): string[] {
    const byGroup = new Map<string, Window[]>()
    for (const window of windows) {
      const key = JSON.stringify(window.over)
      byGroup.set(key, [...(byGroup.get(key) ?? []), window])
    }
    return Array.from(byGroup.values(), (same) => {
      const name = `asked_${this.#nameOf(same[0]!)}`
      const keys = this.#keys(same[0]!.over)
      this.#add(
        `For each group of rows: ${same.map((window) => window.name).join(', ')}.`,
        {
          columns: [
            ...keys.map((key, k) => named(key, `key_${k}`)),
            ...same.map((window) => named(this.#taken(window), this.#nameOf(window))),
          ],
          from: this.from,
          ...(keys.length > 0 && { groupBy: keys }),
        },
        name,
      )
      // An outer join is made in the order in which it is written.
      return keys.length === 0
        ? `CROSS JOIN ${name}`
        : `LEFT JOIN ${name} ON ${keys.map((key, k) => `${name}.key_${k} = ${key}`).join(' AND ')}`
    })
  }

  #windowSql(window: Window): string {
    const { dialect } = this.#rows
    const keys = this.#keys(window.over)
    if (!('otherwise' in window) && window.take !== 'running')
      return `${this.#taken(window)} OVER (PARTITION BY ${keys.join(', ')})`
    const inOrder = this.#inOrder(window.over)
    const of = this.sql(window.of)
    if (!('otherwise' in window))
      return `${dialect.sum(of)} OVER (${inOrder} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`
    const take = window.take === 'before' ? 'lag' : 'lead'
    const next = dialect.neighbour?.(take, of, inOrder) ?? `${take}(${of}) OVER (${inOrder})`
    return `coalesce(${next}, ${dialect.number(window.otherwise)})`
  }

  /** What a window takes of all rows of a group. */
  #taken({ take, of }: Window): string {
    const value = this.sql(of)
    return take === 'least'
      ? `min(${value})`
      : take === 'most'
        ? `max(${value})`
        : this.#rows.dialect.sum(value)
  }

  /** The rows of a group in their order. */
  #inOrder(over: Partition): string {
    const keys = this.#keys(over)
    const order = isOfUser({ over }) && this.#arePlaced ? ['place'] : this.#order(over)
    return `${keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')} `}ORDER BY ${order.join(', ')}`
  }

  #order(over: Partition): string[] {
    const { columns, areClustersUsers } = this.#rows
    const isAlike = areClustersUsers && isOfUser({ over })
    return ORDER.filter((name) => columns[name] !== undefined && !(name === 'u' && isAlike))
  }

  #keys(over: Partition): string[] {
    switch (over) {
      case 'log':
        return []
      case 'user':
        return ['user_key']
      case 'item':
        return ['item_key']
      case 'pair':
        return ['user_key', 'item_key']
    }
    const missing = this.#rows.dialect.number(MISSING)
    return [
      'user_key',
      ...over.map((number) => {
        const sql = this.sql(number)
        return namedIn(number).some((name) => this.#missing.has(name)) ? `coalesce(${sql}, ${missing})` : sql
      }),
    ]
  }

  /** The columns that what is left, or what is asked in the end, needs. */
  #needed(): string[] {
    const later = this.#pending
    const names = [...later.flatMap(namesIn), ...this.#asked.flatMap(namedIn)]
    const orders = later
      .filter(isOrdered)
      .flatMap(({ over }) => (isOfUser({ over }) && this.#arePlaced ? ['place'] : this.#order(over)))
    const needed = new Set([
      ...(later.length > 0 ? ['user_key'] : []),
      'item_key',
      ...names.map((name) => this.#columns.get(name)),
      ...orders,
    ])
    const columns = [...this.#columns.values(), 'user_key', 'item_key', 'place']
    return columns.filter((column) => needed.has(column) && /^\w+$/.test(column))
  }
}

/** Whether a window looks at rows in their order. */
const isOrdered = ({ take }: Window): boolean => take === 'running' || take === 'before' || take === 'after'

/** Whether all rows of a group are of one user. */
const isOfUser = ({ over }: Pick<Window, 'over'>): boolean => over !== 'log' && over !== 'item'

/** The names that a window needs. */
const namesIn = ({ of, over }: Window): string[] =>
  [of, ...(typeof over === 'string' ? [] : over)].flatMap(namedIn)
