import { describe, expect, it } from 'vitest'
import type { Log } from '$core/log/log.js'
import type { TrainChoices } from '$core/train/train-on-log.js'
import { tastesWorld } from '$core/world/tastes.js'
import type { TrainEvent, TrainOrder } from './orders.js'
import { trainRun } from './train-run.js'

const log = tastesWorld({ seed: 5, users: 50, items: 30, exposures: 30 }).draw()
const choices: TrainChoices = { settings: { epochs: 5, dim: 16, batch: 64 } }
const order: TrainOrder = { ...choices, machine: { backend: 'wasm', threads: 1 }, version: '0.0.0' }

/** Trains; `stopAt` stops it when an event of that kind has come so many times. */
async function run(
  more: Partial<TrainOrder> = {},
  stopAt?: { kind: TrainEvent['kind']; times: number },
  on: Log = log,
): Promise<TrainEvent[]> {
  const stopping = new AbortController()
  const events: TrainEvent[] = []
  const tell = (event: TrainEvent): void => {
    events.push(event)
    const times = events.filter(({ kind }) => kind === stopAt?.kind).length
    if (stopAt && times === stopAt.times) stopping.abort()
  }
  await trainRun(on, { ...order, ...more }, { tell, signal: stopping.signal, keepShare: Infinity })
  return events
}

const last = <Kind extends TrainEvent['kind']>(
  events: readonly TrainEvent[],
  kind: Kind,
): Extract<TrainEvent, { kind: Kind }> => {
  const event = events.at(-1)!
  if (event.kind !== kind) throw new Error(`It ended with ${JSON.stringify(event).slice(0, 300)}.`)
  return event as Extract<TrainEvent, { kind: Kind }>
}

describe('a run', () => {
  it('reports what it runs on, its weights and every epoch, and ends with the model', async () => {
    const events = await run()
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'steps' && kind !== 'baselines')
    expect(kinds).toEqual(['kernel', 'weights', 'epoch', 'epoch', 'epoch', 'epoch', 'epoch', 'done'])
    const { training, embeddings, files, checkpoint } = last(events, 'done')
    expect(training.ranked.map(({ model }) => model)).toEqual(['lightgcn', 'popularity', 'item-knn', 'ease'])
    expect(embeddings!.final).toHaveLength((50 + 30) * 16)
    expect(files.map(({ name }) => name)).toEqual(['model.json', 'embeddings.safetensors'])
    expect(checkpoint).toBeUndefined()
  })

  it('that was stopped and resumed ends with the same bits as one that never was', async () => {
    const whole = last(await run(), 'done')
    const stopped = last(await run({}, { kind: 'epoch', times: 2 }), 'done')
    expect(stopped.training.stopped).toBe('interrupted')
    expect(stopped.training.epochs).toHaveLength(2)
    const events = await run({ resume: stopped.checkpoint! })
    expect(events.filter(({ kind }) => kind === 'epoch')).toHaveLength(3)
    expect(last(events, 'done').files).toEqual(whole.files)
    expect(last(events, 'done').embeddings!.final).toEqual(whole.embeddings!.final)
  })

  it('that is resumed and stopped again at once can still be resumed', async () => {
    const { checkpoint } = last(await run({}, { kind: 'epoch', times: 2 }), 'done')
    const again = last(await run({ resume: checkpoint! }, { kind: 'weights', times: 1 }), 'done')
    expect(again.training.epochs).toHaveLength(2)
    expect(again.checkpoint).toEqual(checkpoint)
  })

  it('that was stopped before its first epoch says so, and has no checkpoint', async () => {
    const { problem, checkpoint } = last(await run({}, { kind: 'weights', times: 1 }), 'failed')
    expect(problem.code).toBe('interrupted')
    expect(checkpoint).toBeUndefined()
  })

  it('keeps the model when stopped during the baselines', async () => {
    const { training } = last(await run({}, { kind: 'baselines', times: 1 }), 'done')
    expect(training.stopped).toBe('epochs')
    expect(training.ranked.map(({ model }) => model)).toEqual(['lightgcn'])
  })

  it('that diverges says what to do', async () => {
    const settings = { ...choices.settings, learningRate: 1e30 }
    const { problem } = last(await run({ settings }), 'failed')
    expect(problem).toMatchObject({ code: 'diverged', message: expect.stringMatching(/diverged/) })
    expect(problem.remedy).toMatch(/Learning rate/)
  })

  it('on a log without clicks says that there is nothing to learn from', async () => {
    const silent = { ...log, reward: new Float64Array(log.rows) }
    const { problem } = last(await run({}, undefined, silent), 'failed')
    expect(problem).toMatchObject({ code: 'bad-rows', message: expect.stringMatching(/no click/) })
  })

  it('on a log whose users clicked everything says that there is nothing to rank', async () => {
    const rows = 50 * 30
    const adoring = {
      ...log,
      rows,
      user: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / 30)),
      item: Uint32Array.from({ length: rows }, (_, row) => row % 30),
      reward: new Float64Array(rows).fill(1),
      propensity: new Float64Array(rows).fill(1 / 30),
    }
    const split = { validation: 0, test: 0 }
    const { problem } = last(await run({ split }, undefined, adoring), 'failed')
    expect(problem.message).toMatch(/clicked every item/)
  })
})
