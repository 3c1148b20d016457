import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../bad-rows.js'
import { unitsPerDay } from '../days.js'
import type { Log } from '../log.js'
import type { Batch, RowSource } from '../source.js'
import { grown, hashText, keyOf, type KeyTable, looseKey, SeenTexts } from './key-table.js'
import { graceOf, GrowingTally, type JoinFacts, quantileOf } from './join-facts.js'
import type { Combination, JoinOptions } from './join-options.js'
import type { Outcomes } from './outcomes.js'

const DAY = 86_400_000
/** Stands for a key that no decision has had. */
const NONE = 0xffffffff

/** Decisions with the rewards of their outcomes, and what became of the outcomes once all have been read. */
export interface JoinedSource {
  readonly source: RowSource
  /** The facts about the join, for the log that was built from the source. */
  facts(log: Log): JoinFacts
}

/** Milliseconds per unit of the times of a file, from the first of them; undefined where they are no times of a clock. */
export function millisecondsPerUnit(first: number | undefined): number | undefined {
  const perDay = first === undefined ? undefined : unitsPerDay(first)
  return perDay && DAY / perDay
}

/** The error about a wait that cannot be measured. */
export const noTimesToWait = (file: string): HindcastError =>
  new HindcastError(
    'bad-option',
    advice`${set('wait')} needs the times of decisions and outcomes, and ${file} has none.`,
    {
      remedy: advice`Name the columns: ${set('columns', 'time=NAME')} for decisions, ${set('outcomeColumns', 'time=NAME')} for outcomes.`,
    },
  )

/** Joins outcomes to the decisions of a source as they stream by. */
export function joinedSource(
  decisions: RowSource,
  origins: ColumnOrigins,
  { outcomes, file }: { readonly outcomes: Outcomes; readonly file: string },
  options: JoinOptions,
): JoinedSource {
  const names = { decisions: decisions.name, outcomes: file }
  const joining = new Joining(outcomes, origins, options, names, decisions.expectedRows)
  return {
    source: {
      ...decisions,
      // Spreading an object leaves out what it computes.
      name: decisions.name,
      codes: (column) => decisions.codes(column),
      idText: (column, code) => decisions.idText(column, code),
      rawRows: (places, signal) => decisions.rawRows(places, signal),
      async *batches(signal) {
        for await (const batch of decisions.batches(signal)) yield joining.joined(batch)
        joining.end()
      },
    },
    facts: (log) => joining.facts(log),
  }
}

class Joining {
  readonly #outcomes: Omit<Outcomes, 'keys'>
  readonly #options: JoinOptions
  readonly #names: { readonly decisions: string; readonly outcomes: string }
  readonly #idName: string
  readonly #keying: { readonly withItem: boolean; readonly isLoose: boolean }
  /** Undefined once all decisions have been read: nothing more is looked up, and it is large. */
  #seen: SeenTexts | undefined
  #keys: KeyTable | undefined
  /** The first decision of each key. */
  readonly #decision: Uint32Array
  /** Keys of outcomes that are their own loose form, and the loose forms of others, that a decision has but for what makes ids loose. */
  readonly #plainSeen: Uint8Array
  readonly #looseSeen: Uint8Array
  readonly #late = new GrowingTally()
  readonly #early = new GrowingTally()
  readonly #repeated = new GrowingTally()
  #delays: Float64Array = new Float64Array(1024)
  #compared = 0
  #rows = 0
  #joined = 0
  #several = 0
  /** The first and the last row with an outcome; by time, where there are times. */
  #firstMatched = Infinity
  #lastMatched = -Infinity
  #from = Infinity
  #to = -Infinity
  /** Milliseconds per unit of the decisions' times; null until one is seen. */
  #unit: number | undefined | null = null
  readonly #outcomeUnit: number | undefined
  readonly #hasTimes: boolean

