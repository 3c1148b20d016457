import type { ChosenFile } from '../desk/policy-files.js'

/** The files that were chosen, or those of the folder that was. */
export const chosenFiles = (files: FileList | null | undefined): ChosenFile[] =>
  Array.from(files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }))

/** The files that were dropped; those of a folder with their paths in it. Files whose names begin with a dot are the system's. */
export async function droppedFiles(data: DataTransfer | null): Promise<ChosenFile[]> {
  // All of them must be asked for before the first wait. Not everything that is dropped has an entry.
  const dropped = Array.from(data?.items ?? [], (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }))
  const files = await Promise.all(
    dropped.map(({ entry, file }) => (entry ? filesIn(entry, '') : file ? [{ path: file.name, file }] : [])),
  )
  return files.flat().filter(({ path }) => !path.split('/').at(-1)!.startsWith('.'))
}

async function filesIn(entry: FileSystemEntry, folder: string): Promise<ChosenFile[]> {
  const path = `${folder}${entry.name}`
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  // A reader gives at most a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    found.push(...some)
  }
  const files = await Promise.all(found.map((one) => filesIn(one, `${path}/`)))
  return files.flat()
}
