import { untrack } from 'svelte'
import { isSolved } from '$core/model/trained-models.js'
import { counted } from '$core/number-text.js'
import { setBusy } from '../busy.svelte.js'
import type { KeptModel } from '../kept/kept-session.js'
import { forgetModels, removeModel, returnModel } from '../models.svelte.js'
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

/** The runs with a model, as sessions keep them. */
export const keptModels = (): KeptModel[] =>
  list.flatMap(({ plan, training, files }) =>
    training && files.length > 0
      ? [
          {
            id: plan.id,
            number: Number(/\d+$/.exec(plan.label)),
            split: plan.split,
            machine: plan.machine,
            training,
            files,
          },
        ]
      : [],
  )

/** Takes back a run that ended on this log before, once its model fits. */
export async function returnRun({ id, number, split, machine, training, files }: KeptModel): Promise<void> {
  const { settings } = training
  const method = methodLabel(settings)
  const label = `${method} #${number}`
  await returnModel({ id, name: label, settings, split }, files)
  const look = lookBeside(
    method,
    list.map((run) => run.plan.look),
  )
  const run = new Run({ id, label, look, settings, split, machine }, giveTurns)
  ;[lastId, lastNumber] = [Math.max(lastId, id), Math.max(lastNumber, number)]
  list = [...list.filter((other) => other.plan.id !== id), run]
  await run.comeBack(training, files)
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
  $effect(() => {
    const active = list.filter(({ state, isBusy }) => isBusy || state === 'waiting')
    const [first] = active
    const text =
      active.length === 1
        ? `Training ${first!.plan.label}${isSolved(first!.plan.settings.model) ? '' : `, epoch ${first!.epochs.length + 1}`}`
        : `Training ${counted(active.length, 'run')}`
    setBusy('train', first && { text, isOfLog: true })
  })
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
