import { describe, expect, it } from 'vitest'
import { exampleTraining } from '$core/figures/example-training.js'
import { lookBeside } from '../../train/run-look.js'
import { type FinishedRun, standingsOf } from './standings.js'

const training = exampleTraining()
const finished = (label: string, more: Partial<FinishedRun['training']['settings']> = {}): FinishedRun => ({
  label,
  look: lookBeside('BPR', []),
  training: { ...training, settings: { ...training.settings, ...more } },
  split: { by: 'row' },
  truth: 0.3,
})

describe('standings', () => {
  it('put runs and baselines on the same clicks in one order, best first, the baselines once', () => {
    const [group, ...others] = standingsOf([finished('a'), finished('b')])
    expect(others).toEqual([])
    const labels = group!.rows.map(({ label }) => label)
    expect(labels.toSorted()).toEqual(['EASE', 'Item kNN', 'Popularity', 'a', 'b'])
    const values = group!.rows.map(({ ndcg }) => ndcg.value)
    expect(values).toEqual(values.toSorted((a, b) => b - a))
  })

  it('separate runs measured on other clicks or by another measure', () => {
    const later = { ...finished('d'), split: { by: 'time' as const } }
    const groups = standingsOf([finished('a'), finished('b', { seed: 9 }), finished('c', { k: 5 }), later])
    expect(groups.map(({ about }) => about)).toEqual([
      'NDCG@10 on the test clicks, drawn with seed 0',
      'NDCG@10 on the test clicks, drawn with seed 9',
      'NDCG@5 on the test clicks, drawn with seed 0',
      'NDCG@10 on the test clicks, the newest',
    ])
  })

  it('give the value of the policy at the epoch that was kept', () => {
    const [group] = standingsOf([finished('a')])
    const kept = training.epochs.find(({ epoch }) => epoch === training.best.epoch)!
    const own = group!.rows.find(({ label }) => label === 'a')!
    expect(own).toMatchObject({ snips: kept.snips, truth: 0.3 })
  })

  it('leave out runs for which nothing could be measured', () => {
    const [trained] = training.ranked
    const blind = { ...training, ranked: [{ ...trained!, validation: null, test: null }] }
    expect(standingsOf([{ ...finished('a'), training: blind }])).toEqual([])
  })
})
