import { throwIfAborted } from '../../error.js'
import { badRowsError, type ColumnOrigins } from '../bad-rows.js'
import type { OnBadRow } from '../build.js'
import type { BrokenCell } from '../rules.js'
import type { Batch, RowSource } from '../source.js'
import { grown, hashed, hashText, keyOf, KeyTable, looseKey } from './key-table.js'
import { GrowingTally, type Tally } from './join-facts.js'

/** Outcomes by the key of their decision: those of key k are events `start[k]` to `start[k + 1]`, in order of time. */
export interface Outcomes {
  readonly keys: KeyTable
  readonly start: Uint32Array
  /** The time of each event as it is in the file; undefined where outcomes have no times. */
  readonly time: Float64Array | undefined
  /** What each event is worth. */
  readonly value: Float64Array
  /** Where each event is in its file, from 0. */
  readonly place: Uint32Array
  /** Events in the file. */
  readonly rows: number
  /** Events that came before: they are not among those by key. */
  readonly copies: Tally
  readonly withoutId: Tally
  /** Events that cannot be read; only where bad rows are not an error. */
  readonly unreadable: Tally
  /** The first time in the file, from which the unit of all is known. */
  readonly firstTime: number | undefined
  readonly loose: LooseKeys
}

/** The loose forms of those keys that differ from them, and for each such key the number of its form. */
interface LooseKeys {
  readonly table: KeyTable
  readonly of: ReadonlyMap<number, number>
}

interface OutcomeReading {
  readonly withItem: boolean
  readonly isLoose: boolean
  readonly onBadRow?: OnBadRow
  readonly signal?: AbortSignal
}

/** Reads all outcomes, which are fewer than decisions, and leaves out those that came before. */
export async function readOutcomes(
  source: RowSource,
  origins: ColumnOrigins,
  reading: OutcomeReading,
): Promise<Outcomes> {
  const events = new GrowingEvents(origins, reading)
  const bad: BrokenCell[] = []
  let rows = 0
  for await (const batch of source.batches(reading.signal)) {
    throwIfAborted(reading.signal)
    events.add(batch, rows, (cell) => bad.push(cell))
    rows += batch.rows
  }
  throwIfAborted(reading.signal)
  if (bad.length > 0 && (reading.onBadRow ?? 'stop') === 'stop')
    throw await badRowsError(source, origins, bad, new Set(bad.map(({ row }) => row)).size)
  const unreadable = new GrowingTally()
  for (const row of new Set(bad.map(({ row: place }) => place))) unreadable.add(row)
  return events.byKey(rows, unreadable)
}

/** Events as they arrive. */
class GrowingEvents {
  readonly #origins: ColumnOrigins
  readonly #reading: OutcomeReading
  readonly #keys = new KeyTable()
  readonly #looseKeys = new KeyTable()
  readonly #withoutId = new GrowingTally()
  readonly #looseOf = new Map<number, number>()
  #count = 0
  #key = new Uint32Array(1024)
  #place = new Uint32Array(1024)
  #time = new Float64Array(1024)
  #value = new Float64Array(1024)
  /** The hash of the event's own id, in two halves. */
  #lower = new Uint32Array(1024)
  #upper = new Uint32Array(1024)
  #firstTime: number | undefined

  constructor(origins: ColumnOrigins, reading: OutcomeReading) {
    this.#origins = origins
    this.#reading = reading
  }

  add(batch: Batch, start: number, complain: (cell: BrokenCell) => void): void {
    this.#reserve(this.#count + batch.rows)
    const { time, reward } = batch.numbers
    const decisions = batch.keys!['key:decision']!
    const { 'key:item': items, 'key:outcome': own } = batch.keys!
    for (let k = 0; k < batch.rows; k++) {
      const place = start + k
      const structure = batch.broken?.get(k)
      if (structure !== undefined) complain({ row: place, column: undefined, structure })
      const hasTime = !time || Number.isFinite(time[k]!)
      const hasReward = Number.isFinite(reward![k]!)
      if (structure !== undefined) continue
      if (!hasTime) complain({ row: place, column: 'time' })
      if (!hasReward) complain({ row: place, column: 'reward' })
      if (!hasTime || !hasReward) continue
      if (time) this.#firstTime ??= time[k]!
      const key = keyOf(decisions[k], items?.[k], this.#reading)
      if (key === undefined) this.#withoutId.add(place)
      else this.#push(place, key, own?.[k], time?.[k] ?? 0, reward![k]!)
    }
  }

  #reserve(needed: number): void {
    this.#key = grown(this.#key, needed)
    this.#place = grown(this.#place, needed)
    this.#time = grown(this.#time, needed)
    this.#value = grown(this.#value, needed)
    this.#lower = grown(this.#lower, needed)
    this.#upper = grown(this.#upper, needed)
  }

