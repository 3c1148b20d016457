import { describe, expect, it } from 'vitest'
import { exampleRanked, exampleTraining } from '../figures/example-training.js'
import type { Metric } from '../metrics/user-mean.js'
import type { PolicyValue, RankedModel, Training } from '../train/training.js'
import { outcomeOf } from './ranking-finding.js'
import { standingOf } from './standing-text.js'
import { trainingAnswer } from './training-answer.js'

const metric = (value: number, half = 0.01): Metric => ({ value, interval: [value - half, value + half] })
const [lightgcn, popularity, , ease] = exampleRanked as [RankedModel, RankedModel, RankedModel, RankedModel]

/** A training in which the model leads popularity and EASE by so much NDCG, ± 0.01. */
const led = (overPopularity: number, overEase: number, more: Partial<Training> = {}): Training =>
  exampleTraining({
    ranked: [
      lightgcn,
      { ...popularity, lead: { ndcg: metric(overPopularity) } },
      { ...ease, lead: { ndcg: metric(overEase) } },
    ],
    ...more,
  })

/** The same with propensities: leads under uniform exposure, and values of the lists. */
function corrected(lead: number, asLogged: number, policy: Partial<PolicyValue> = {}): Training {
  const withIps = ({ model, test, validation }: RankedModel, ndcg: number, value: number): RankedModel => ({
    model,
    validation,
    test: { ...test!, ips: { ...test!, ndcg: metric(ndcg) } },
    policy: { value, interval: [value - 0.02, value + 0.02], ess: 90, essRatio: 0.1, ...policy },
  })
  return exampleTraining({
    ranked: [
      withIps(lightgcn, 0.04 + lead, 0.34),
      { ...withIps(ease, 0.04, 0.26), lead: { ndcg: metric(asLogged), ips: metric(lead, 0.001) } },
    ],
  })
}

describe('outcomeOf', () => {
  it('asks on which side of 0 the whole interval lies', () => {
    expect([metric(0.02), metric(-0.02), metric(0.005), metric(-0.01)].map(outcomeOf)).toEqual([
      'ahead',
      'behind',
      'open',
      'open',
    ])
    // A single user, say: nobody knows the noise.
    expect([0.1, -0.1, 0].map((value) => outcomeOf({ value, interval: null }))).toEqual([
      'open',
      'open',
      'open',
    ])
  })
})

describe('the first line of a training', () => {
  it('names the metric in which another model beats it, and which to use', () => {
    const training = led(0.12, -0.03)
    expect(trainingAnswer(training)).toMatch(
      /^\*\*EASE beats LightGCN in NDCG@10\*\*: 0\.218 against 0\.243 \(difference 0\.030, 95 % CI 0\.020–0\.040, user by user\)\. Use EASE\. LightGCN finds/,
    )
    expect(standingOf(training)!.instead).toBe('ease')
  })

  it('says that the model is not better than popularity by more than noise', () => {
    const training = led(0.001, 0.02)
    expect(trainingAnswer(training)).toMatch(
      /^\*\*LightGCN does not beat popularity by more than noise\*\* in NDCG@10: .* \(difference 0\.001, 95 % CI −0\.009 to 0\.011, user by user\)\. Use popularity, which is simpler\./,
    )
    expect(standingOf(training)!.instead).toBe('popularity')
  })

  it('says what it beats where it beats all of them, and recommends nothing else', () => {
    const training = led(0.12, 0.03)
    expect(trainingAnswer(training)).toMatch(
      /^LightGCN beats popularity and EASE in NDCG@10 by more than noise: 0\.243 against 0\.218 for EASE, the best of them/,
    )
    expect(standingOf(training)!.instead).toBeUndefined()
  })

  it('keeps popularity, the simplest, where nothing else is better by more than noise', () => {
    const training = exampleTraining({ ranked: [popularity, { ...ease, lead: { ndcg: metric(0.001) } }] })
    expect(trainingAnswer(training)).toMatch(
      /^\*\*Popularity does not beat EASE by more than noise\*\* .* It is kept as the simpler one\./,
    )
    expect(standingOf(training)!.instead).toBeUndefined()
  })

  it('leaves the choice between models that were both tried', () => {
    const chosenFrom = [
      { model: 'lightgcn', value: 0.2 },
      { model: 'ease', value: 0.19 },
    ]
    const training = led(0.12, 0.001, { chosenFrom })
    expect(trainingAnswer(training)).toContain('Either will do.')
    expect(trainingAnswer(training)).toContain(
      'Chosen by NDCG@10 on the validation clicks: LightGCN 0.200 and EASE 0.190.',
    )
    expect(standingOf(training)!.instead).toBeUndefined()
  })

  it('goes by what is corrected for exposure, then what lists would earn, and the clicks as logged last', () => {
    const said = trainingAnswer(corrected(0.01, -0.05))
    const places = [
      'LightGCN beats EASE in NDCG@10 under uniform exposure by more than noise: 0.050 against 0.040',
      'Shown in proportion to 1/rank, the lists of LightGCN would earn 0.340 per impression (95 % CI 0.320–0.360); 0.260 by EASE.',
      'LightGCN finds 29.3 %',
      'On the clicks as logged, which favour what was shown most, EASE is ahead in NDCG@10',
    ].map((part) => said.indexOf(part))
    expect(places[0]).toBe(0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('gives no number that a verdict refuses', () => {
    const said = trainingAnswer(corrected(0.01, 0.01, { doubt: 'Only 3 effective clicks.' }))
    expect(said).toContain(
      'do not show precisely enough what the lists of LightGCN would earn per impression. Only 3 effective clicks.',
    )
    expect(said).not.toContain('0.340')
  })

  it('is nothing where nothing was compared', () => {
    expect(standingOf(exampleTraining({ ranked: [lightgcn] }))).toBeUndefined()
    expect(standingOf(exampleTraining())).toBeUndefined()
  })
})
