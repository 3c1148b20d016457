// The entry points of the kernel. The host lays out memory, then calls `train`, `propagate` and `score` on the
// first thread; every other thread sits in `work` and joins in.
import { penaliseVariance, weigh } from './loss'
import { backward, forward, forwardAll } from './panel'
import { Field, plan } from './plan'
import { scoreBlocks } from './scores'
import { Step, stepNumber, stepWord } from './step'
import { announce, commandGiven, jobsGiven, meet, nextJob } from './threads'

const enum Command {
  quit,
  train,
  propagate,
  score,
}

/** One training step on the batch in memory. */
export function train(): void {
  announce(Command.train)
  trainPart(0)
}

/** Final embeddings of all nodes. */
export function propagate(): void {
  announce(Command.propagate)
  propagatePart(0)
}

/** Scores of all items for the requested users. */
export function score(): void {
  announce(Command.score)
  scorePart(0)
}

/** Tells the other threads to exit. */
export function quit(): void {
  announce(Command.quit)
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
    if (command == Command.train) trainPart(thread)
    else if (command == Command.propagate) propagatePart(thread)
    else if (command == Command.score) scorePart(thread)
    else return
  }
}

function trainPart(thread: i32): void {
  const threads = <i32>plan(Field.threads)
  const panels = <i32>plan(Field.panels)
  for (let panel = thread; panel < panels; panel += threads) forward(panel)
  meet(thread)
  const samples = stepWord(Step.samples)
  const share = (samples + threads - 1) / threads
  weigh(min(thread * share, samples), min((thread + 1) * share, samples))
  meet(thread)
  if (stepNumber(Step.variancePenalty) != 0) {
    if (thread == 0) penaliseVariance()
    meet(thread)
  }
  for (let panel = thread; panel < panels; panel += threads) backward(panel)
  meet(thread)
}

function propagatePart(thread: i32): void {
  const threads = <i32>plan(Field.threads)
  const panels = <i32>plan(Field.panels)
  for (let panel = thread; panel < panels; panel += threads) forwardAll(panel)
  meet(thread)
}

function scorePart(thread: i32): void {
  scoreBlocks(thread)
  meet(thread)
}
