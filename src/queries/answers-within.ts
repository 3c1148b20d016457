import type { Answers, Batch, FactorAnswer, Sums } from './query.js'

/** What is asked, as a text; equal texts have equal answers. JSON has no infinity. */
export const queryText = (asked: unknown): string =>
  JSON.stringify(asked, (_, value: unknown) => (typeof value === 'number' ? String(value) : value))

/** The answers to a batch, from those to one that asks for as much in equal words, under any name; undefined where something was not asked. */
export function answersWithin(asked: Batch, whole: Batch, answers: Answers): Answers | undefined {
  const windows = new Set(whole.windows.map(queryText))
  if (!asked.windows.every((window) => windows.has(queryText(window)))) return undefined
  const known = new Map<string, Float64Array | FactorAnswer>()
  for (const [name, { by, sums }] of Object.entries(whole.sums))
    for (const [sum, of] of Object.entries(sums)) known.set(queryText([by, of]), answers.sums[name]![sum]!)
  for (const [name, factor] of Object.entries(whole.factors))
    known.set(queryText(factor), answers.factors[name]!)
  const sums = Object.entries(asked.sums).map(([name, { by, sums: own }]): [string, Sums] => [
    name,
    Object.fromEntries(
      Object.entries(own).map(([sum, of]) => [sum, known.get(queryText([by, of])) as Float64Array]),
    ),
  ])
  const factors = Object.entries(asked.factors).map(([name, factor]): [string, FactorAnswer] => [
    name,
    known.get(queryText(factor)) as FactorAnswer,
  ])
  const found = [...sums.flatMap(([, own]) => Object.values(own)), ...factors.map(([, own]) => own)]
  return found.includes(undefined as never)
    ? undefined
    : { sums: Object.fromEntries(sums), factors: Object.fromEntries(factors) }
}
