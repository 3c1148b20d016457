import { BLOCK, eachBlock, type RowArray, type RowArrays } from '../sql/vectorise.js'
import { factorAnswer, type FactorColumns, NOWHERE } from './array-factors.js'
import {
  type Answers,
  type Batch,
  type Label,
  MOST_LARGEST,
  OF_NO_ROWS,
  type RowNumber,
  type Sums,
  type SumsQuery,
  takenBy,
} from './query.js'
import { type ArrayRows, SortedRows } from './sorted-rows.js'
import { Windows } from './windows.js'

/** The rows of a log in memory, which answer batches; what no weight changes is computed once for all targets. */
export class ArrayAnswers {
  readonly #rows: SortedRows
  readonly #windows: Windows
  /** What was computed without weights, by texts that say what it is. */
  readonly #keptWindows = new Map<string, RowArray>()
  readonly #keptSums = new Map<string, Sums>()

  constructor(rows: ArrayRows) {
    this.#rows = new SortedRows(rows)
    this.#windows = new Windows(this.#rows)
  }

  /** Answers a batch for the target with these weights. */
  answer(batch: Batch, weights: Float64Array): Answers {
    const { windows, sums } = batch
    const w = this.#rows.weights(weights)
    const columns: Record<string, RowArray | undefined> = { n: 1, ...this.#rows.columns, w }
    const meanings = new Meanings()
    for (const window of windows) {
      const meaning = { ...window, name: undefined }
      const text = meanings.textOf(meaning)
      const known = text === undefined ? undefined : this.#keptWindows.get(text)
      const column = known ?? this.#windows.compute(window, columns, meanings.textOf(window.over))
      if (text !== undefined) this.#keptWindows.set(text, column)
      columns[window.name] = column
      meanings.add(window.name, text === undefined ? undefined : meaning)
    }
    const textOf = new Map(Object.entries(sums).map(([name, query]) => [name, meanings.textOf(query)]))
    const known = (name: string): Sums | undefined => this.#keptSums.get(textOf.get(name) ?? '')
    const sought = Object.entries(sums).filter(([name]) => !known(name))
    const found = this.#inOnePass(sought, batch, columns)
    for (const [name, answer] of found.sums) {
      const text = textOf.get(name)
      if (text !== undefined) this.#keptSums.set(text, answer)
    }
    return {
      sums: Object.fromEntries(Object.keys(sums).map((name) => [name, found.sums.get(name) ?? known(name)!])),
      factors: Object.fromEntries(
        found.factors.map(([name, own]) => [name, factorAnswer(this.#rows, { ...own, w })]),
      ),
      largest: found.largest,
    }
  }

  /** Sums that are sought, and what the numbers of other queries are in each row: what they share is computed once. */
  #inOnePass(
    sought: readonly (readonly [string, SumsQuery])[],
    { factors, largest = {} }: Batch,
    columns: RowArrays<string>,
  ): {
    sums: Map<string, Sums>
    factors: (readonly [string, Omit<FactorColumns, 'w'>])[]
    largest: Answers['largest']
  } {
    const pass = new Pass(this.#rows.rows)
    const summed = sought.map(([name, query]) => [name, pass.sums(query)] as const)
    const read = Object.entries(factors).map(([name, query]) => {
      const part = query.time && pass.label(query.time)
      return [
        name,
        { query, measure: pass.column(query.measure), group: pass.label(query.by), part },
      ] as const
    })
    const listed = Object.entries(largest).map(
      ([name, { of, count }]) => [name, pass.column(of), pass.column(count)] as const,
    )
    pass.run(columns)
    return {
      sums: new Map(summed),
      factors: read,
      largest: Object.fromEntries(
        listed.map(([name, of, count]) => {
          const most = Math.min(of.length, Math.floor(count[0] ?? 0), MOST_LARGEST)
          return [name, of.toSorted().slice(of.length - most)]
        }),
      ),
    }
  }
}

/** One pass over the rows for all that is to be computed of them. */
class Pass {
  readonly #rows: number
  readonly #numbers: RowNumber[] = []
  readonly #visits: ((values: readonly Float64Array[], from: number, count: number) => void)[] = []
  readonly #made = new Map<string, Float64Array | Uint16Array>()

  constructor(rows: number) {
    this.#rows = rows
  }

  /** Calls all visitors with the numbers that were asked for. */
  run(columns: RowArrays<string>): void {
    eachBlock(this.#numbers, columns, this.#rows, (...block) => {
      for (const visit of this.#visits) visit(...block)
    })
  }

  /** A number of each row. */
  column(of: RowNumber): Float64Array {
    return this.#once(JSON.stringify(of), () => {
      const column = new Float64Array(this.#rows)
      const place = this.#ask(of)
      this.#visits.push((values, from, count) => column.set(values[place]!.subarray(0, count), from))
      return column
    })
  }

  /** A label of each row, `NOWHERE` outside of it. */
  label({ of, size }: Label): Uint16Array {
    return this.#once(JSON.stringify([of, size]), () => {
      const column = new Uint16Array(this.#rows)
      const place = this.#ask(of)
      this.#visits.push((values, from, count) => {
        const label = values[place]!
        for (let k = 0; k < count; k++)
          column[from + k] = label[k]! >= 0 && label[k]! < size ? label[k]! : NOWHERE
      })
      return column
    })
  }

