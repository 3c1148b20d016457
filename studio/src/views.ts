import type { Component } from 'svelte'

/** A view of the log, loaded when it is first looked at. */
export interface View {
  readonly name: string
  readonly label: string
  load(): Promise<{ default: Component }>
}

/** The views, in the order in which a person goes through them. */
export const VIEWS: readonly View[] = [
  { name: 'log', label: 'Log', load: () => import('./views/log/LogView.svelte') },
  { name: 'evaluate', label: 'Evaluate', load: () => import('./views/evaluate/EvaluateView.svelte') },
  { name: 'train', label: 'Train', load: () => import('./views/train/TrainView.svelte') },
  { name: 'bias', label: 'Bias', load: () => import('./views/bias/BiasView.svelte') },
]

/** The view of a name; the first where there is none of that name. */
export const viewNamed = (name: string): View => VIEWS.find((view) => view.name === name) ?? VIEWS[0]!
