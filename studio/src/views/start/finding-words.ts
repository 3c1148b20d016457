/** What to do about a finding of the doctor, in the words of the page: columns and propensities are chosen, not typed. */
export const findingWords = (remedy: string): string =>
  remedy
    .replace(' with --on-bad-row skip', '')
    .replace(/choose --propensity .*$/, 'choose above what stands in for it.')
    .replaceAll(/ \(--columns \w+=…\)/g, ' above')
    .replace(/:(?: --columns \w+=…)+$/, ' above.')
    .replaceAll(/: --columns \w+=…/g, ' above')
