import { createHash } from 'node:crypto'

/**
 * A checker for Stryker that lets a seeded sample of the mutants through, of a size that the options name. Which
 * are taken depends on the seed and on what each mutant is, not on the order they come in.
 */
function createSample({ sample }) {
  let chosen = new Set()
  const rank = ({ fileName, location: { start, end }, mutatorName, replacement }) =>
    createHash('sha256')
      .update(
        [
          sample.seed,
          fileName.replace(/^.*\/src\//, ''),
          ...[start, end].flatMap(({ line, column }) => [line, column]),
          mutatorName,
          replacement,
        ].join('\n'),
      )
      .digest('hex')
  return {
    init: async () => {},
    /** Asked once, with all mutants. */
    group: async (mutants) => {
      const ranked = mutants
        .map((mutant) => [rank(mutant), mutant.id])
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
      chosen = new Set(ranked.slice(0, sample.size).map(([, id]) => id))
      return [mutants.map(({ id }) => id)]
    },
    check: async (mutants) =>
      Object.fromEntries(
        mutants.map(({ id }) => [
          id,
          chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
        ]),
      ),
  }
}
createSample.inject = ['options']

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: createSample }]
