/** One stop of the tour: a view, and what to look at there. */
export interface TourStop {
  readonly view: string
  readonly title: string
  readonly text: string
}

export const TOUR: readonly TourStop[] = [
  {
    view: 'log',
    title: 'The log: what was shown, and what it earned',
    text: 'A few items were shown most of the time. Look at the click rates: those are not the items that people like.',
  },
  {
    view: 'evaluate',
    title: 'Evaluate: what another policy would have earned',
    text: 'Choose popularity as the policy, then how it shows items: softmax at a temperature, which you can move. The estimate, its interval and the verdict follow; the dashed line is the truth, which only a simulated world can know.',
  },
  {
    view: 'train',
    title: 'Train: learn without the old policy’s bias',
    text: 'Press “Train all three to compare”: plain BPR, IPS-BPR and IPS-BPR with a regulariser learn here, and are compared on clicks that none of them has seen.',
  },
]

/** Whether a visitor is on the tour; where on it, their view says. */
export const tour = $state({ isOn: false })