  #push(place: number, key: string, own: string | undefined, time: number, value: number): void {
    const event = this.#count++
    const before = this.#keys.count
    const number = this.#keys.add(key)
    if (number === before) {
      const loose = looseKey(key)
      if (loose !== key) this.#looseOf.set(number, this.#looseKeys.add(loose))
    }
    this.#key[event] = number
    this.#place[event] = place
    this.#time[event] = time
    this.#value[event] = value
    if (own === undefined) return
    hashText(own)
    this.#lower[event] = hashed[0]
    // An event without an id of its own has a hash of two zeros.
    this.#upper[event] = hashed[0] === 0 && hashed[1] === 0 ? 1 : hashed[1]
  }

  byKey(rows: number, unreadable: Tally): Outcomes {
    const copies = new GrowingTally()
    const { start, order } = this.#ordered()
    const kept: Uint32Array = new Uint32Array(this.#count)
    const starts = new Uint32Array(this.#keys.count + 1)
    let count = 0
    for (let key = 0; key < this.#keys.count; key++) {
      starts[key] = count
      const events = order.subarray(start[key]!, start[key + 1]!)
      const own = events.length === 1 ? events : this.#withoutCopies(events, copies)
      for (const event of own) kept[count++] = event
    }
    starts[this.#keys.count] = count
    const pick = <Column extends Uint32Array | Float64Array>(column: Column): Column => {
      const picked = new (column.constructor as new (length: number) => Column)(count)
      for (let k = 0; k < count; k++) picked[k] = column[kept[k]!]!
      return picked
    }
    return {
      keys: this.#keys,
      start: starts,
      time: this.#origins.time && pick(this.#time),
      value: pick(this.#value),
      place: pick(this.#place),
      rows,
      copies,
      withoutId: this.#withoutId,
      unreadable,
      firstTime: this.#firstTime,
      loose: { table: this.#looseKeys, of: this.#looseOf },
    }
  }

  /** The events of each key, in the order of the file. */
  #ordered(): { start: Uint32Array; order: Uint32Array } {
    const start = new Uint32Array(this.#keys.count + 1)
    for (let event = 0; event < this.#count; event++) start[this.#key[event]! + 1]!++
    for (let key = 0; key < this.#keys.count; key++) start[key + 1]! += start[key]!
    const next = start.slice()
    const order = new Uint32Array(this.#count)
    for (let event = 0; event < this.#count; event++) order[next[this.#key[event]!]!++] = event
    return { start, order }
  }

  /** The events of one key in order of time, without those that came before: of the same id, or else the same in time and worth. */
  #withoutCopies(events: Uint32Array, copies: GrowingTally): Uint32Array {
    const [time, value] = [this.#time, this.#value]
    const seen = new Set<string>()
    const kept = events.filter((event) => {
      const id = this.#idOf(event)
      if (id === undefined && !this.#origins.time) return true
      const what = id ?? `${time[event]} ${value[event]}`
      const isCopy = seen.has(what)
      if (isCopy) copies.add(this.#place[event]!)
      else seen.add(what)
      return !isCopy
    })
    return kept.sort((a, b) => time[a]! - time[b]! || a - b)
  }

  #idOf(event: number): string | undefined {
    const [lower, upper] = [this.#lower[event]!, this.#upper[event]!]
    return lower === 0 && upper === 0 ? undefined : `#${lower} ${upper}`
  }
}
