// Threads meet at a barrier: the last to arrive opens it for all. They spin for a while before they sleep,
// since the parts of a step take about as long as waking up.
import { Field, plan } from './plan'

const LOOKS = 20000
/** Milliseconds after which a thread that does not arrive is given up. */
const PATIENCE: f64 = 120_000

/**
 * Sleeps until the word at the address is no longer `old`, or for so long. The host does it with Atomics.wait:
 * in the baseline compiler of V8 11 (Node 20) WebAssembly's own instruction loses track of variables.
 */
// @ts-ignore: decorator
@external("env", "sleep")
declare function sleep(address: usize, old: i32, milliseconds: f64): void

const enum Control {
  /** Raised by one for every job. */
  job = 0,
  command = 4,
  arrived = 8,
  opened = 12,
  /** Whether the first thread may sleep; that of a web page may not. */
  firstMaySleep = 16,
}

// @ts-ignore: decorator
@inline
function await_(address: usize, old: i32, maySleep: bool): void {
  for (let look = 0; look < LOOKS || !maySleep; look++) if (atomic.load<i32>(address) != old) return
  while (atomic.load<i32>(address) == old) sleep(address, old, PATIENCE)
}

/** Waits until all threads are here. */
export function meet(thread: i32): void {
  const threads = <i32>plan(Field.threads)
  if (threads == 1) return
  const control = plan(Field.control)
  const opened = atomic.load<i32>(control + Control.opened)
  if (atomic.add<i32>(control + Control.arrived, 1) == threads - 1) {
    atomic.store<i32>(control + Control.arrived, 0)
    atomic.store<i32>(control + Control.opened, opened + 1)
    atomic.notify(control + Control.opened, threads)
  } else {
    const maySleep = thread != 0 || atomic.load<i32>(control + Control.firstMaySleep) != 0
    await_(control + Control.opened, opened, maySleep)
  }
}

/** Gives all threads a job. */
export function announce(command: i32): void {
  if (plan(Field.threads) == 1) return
  const control = plan(Field.control)
  atomic.store<i32>(control + Control.command, command)
  atomic.add<i32>(control + Control.job, 1)
  atomic.notify(control + Control.job, <i32>plan(Field.threads))
}

/** Sleeps until there is a job after the last one seen, and returns its number. */
export function nextJob(last: i32): i32 {
  const job = plan(Field.control) + Control.job
  for (let look = 0; look < LOOKS; look++) if (atomic.load<i32>(job) != last) return atomic.load<i32>(job)
  while (atomic.load<i32>(job) == last) sleep(job, last, Infinity)
  return atomic.load<i32>(job)
}

export function commandGiven(): i32 {
  return atomic.load<i32>(plan(Field.control) + Control.command)
}

export function jobsGiven(): i32 {
  return atomic.load<i32>(plan(Field.control) + Control.job)
}
