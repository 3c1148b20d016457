// The entry points of the solvers of closed-form models, and of the ranking of items by embeddings. The host lays out memory and words, then runs one job after
// the other on the first thread; every other thread sits in `work` and joins in.
import { rankRows } from './best-items'
import { factorColumn, invertColumn, multiplyRow } from './inverse'
import { solveRows, sumProducts } from './least-squares'
import { Field, placeOf } from './plan'
import { announce, commandGiven, jobsGiven, nextJob } from './threads'

const enum Command {
  quit,
  factorColumn,
  invertColumn,
  multiplyRow,
  sumProducts,
  solveRows,
  rankRows,
}

/** Tells the threads how many they are, and where they meet. */
export function gather(threads: i32, control: usize): void {
  store<u32>(placeOf(Field.threads), <u32>threads)
  store<u32>(placeOf(Field.control), <u32>control)
}

/** Runs a job on all threads; 0 tells the others to exit. */
export function run(command: i32): void {
  announce(command)
  if (command != Command.quit) part(command, 0)
}

/** How many jobs there have been: those a new thread need not do. */
export function jobs(): i32 {
  return jobsGiven()
}

/** A thread's loop: jobs, until it is told to exit. `last` is the number of the last job it need not do. */
export function work(thread: i32, last: i32): void {
  let seen = last
  for (;;) {
    seen = nextJob(seen)
    const command = commandGiven()
    if (command == Command.quit) return
    part(command, thread)
  }
}

function part(command: i32, thread: i32): void {
  if (command == Command.factorColumn) factorColumn(thread)
  else if (command == Command.invertColumn) invertColumn(thread)
  else if (command == Command.multiplyRow) multiplyRow(thread)
  else if (command == Command.sumProducts) sumProducts(thread)
  else if (command == Command.solveRows) solveRows(thread)
  else rankRows(thread)
}
