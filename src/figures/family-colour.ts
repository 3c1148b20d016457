import type { ColourName } from './theme.js'

/** The colour of an estimator's family: direct method, IPS, SNIPS, doubly robust; ink for any other. */
export function familyColour(estimator: string): ColourName {
  const parts = estimator.toLowerCase().split('-')
  if (parts.includes('dm')) return 'dm'
  if (parts.includes('snips')) return 'snips'
  if (parts.some((part) => part.endsWith('dr'))) return 'dr'
  return parts.some((part) => part.endsWith('ips')) ? 'ips' : 'ink'
}
