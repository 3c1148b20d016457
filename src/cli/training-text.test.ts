import { describe, expect, it } from 'vitest'
import {
  exampleCertificate,
  exampleEpochs,
  exampleTraining,
  exampleWeights,
} from '../figures/example-training.js'
import type { Training } from '../train/training.js'
import { epochChart, epochLine, trainingText, weightsText } from './training-text.js'
import type { Terminal } from './terminal.js'

const plain = { style: (_: unknown, text: string) => text } as unknown as Terminal
const coloured = {
  style: (style: unknown, text: string) => `\x1b[${String(style).length}m${text}\x1b[0m`,
} as unknown as Terminal
const printed = (more: Partial<Training> = {}): string =>
  trainingText('toy.csv', exampleTraining(more), plain)
const expectNarrow = (text: string): void => {
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
}

describe('a training in the terminal', () => {
  it('begins with the certificate of a learnt policy', () => {
    const text = printed({ certificate: exampleCertificate() })
    expectNarrow(text)
    expect(text.replaceAll('\n', ' ')).toMatch(
      /^toy\.csv The learnt policy earns at least 0\.412 per impression with 95 % confidence .* LightGCN finds/,
    )
  })

  it('answers first, then draws the curve, compares and notes', () => {
    expect(printed()).toMatchInlineSnapshot(`
      "toy.csv
      LightGCN finds 29.3 % of a user’s held-out clicks in its first 10 (recall@10;
      95 % CI 28.4–30.2 %), 3.1 points more than the best baseline, EASE. Best after
      epoch 57 of 77 by NDCG@10 on the validation clicks (0.243).

        NDCG@10 on the validation clicks by epoch, each column the best of 2
        0.243            ▁▂▂▃▄▄▄▅▅▆▆▆▇▇▇▇▇█▇▇▇▇█▇▆▇▇▇
                   ▁▃▅▆▇█████████████████████████████
                 ▃▆██████████████████████████████████
               ▂▇████████████████████████████████████
        0.057 ▁██████████████████████████████████████
              1                                    77
                            epoch 57 kept ▲

      On the test clicks
        model       NDCG@10      95 % CI  recall@10      95 % CI  catalogue
        LightGCN      0.243  0.235–0.252     29.3 %  28.4–30.2 %       55 %
        Popularity    0.117  0.109–0.125     14.1 %  13.2–15.0 %       21 %
        Item kNN      0.198  0.190–0.206     23.8 %  22.9–24.7 %       37 %
        EASE          0.218  0.210–0.226     26.2 %  25.3–27.1 %       41 %
        means over 943 users; catalogue: share of items recommended to anyone

      By item popularity
        popularity         model       recall@10      95 % CI  recommended
        head, 84 items     LightGCN       37.1 %  36.2–38.0 %         52 %
                           Popularity     24.4 %  23.5–25.3 %         99 %
                           Item kNN       35.1 %  34.2–36.0 %         68 %
                           EASE           37.8 %  36.9–38.7 %         63 %
        middle, 336 items  LightGCN       21.4 %  19.9–22.9 %         31 %
                           Popularity      1.1 %    0.0–2.6 %        1.0 %
                           Item kNN       14.8 %  13.3–16.3 %         24 %
                           EASE           17.3 %  15.8–18.8 %         27 %
        tail, 1,262 items  LightGCN        9.2 %   7.1–11.3 %         17 %
                           Popularity      0.2 %    0.0–2.3 %          0 %
                           Item kNN        4.1 %    2.0–6.2 %        8.0 %
                           EASE            5.2 %    3.1–7.3 %         10 %
        recommended: share of all recommendations that go to these items

      Notes
        • 12 users have no click in the training part; they are not ranked for."
    `)
  })

  it('stays within 80 columns, with long notes and many epochs', () => {
    expectNarrow(
      printed({
        epochs: exampleEpochs(1000),
        best: { epoch: 740, measure: 'ndcg', value: 0.243 },
        notes: ['word '.repeat(60).trim()],
      }),
    )
  })

  it('uses no colour without a terminal, and the same characters with one', () => {
    expect(printed()).not.toContain('\x1b')
    const shown = trainingText('toy.csv', exampleTraining(), coloured)
    expect(shown).toContain('\x1b')
    // oxlint-disable-next-line no-control-regex
    expect(shown.replace(/\x1b\[\d+m/g, '')).toBe(printed())
  })

  it('leaves out what was not measured', () => {
    const text = printed({
      epochs: exampleEpochs(3).map((epoch) => ({ ...epoch, ndcg: null, recall: null, snips: null })),
      best: { epoch: 3, measure: 'ndcg', value: null },
      ranked: [{ model: 'mf', validation: null, test: null }],
      notes: [],
    })
    expect(text.replace(/\s+/g, ' ')).toBe(
      'toy.csv There are no held-out clicks to show how well MF ranks. Trained for 3 epochs; the last is kept.',
    )
  })

  it('sets the name of a baseline that beats the model in bold', () => {
    const [trained, , , ease] = exampleTraining().ranked
    const ranked = [
      { ...ease!, model: 'mf' },
      { ...trained!, model: 'ease' },
    ]
    const text = trainingText('toy.csv', exampleTraining({ ranked }), coloured)
    expect(text.replace(/\s+/g, ' ')).toContain('\x1b[4mThe baseline EASE beats it in recall@10\x1b[0m')
    expect(printed({ ranked })).not.toContain('**')
  })
})

describe('the chart of a value by epoch', () => {
  const draw = (values: (number | null)[], kept: number) =>
    epochChart(
      exampleEpochs(values.length).map((epoch, k) => ({ ...epoch, ndcg: values[k]! })),
      { name: 'NDCG@10', value: ({ ndcg }) => ndcg, kept },
      plain,
    )

  it('runs from the smallest value to the largest and marks the epoch kept', () => {
    expect(draw([0.1, 0.3, 0.5, 0.4], 3)!.join('\n')).toMatchInlineSnapshot(`
      "  NDCG@10 by epoch
        0.500         ████
                      ████▆▆▆▆
                  ▄▄▄▄████████
                  ████████████
        0.100 ▁▁▁▁████████████
              1              4
                      ▲ epoch 3 kept"
    `)
  })

  it('shows the best of several epochs per column when there are many', () => {
    const values = Array.from({ length: 200 }, (_, k) => (k === 150 ? 0.9 : 0.1))
    const chart = draw(values, 151)!
    expect(chart[0]).toBe('  NDCG@10 by epoch, each column the best of 4')
    expect(chart[1]!.indexOf('█')).toBe(chart.at(-1)!.indexOf('▲'))
    expectNarrow(chart.join('\n'))
  })

  it('leaves out epochs that were not evaluated, and draws nothing for fewer than two', () => {
    expect(draw([null, 0.1, null, 0.2], 4)!.at(-2)).toMatch(/^ +2 +4$/)
    expect(draw([null, 0.1], 2)).toBeUndefined()
  })

  it('is flat if all values are equal', () =>
    expect(draw([0.2, 0.2], 1)!.filter((line) => line.includes('0.200'))).toHaveLength(1))
})

describe('the weights before training', () => {
  it('report their effective sample size, and warn', () => {
    expect(weightsText(exampleWeights)).toMatchInlineSnapshot(`
      "Training weights
        events                 80,000
        effective sample size  33,120 (41 % of the events; 12 % before the
                               regulariser)
        largest weight         8.31 times the mean; the heaviest 1 % of events carry
                               7.1 % of the total
        smallest weight        0.12 times the mean
        ▲ The heaviest 1 % of events carry 7.1 % of the weight; before the regulariser
          it was 24 %."
    `)
  })

  it('say so when all are equal', () =>
    expect(weightsText({ ...exampleWeights, max: 1, min: 1, warnings: [] })).toBe(
      'Training weights\n  events   80,000\n  weights  all equal',
    ))
})

describe('the line of an epoch', () => {
  const [record] = exampleEpochs(77).slice(56)

  it('shows the epoch, its measures and the time left', () =>
    expect(epochLine(record!, 1000, 10)).toBe(
      'epoch 57/1,000, loss 0.205, NDCG@10 0.243, SNIPS 0.300, 1.4 s, 22 min 0 s left',
    ))

  it('leaves out what was not measured, and the time left at the end', () =>
    expect(epochLine({ ...record!, ndcg: null, snips: null }, 57, 10)).toBe('epoch 57/57, loss 0.205, 1.4 s'))

  it('fits in the terminal, dropping the seconds first', () => {
    const long = epochLine({ ...record!, epoch: 123_456, loss: 0.000123, ndcg: 0.000123 }, 1_000_000, 100)
    expect(long.length).toBeLessThan(80)
    expect(long).toMatch(/^epoch 123,456\/1,000,000, loss/)
    expect(long).not.toContain('1.4 s')
  })
})
