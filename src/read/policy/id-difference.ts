/** A way in which programs write ids otherwise, and what makes them alike. */
interface Habit {
  readonly says: string
  readonly undo: (id: string) => string
}

const HABITS: readonly Habit[] = [
  {
    says: 'They end in .0, as whole numbers do that pandas keeps as floats: write them with .astype("Int64").',
    undo: (id) => id.replace(/\.0+$/, ''),
  },
  { says: 'They begin with zeros: take those off.', undo: (id) => id.replace(/^0+(?=\d)/, '') },
  {
    says: 'They differ in capital and small letters only: use one of them in both.',
    undo: (id) => id.toLowerCase(),
  },
  {
    says: 'They have spaces, quotes or braces around them: take those off.',
    undo: (id) => id.replaceAll(/^[\s"'{]+|[\s"'}]+$/g, ''),
  },
]

/** How the ids of a file differ from those of a log, if one habit explains it: the file's, or the log's. */
export function idDifference(ofFile: readonly string[], ofLog: readonly string[]): string | undefined {
  for (const { says, undo } of HABITS) {
    const [file, log] = [new Set(ofFile.map(undo)), new Set(ofLog.map(undo))]
    if (ofLog.every((id) => file.has(undo(id)))) {
      const isFile = ofFile.some((id) => undo(id) !== id)
      return isFile ? says : says.replace('They', 'Those of the log')
    }
    if (log.size === 0) return undefined
  }
  return undefined
}
