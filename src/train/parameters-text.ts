import { listed } from '../listed.js'
import type { ParameterName, Parameters } from './solvers.js'

const LABELS: Readonly<Record<ParameterName, string>> = {
  lambda: 'λ',
  unobserved: 'α',
  neighbours: 'neighbours',
  shrinkage: 'shrinkage',
}

/** The parameters among the settings of a training. */
export const parametersOf = (settings: Parameters): Parameters =>
  Object.fromEntries(
    (Object.keys(LABELS) as ParameterName[]).flatMap((name) =>
      settings[name] === undefined ? [] : [[name, settings[name]]],
    ),
  )

/** Parameters in words: `λ = 0.01 and α = 0.1`. */
export const parametersText = (parameters: Parameters): string =>
  listed((Object.keys(parameters) as ParameterName[]).map((name) => `${LABELS[name]} = ${parameters[name]}`))
