import { untrack } from 'svelte'
import { forgetModels, removeModel } from '../models.svelte.js'
import { session } from '../session.svelte.js'
import { Run, type RunPlan } from './run.svelte.js'
import { lookBeside, methodLabel } from './run-look.js'
import { nextTurns } from './turns.js'

let list: readonly Run[] = $state.raw([])
/** Ids are never reused; numbers start over with each log. */
let [lastId, lastNumber] = [0, 0]

/** The runs on the open log, oldest first. */
export const runs = {
  get list(): readonly Run[] {
    return list
  },
}

/** Starts a run, or queues it. */
export function addRun(plan: Omit<RunPlan, 'id' | 'label' | 'look'>): void {
  const method = methodLabel(plan.settings)
  const look = lookBeside(
    method,
    list.map((run) => run.plan.look),
  )
  const label = `${method} #${++lastNumber}`
  list = [...list, new Run({ ...plan, id: ++lastId, label, look }, giveTurns)]
  giveTurns()
}

/** Resumes a stopped run from its checkpoint, when it is its turn. */
export function continueRun(run: Run): void {
  run.wait()
  giveTurns()
}

/** Ends a run, whatever it is doing, and forgets it and its model. */
export function removeRun(run: Run): void {
  run.remove()
  list = list.filter((other) => other !== run)
  void removeModel(run.plan.id)
  giveTurns()
}

function giveTurns(): void {
  const turns = list.map(({ state, isBusy, plan }) => ({
    isWaiting: state === 'waiting',
    isBusy,
    threads: plan.machine.threads,
  }))
  for (const place of nextTurns(turns, navigator.hardwareConcurrency)) list[place]!.start()
}

// Runs and models are those of one log: where another is opened, or none, they end.
$effect.root(() => {
  let log = session.log
  $effect(() => {
    if (session.log === log) return
    log = session.log
    untrack(() => {
      for (const run of list) run.remove()
      list = []
      lastNumber = 0
      forgetModels()
    })
  })
})
