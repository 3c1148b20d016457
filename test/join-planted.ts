import type { VerdictLevel } from '../src/estimate/evaluation.js'
import type { JoinOptions } from '../src/log/join/join-options.js'
import { clickTable, csvOf, isoTime, type JoinWorld, joinWorld, shownTable } from './join-world.js'

/** A sound world, in which faults are planted. */
export const world = joinWorld(7, 4000)
const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const wait = 10 * MINUTE

/** What was shown and what was clicked, as tables. */
export interface Files {
  readonly shown: string
  readonly clicks: string
}

/** A way in which clicks do not fit what was shown. */
export interface Fault {
  readonly name: string
  /** What the doctor calls it. */
  readonly code: string
  /** The verdict, at best. */
  readonly level: VerdictLevel
  readonly plant: (world: JoinWorld) => Files
  readonly options?: JoinOptions
}

export const files = ({ shown, clicks }: JoinWorld): Files => ({
  shown: shownTable(shown),
  clicks: clickTable(clicks),
})

/** Numbers instead of ids, as a table of floats writes them. */
export const numbered = ({ shown, clicks }: JoinWorld, idOf: (number: number) => string): JoinWorld => {
  const numberOf = new Map(shown.map(({ id }, k) => [id, k + 1]))
  return {
    shown: shown.map((one, k) => ({ ...one, id: String(k + 1) })),
    clicks: clicks.map((click) => ({ ...click, of: idOf(numberOf.get(click.of)!) })),
  }
}

const everyThird = <One>(list: readonly One[], change: (one: One) => One): One[] =>
  list.map((one, k) => (k % 3 === 0 ? change(one) : one))

/** Eleven of them: the doctor finds each, and no evaluation trusts them. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a flood of late events',
    code: 'late-outcomes',
    level: 'caution',
    options: { wait },
    plant: ({ shown, clicks }) =>
      files({ shown, clicks: everyThird(clicks, (click) => ({ ...click, time: click.time + 5 * HOUR })) }),
  },
  {
    name: 'events that were delivered twice',
    code: 'duplicate-outcomes',
    level: 'caution',
    plant: ({ shown, clicks }) => files({ shown, clicks: [...clicks, ...clicks.slice(0, 300)] }),
  },
  {
    name: 'events of decisions that are not in the log',
    code: 'orphan-outcomes',
    level: 'caution',
    plant: ({ shown, clicks }) => files({ shown: shown.filter((_, k) => k % 4 > 0), clicks }),
  },
  {
    name: 'clocks that are minutes slow',
    code: 'outcomes-before-decisions',
    level: 'caution',
    plant: ({ shown, clicks }) =>
      files({ shown, clicks: everyThird(clicks, (click) => ({ ...click, time: click.time - 3 * MINUTE })) }),
  },
  {
    name: 'a column of other ids',
    code: 'wrong-id-column',
    level: 'refuse',
    plant: ({ shown, clicks }) => {
      const requestOf = new Map(shown.map(({ id, request }) => [id, request]))
      const named = clicks.map(({ id, of, time }) => ({
        event_id: id,
        source: requestOf.get(of)!,
        impression_id: id,
        clicked_at: isoTime(time),
      }))
      return { shown: shownTable(shown), clicks: csvOf(named) }
    },
  },
  {
    name: 'ids written as floats',
    code: 'ids-written-differently',
    level: 'refuse',
    plant: (sound) => files(numbered(sound, (number) => `${number}.0`)),
  },
  {
    name: 'ids in capitals and with blanks',
    code: 'ids-written-differently',
    level: 'refuse',
    plant: ({ shown, clicks }) =>
      files({
        shown,
        clicks: everyThird(clicks, (click) => ({ ...click, of: ` ${click.of.toUpperCase()}` })),
      }),
  },
  {
    name: 'outcomes of another period',
    code: 'outcomes-of-another-period',
    level: 'refuse',
    // Ids that count from 1 every week.
    plant: (sound) => {
      const { shown, clicks } = numbered(sound, String)
      return files({
        shown,
        clicks: clicks.map((click) => ({ ...click, time: click.time + 90 * 24 * HOUR })),
      })
    },
  },
  {
    name: 'times in another zone',
    code: 'time-zones-differ',
    level: 'refuse',
    options: { wait },
    plant: ({ shown, clicks }) =>
      files({ shown, clicks: clicks.map((click) => ({ ...click, time: click.time - 7 * HOUR })) }),
  },
  {
    name: 'outcomes that take days, exported at once',
    code: 'outcomes-still-to-come',
    level: 'caution',
    plant: ({ shown, clicks }) => {
      const end = shown.at(-1)!.time
      const delayed = clicks.map((click, k) => ({
        ...click,
        time: click.time - 96 * HOUR * Math.log((((k * 101) % 997) + 1) / 998),
      }))
      return files({
        shown,
        clicks: delayed.filter(({ time }) => time < end).toSorted((a, b) => a.time - b.time),
      })
    },
  },
  {
    name: 'a file of outcomes that was cut off',
    code: 'outcomes-incomplete',
    level: 'refuse',
    plant: ({ shown, clicks }) => files({ shown, clicks: clicks.slice(0, 0.7 * clicks.length) }),
  },
]
