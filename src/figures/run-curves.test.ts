import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import type { EpochRecord } from '../train/training.js'
import { exampleEpochs } from './example-training.js'
import { type RunCurve, runCurves } from './run-curves.js'

const document = createDocument()
const draw = (runs: readonly RunCurve[], k: number | null = 10) => runCurves({ runs, k }, { document })
const drawingsOf = (runs: readonly RunCurve[]): string[] => {
  const { svg, narrow } = draw(runs)
  return [svg, narrow]
}
const changed = (epochs: readonly EpochRecord[], change: (record: EpochRecord) => Partial<EpochRecord>) =>
  epochs.map((record) => ({ ...record, ...change(record) }))

const plain: RunCurve = { label: 'BPR', colour: 'logged', epochs: exampleEpochs(30, { peak: 20 }), kept: 20 }
const lower = changed(plain.epochs, ({ ndcg }) => ({ ndcg: ndcg! * 0.8 }))
const weighted: RunCurve = { label: 'IPS-BPR', colour: 'ips-bpr', epochs: lower, kept: 20 }
const richer = changed(lower, () => ({
  snips: { value: 0.5, interval: [0.48, 0.52], ess: 100, essRatio: 0.05 },
}))

/** What is written in a drawing, what is told on hover aside. */
const wordsOf = (svg: string): string => svg.replace(/<title>.*?<\/title>/gs, '').replace(/<[^>]+>/g, '\n')
const ringsOf = (svg: string): number => svg.match(/r="9"/g)?.length ?? 0

describe('the curves of several runs', () => {
  it('say who is ahead only where an interval says so', () => {
    expect(draw([plain]).title).toBe('NDCG@10 is highest after epoch 20, at 0.243')
    expect(draw([plain, weighted]).title).toBe(
      'Highest NDCG@10: BPR with 0.243, then IPS-BPR with 0.194; by SNIPS they do not differ detectably',
    )
    expect(draw([plain, { ...weighted, epochs: richer }]).title).toBe(
      'Highest NDCG@10: BPR with 0.243, then IPS-BPR with 0.194; by SNIPS, IPS-BPR is ahead (0.500)',
    )
  })

  it('name no winner where the numbers shown are the same', () => {
    const same = { ...weighted, epochs: plain.epochs }
    expect(draw([plain, same]).title).toMatch(/^No run is ahead by NDCG@10 \(0\.243\)/)
  })

  it('judge a run that goes on by its best epoch so far', () => {
    const { kept, ...open } = plain
    expect(kept).toBe(20)
    expect(draw([{ ...open, epochs: open.epochs.slice(0, 5) }]).title).toMatch(/after epoch 5, at/)
    expect(draw([open]).title).toBe('NDCG@10 is highest after epoch 20, at 0.243')
    expect(draw([open]).subtitle).not.toMatch(/kept/)
  })

  it('call no epoch the highest where another measure chose the one that is kept', () => {
    const early = { ...plain, kept: 7 }
    expect(draw([early]).title).toMatch(/^The model of epoch 7 is kept; its NDCG@10 is 0\.\d+$/)
    expect(draw([early, weighted]).title).toMatch(/^Highest NDCG@10 of the kept models: /)
  })

  it('leave out what was not measured', () => {
    const blind = changed(plain.epochs, () => ({ ndcg: null, recall: null, snips: null }))
    const { svg, title } = draw([{ ...plain, epochs: blind }])
    expect(title).toMatch(/^The loss is .* after epoch 30/)
    expect(wordsOf(svg)).toContain('Loss, mean of')
    expect(wordsOf(svg)).not.toMatch(/SNIPS|Effective sample|validation clicks$/m)
  })

  it('name every run at the end of its line, and on a phone in a key', () => {
    for (const drawn of drawingsOf([plain, weighted]))
      for (const label of ['BPR', 'IPS-BPR']) expect(wordsOf(drawn)).toContain(`\n${label}\n`)
  })

  it('thin out long runs, but never the epoch that was kept, and keep all in the table', () => {
    const { svg, narrow, subtitle, table } = draw([
      { ...plain, epochs: exampleEpochs(1000, { peak: 733 }), kept: 733 },
    ])
    expect(subtitle).toContain('One in 7 epochs is drawn')
    expect(table.rows).toHaveLength(1000)
    expect(svg).toContain('<title>epoch 733')
    expect(svg.match(/<title>epoch/g)!.length).toBeLessThan(200)
    for (const drawn of [svg, narrow]) expect(ringsOf(drawn)).toBe(4)
  })

  it('draw a dot for a single epoch, and no coordinate that is not a number', () => {
    for (const epochs of [exampleEpochs(1), exampleEpochs(2), exampleEpochs(3, { evaluateEvery: 2 })])
      for (const drawn of drawingsOf([
        { ...plain, epochs },
        { ...weighted, epochs: [] },
      ]))
        expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
    expect(draw([{ ...plain, epochs: exampleEpochs(1) }]).svg).toMatch(/<circle|<path[^>]+aria-label="dot"/)
  })

  it('draw no bands that would hide one another', () => {
    const bandsOf = (count: number): number => {
      const runs = Array.from({ length: count }, (_, run) => ({ ...plain, label: `BPR ${run}` }))
      return draw(runs).svg.match(/fill-opacity="0\.14"/g)?.length ?? 0
    }
    expect([1, 4, 5].map(bandsOf)).toEqual([1, 4, 0])
  })

  it('say that k differs, where it does', () => {
    expect(draw([plain, weighted], null).title).toMatch(/^Highest NDCG@k: BPR/)
  })

  it('need an epoch to draw', () => {
    expect(() => draw([{ ...plain, epochs: [] }])).toThrow('no epoch was trained')
  })
})
