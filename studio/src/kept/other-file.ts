import { counted } from '$core/number-text.js'

/** A file by its name and fingerprint. */
export interface KnownFile {
  readonly name: string
  readonly print: string
}

/** Says that a file is not the one that a link or a session was made with; undefined where it is, or where nobody knows. */
export function otherFile(by: 'link' | 'session', wanted: KnownFile, found: KnownFile): string | undefined {
  if (wanted.print === '' || wanted.print === found.print) return undefined
  const [before, now] = [bytesIn(wanted.print), bytesIn(found.print)]
  const difference =
    before === undefined || before === now
      ? `${found.name} has different contents`
      : `${wanted.name} had ${counted(before, 'byte')}, ${wanted.name === found.name ? 'this one' : found.name} has ${counted(now!, 'byte')}`
  return `This ${by} was made with another file: ${difference}. Its settings are used where they fit; the numbers are those of the file that you opened.`
}

/** The length of the file behind a fingerprint. */
function bytesIn(print: string): number | undefined {
  const [, digits] = /^([0-9a-z]{1,10})-[0-9a-f]{14}$/.exec(print) ?? []
  return digits === undefined ? undefined : Number.parseInt(digits, 36)
}