  sums(query: SumsQuery): Sums {
    const cells = query.by.reduce((size, label) => size * label.size, 1)
    const labels = query.by.map(({ of, size }) => ({ place: this.#ask(of), size }))
    const sought = takenBy(query).map(({ name, take, of }) => ({
      name,
      place: this.#ask(of),
      take: TAKES[take],
      into: new Float64Array(cells).fill(OF_NO_ROWS[take]),
    }))
    const cell = new Int32Array(BLOCK)
    this.#visits.push((values, _, count) => {
      cell.fill(0, 0, count)
      for (const { place, size } of labels) {
        const label = values[place]!
        for (let k = 0; k < count; k++) {
          const own = label[k]!
          cell[k] = cell[k]! >= 0 && own >= 0 && own < size ? cell[k]! * size + own : -1
        }
      }
      for (const { place, take, into } of sought) take(values[place]!.subarray(0, count), cell, into)
    })
    return Object.fromEntries(sought.map(({ name, into }) => [name, into]))
  }

  /** The place of a number among those that visitors see. */
  #ask(of: RowNumber): number {
    return this.#numbers.push(of) - 1
  }

  #once<Column extends Float64Array | Uint16Array>(text: string, make: () => Column): Column {
    const known = this.#made.get(text) as Column | undefined
    if (known) return known
    const made = make()
    this.#made.set(text, made)
    return made
  }
}

/** Takes the numbers of some rows into their cells; −1 is none. */
type Take = (numbers: Float64Array, cell: Int32Array, into: Float64Array) => void

const TAKES: Readonly<Record<keyof typeof OF_NO_ROWS, Take>> = {
  total: (numbers, cell, into) => {
    for (let k = 0; k < numbers.length; k++) if (cell[k]! >= 0) into[cell[k]!]! += numbers[k]!
  },
  least: (numbers, cell, into) => {
    for (let k = 0; k < numbers.length; k++)
      if (cell[k]! >= 0 && numbers[k]! < into[cell[k]!]!) into[cell[k]!] = numbers[k]!
  },
  most: (numbers, cell, into) => {
    for (let k = 0; k < numbers.length; k++)
      if (cell[k]! >= 0 && numbers[k]! > into[cell[k]!]!) into[cell[k]!] = numbers[k]!
  },
}

/** What the names of windows mean, so that equal texts are the same, whatever it is called. */
class Meanings {
  /** Undefined for what is of one target alone. */
  readonly #ofName = new Map<string, object | undefined>([['w', undefined]])

  add(name: string, meaning: object | undefined): void {
    this.#ofName.set(name, meaning)
  }

  /** Undefined where weights are a part of it. */
  textOf(asked: unknown): string | undefined {
    let isOfTarget = false
    const text = JSON.stringify(asked, (part, value: unknown) => {
      if (typeof value === 'number') return String(value)
      if (part !== 'column' || !this.#ofName.has(value as string)) return value
      const meaning = this.#ofName.get(value as string)
      if (meaning === undefined) isOfTarget = true
      return meaning
    })
    return isOfTarget ? undefined : text
  }
}
