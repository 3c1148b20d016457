/** The settings that advice can speak of, by their names in the library. */
export type Setting =
  | 'backend'
  | 'batch'
  | 'catalogue'
  | 'clickFrom'
  | 'clicks'
  | 'cluster'
  | 'columns'
  | 'dim'
  | 'engine'
  | 'estimators'
  | 'format'
  | 'header'
  | 'host'
  | 'ips'
  | 'layers'
  | 'learningRate'
  | 'log'
  | 'loss'
  | 'model'
  | 'onBadRow'
  | 'out'
  | 'overwrite'
  | 'port'
  | 'propensity'
  | 'propensityFloor'
  | 'regulariser'
  | 'resume'
  | 'rewardModel'
  | 'stopOn'
  | 'target'
  | 'targets'
  | 'unbiased'
  | 'weightTarget'

/** A setting to change, and the value to give it where one is known. */
export interface Change {
  readonly setting: Setting
  readonly value?: string | number
}

/** Sentences for a person in which settings stand as data: whoever shows them words those in its own way. */
export type Advice = readonly (string | Change)[]

/** A setting in a sentence, with the value to give it. */
export const set = (setting: Setting, value?: string | number): Change =>
  value === undefined ? { setting } : { setting, value }

/** Advice from a template: advice`Name it with ${set('columns', 'user=NAME')}.` */
export function advice(
  texts: TemplateStringsArray,
  ...places: readonly (string | number | Change | Advice)[]
): Advice {
  return texts.flatMap((text, k): Advice => {
    const place = places[k]
    const inserted =
      place === undefined
        ? []
        : typeof place === 'string' || typeof place === 'number'
          ? [String(place)]
          : 'setting' in place
            ? [place]
            : place
    return [text, ...inserted].filter((part) => part !== '')
  })
}

/** How a place that shows advice calls a setting. */
export type SettingWords = (change: Change) => string

/** Advice as text, settings called as `words` says; text that names no setting stays as it is. */
export const worded = (said: string | Advice, words: SettingWords): string =>
  typeof said === 'string'
    ? said
    : said.map((part) => (typeof part === 'string' ? part : words(part))).join('')

/** Settings as fields of the library's options: `propensity: 'uniform'`. */
export const asFields: SettingWords = ({ setting, value }) =>
  value === undefined ? setting : `${setting}: ${typeof value === 'number' ? value : `'${value}'`}`

/** The settings that advice speaks of, in order. */
export const changesIn = (said: string | Advice): Change[] =>
  typeof said === 'string' ? [] : said.filter((part) => typeof part !== 'string')
