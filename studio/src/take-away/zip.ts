/** Files by name as one zip; the same files give the same bytes. */
export async function zipOf(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate')
  return zipSync(files, { mtime: FIRST_DAY }) as Uint8Array<ArrayBuffer>
}

/** The first day that a zip can tell. */
const FIRST_DAY = '1980-01-01T12:00:00'
