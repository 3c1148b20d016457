/** A file that has not been written yet: its name within its folder, and all of its bytes. */
export interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A file of text, in UTF-8. */
export const textFile = (name: string, text: string): NamedFile => ({
  name,
  bytes: new TextEncoder().encode(text),
})
