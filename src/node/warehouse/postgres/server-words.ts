/** What a terminal would obey rather than show. */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g
const LONGEST = 300

/** A name that came from a server, on one line. */
export const serverName = (name: string): string => name.replaceAll(OBEYED, ' ')

/** What a server said, on one line, as a sentence of ours can end with it. */
export function serverWords(message: string): string {
  const line = serverName(message).trim()
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
  return /[.!?…]$/.test(short) ? short : `${short}.`
}