  constructor(
    outcomes: Outcomes,
    origins: ColumnOrigins,
    options: JoinOptions,
    names: { readonly decisions: string; readonly outcomes: string },
    expectedRows: number | undefined,
  ) {
    const { keys: _, ...events } = outcomes
    this.#outcomes = events
    this.#options = options
    this.#names = names
    this.#seen = new SeenTexts(expectedRows)
    this.#keys = outcomes.keys
    this.#idName = origins['key:decision']![0]!
    this.#keying = { withItem: origins['key:item'] !== undefined, isLoose: options.matchIds === 'loose' }
    this.#decision = new Uint32Array(outcomes.keys.count).fill(NONE)
    this.#plainSeen = new Uint8Array(outcomes.keys.count)
    this.#looseSeen = new Uint8Array(outcomes.loose.table.count)
    this.#hasTimes = origins.time !== undefined
    this.#outcomeUnit = outcomes.time && millisecondsPerUnit(outcomes.firstTime)
    if (options.wait === undefined) return
    if (!origins.time) throw noTimesToWait(names.decisions)
    // Without any outcome there is nothing to wait for.
    if (outcomes.rows > 0 && this.#outcomeUnit === undefined) throw noTimesToWait(names.outcomes)
  }

  joined(batch: Batch): Batch {
    const { keys, ...rest } = batch
    const [decisions, items] = [keys!['key:decision']!, keys!['key:item']]
    const reward = new Float64Array(batch.rows).fill(this.#options.defaultReward ?? 0)
    const broken = new Map(batch.broken)
    const { time } = batch.numbers
    for (let k = 0; k < batch.rows; k++) {
      const place = this.#rows++
      if (broken.has(k)) continue
      const key = keyOf(decisions[k], items?.[k], this.#keying)
      if (key === undefined) broken.set(k, `has no id of its decision (${this.#idName})`)
      else reward[k] = this.#rewardOf(key, place, time ? this.#moment(time[k]!) : undefined)
    }
    return { ...rest, numbers: { ...batch.numbers, reward }, broken }
  }

  /** Lets go of what only lookups need. */
  end(): void {
    this.#seen = undefined
    this.#keys = undefined
  }

  /** A decision's time in milliseconds; undefined where it cannot be compared with those of outcomes. */
  #moment(time: number): number | undefined {
    if (!Number.isFinite(time)) return undefined
    if (this.#unit === null) {
      this.#unit = millisecondsPerUnit(time)
      if (this.#unit === undefined && this.#options.wait !== undefined)
        throw noTimesToWait(this.#names.decisions)
    }
    if (this.#unit === undefined || this.#outcomeUnit === undefined) return undefined
    const moment = time * this.#unit
    this.#from = Math.min(this.#from, moment)
    this.#to = Math.max(this.#to, moment)
    return moment
  }

  /** Whether times of decisions and outcomes can be compared, as far as is known. */
  #areTimed(): boolean {
    return this.#hasTimes && this.#outcomeUnit !== undefined && this.#unit !== undefined
  }

  #rewardOf(key: string, place: number, moment: number | undefined): number {
    const { start } = this.#outcomes
    hashText(key)
    if (!this.#seen!.isHashedNew()) this.#repeated.add(place)
    const found = this.#keys!.findHashed(key)
    this.#noteLoose(key)
    if (found < 0) return this.#options.defaultReward ?? 0
    if (this.#decision[found] === NONE) {
      this.#decision[found] = place
      if (moment !== undefined) this.#noteDelays(found, moment)
    }
    const at = moment ?? (this.#areTimed() ? NaN : place)
    if (at < this.#firstMatched) this.#firstMatched = at
    if (at > this.#lastMatched) this.#lastMatched = at
    return this.#combined(start[found]!, start[found + 1]!, moment)
  }

  /** What the outcomes in time are worth together. */
  #combined(from: number, to: number, moment: number | undefined): number {
    const { value } = this.#outcomes
    const { several = 'first', defaultReward = 0 } = this.#options
    let [count, worth] = [0, defaultReward]
    for (let event = from; event < to; event++) {
      if (!this.#isInTime(event, moment)) continue
      worth = count === 0 ? value[event]! : COMBINED[several](worth, value[event]!)
      count++
    }
    if (count > 0) this.#joined++
    if (count > 1) this.#several++
    return worth
  }

  #isInTime(event: number, moment: number | undefined): boolean {
    const { wait } = this.#options
    if (wait === undefined) return true
    const delay = this.#delay(event, moment!)
    return delay >= 0 && delay <= wait
  }

  #delay(event: number, moment: number): number {
    return this.#outcomes.time![event]! * this.#outcomeUnit! - moment
  }

  #noteDelays(key: number, moment: number): void {
    const { start, place } = this.#outcomes
    const { wait = Infinity } = this.#options
    for (let event = start[key]!; event < start[key + 1]!; event++) {
      const delay = this.#delay(event, moment)
      this.#delays = grown(this.#delays, this.#compared + 1)
      this.#delays[this.#compared++] = delay
      if (delay < 0) this.#early.add(place[event]!)
      else if (delay > wait) this.#late.add(place[event]!)
    }
  }

  /** Remembers which keys of outcomes a decision has but for what makes ids loose. */
  #noteLoose(key: string): void {
    const { loose } = this.#outcomes
    const id = looseKey(key)
    if (loose.table.count > 0) {
      const found = loose.table.find(id)
      if (found >= 0) this.#looseSeen[found] = 1
    }
    if (id === key) return
    const plain = this.#keys!.find(id)
    if (plain >= 0) this.#plainSeen[plain] = 1
  }

  facts(log: Log): JoinFacts {
    const { start, place, loose, copies, withoutId, unreadable, rows } = this.#outcomes
    const [orphans, near] = [new GrowingTally(), new GrowingTally()]
    for (const at of withoutId.places) orphans.add(at)
    orphans.count = withoutId.count
    for (let key = 0; key < this.#decision.length; key++) {
      if (this.#decision[key] !== NONE) continue
      const form = loose.of.get(key)
      const isNear = this.#plainSeen[key] === 1 || (form !== undefined && this.#looseSeen[form] === 1)
      for (let event = start[key]!; event < start[key + 1]!; event++) {
        orphans.add(place[event]!)
        if (isNear) near.add(place[event]!)
      }
    }
    const { wait, several = 'first' } = this.#options
    return {
      file: this.#names.outcomes,
      decisions: this.#rows,
      outcomes: rows,
      joined: this.#joined,
      several: this.#several,
      matched: place.length - (orphans.count - withoutId.count),
      combination: several,
      isCombinationChosen: this.#options.several !== undefined,
      ...(wait !== undefined && { wait }),
      withItem: this.#keying.withItem,
      copies: tallied(copies),
      orphans: tallied(orphans),
      withoutId: withoutId.count,
      near: tallied(near),
      late: tallied(this.#late),
      early: tallied(this.#early),
      unreadable: tallied(unreadable),
      repeated: tallied(this.#repeated),
      ...this.#timed(),
      silence: this.#silence(log),
    }
  }

  #timed(): Pick<JoinFacts, 'delays' | 'period'> {
    const { time } = this.#outcomes
    const unit = this.#outcomeUnit
    if (!time || time.length === 0 || unit === undefined || this.#from > this.#to) return {}
    const delays = this.#delays.slice(0, this.#compared).sort()
    const last = this.#to + graceOf(this.#from, this.#to, this.#options.wait)
    let [from, to, outside] = [Infinity, -Infinity, 0]
    for (const one of time) {
      const moment = one * unit
      from = Math.min(from, moment)
      to = Math.max(to, moment)
      if (moment < this.#from || moment > last) outside++
    }
    return {
      ...(delays.length > 0 && {
        delays: { least: delays[0]!, twentieth: quantileOf(delays, 0.05), median: quantileOf(delays, 0.5) },
      }),
      period: { decisions: [this.#from, this.#to], outcomes: [from, to], outside },
    }
  }

  #silence({ time }: Log): JoinFacts['silence'] {
    if (this.#firstMatched > this.#lastMatched) return { before: 0, after: 0 }
    const unit = this.#from <= this.#to ? this.#unit : undefined
    if (!time || !unit) return { before: this.#firstMatched, after: this.#rows - 1 - this.#lastMatched }
    let [before, after] = [0, 0]
    for (const one of time) {
      if (one * unit < this.#firstMatched) before++
      else if (one * unit > this.#lastMatched) after++
    }
    return { before, after }
  }
}

const tallied = ({
  count,
  places,
}: GrowingTally | { count: number; places: readonly number[] }): {
  count: number
  places: readonly number[]
} => ({ count, places: [...places] })

const COMBINED: Readonly<Record<Combination, (before: number, next: number) => number>> = {
  first: (before) => before,
  last: (_before, next) => next,
  sum: (before, next) => before + next,
  max: (before, next) => Math.max(before, next),
}
