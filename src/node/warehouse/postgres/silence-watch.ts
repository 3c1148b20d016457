import { setTimeout as wait } from 'node:timers/promises'

/**
 * What the server says of a connection that is silent: its statement `runs`, or the connection is `dead`, since the server has
 * nothing left to say or cannot be reached at all; or it is `unknown`, as where the server has no place for another question.
 */
export type Silence = 'runs' | 'dead' | 'unknown'

export interface SilenceWatch {
  /** So many milliseconds without a word are asked about. */
  readonly after: number
  /** When the last word came, by the clock of `performance.now`. */
  readonly heard: () => number
  /** Asks the server over another connection. */
  readonly probe: () => Promise<Silence>
  /** Called once where the connection is dead. */
  readonly onDead: () => void
}

/** Before a connection is given up, it is asked about twice. */
const AGAIN = 1000

/**
 * Watches a connection while a statement runs, until what is returned is called. A query may be silent for hours, and so may a
 * network that lost it: only the server can tell which, over a connection of its own.
 */
export function watchSilence({ after, heard, probe, onDead }: SilenceWatch): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const asked = performance.now()
  const pause = (milliseconds: number): Promise<unknown> =>
    wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
  const watch = async (): Promise<void> => {
    let known = asked
    while (!signal.aborted) {
      const since = Math.max(known, heard())
      const left = since + after - performance.now()
      if (left > 0) {
        await pause(left)
        continue
      }
      const isDead = async (): Promise<boolean> =>
        !signal.aborted && heard() <= since && (await probe()) === 'dead' && heard() <= since
      if (await isDead()) {
        await pause(AGAIN)
        if ((await isDead()) && !signal.aborted) return onDead()
      }
      known = performance.now()
    }
  }
  void watch()
  return () => stop.abort()
}
