import { PROPENSITY_CHOICES } from '$core/propensity/choice.js'

/** What can stand in for propensities here, in words. Naive Bayes needs a second file, and powers are for the command line. */
export const OFFERED_PROPENSITIES: readonly { readonly kind: string; readonly meaning: string }[] =
  PROPENSITY_CHOICES.map(([typed, meaning]) => ({
    kind: typed.split(/[:[]/)[0]!,
    meaning: meaning.replace(', raised to POWER, 1 if not given', ''),
  })).filter(({ kind }) => kind !== 'naive-bayes')
