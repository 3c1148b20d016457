import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A reporter for Stryker that prints the mutants that no test notices, each with its line, as they are found. */
const createSurvivors = () => ({
  onMutantTested(mutant) {
    if (mutant.status === 'Survived' || mutant.status === 'NoCoverage') console.log(textOf(mutant))
  },
})
createSurvivors.inject = []

function textOf({ fileName, location: { start, end }, mutatorName, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 90)
  const what = status === 'Survived' ? 'survived' : 'not run '
  return `${what} ${relative('', fileName)}:${start.line} ${mutatorName}: ${short(lines.join(' '))} → ${short(replacement)}`
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', factory: createSurvivors }]
