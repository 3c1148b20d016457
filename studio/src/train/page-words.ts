/** Options of the command line that messages speak of, as the form calls them. */
const OPTIONS: readonly (readonly [option: RegExp, words: string])[] = [
  [/--pr (\w+):([\d.e-]+)/g, 'the regulariser $1 $2'],
  [/--stop-on (\w+)/g, 'stopping on $1'],
  [/--lr ([\d.e-]+)/g, '$1'],
  [/--model (\w+)/g, 'the model $1'],
  [/--backend (\w+)/g, 'backend $1'],
  [/ with --unbiased FILE/g, ' to hindcast on the command line'],
]

/** A message of the library in the words of the page: its settings are chosen in a form, not typed as options. */
export const pageWords = (text: string): string =>
  OPTIONS.reduce((written, [option, words]) => written.replace(option, words), text).replace(
    /(^|\. )stopping on/g,
    (_, before: string) => `${before}Stopping on`,
  )
