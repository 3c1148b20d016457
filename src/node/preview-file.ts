import { canonical } from '../log/formats/canonical.js'
import { formatNamed } from '../log/formats/index.js'
import { type Preview, previewLog, type PreviewOptions } from '../read/preview.js'
import { fileInput } from './file-input.js'
import { findFiles } from './find-file.js'

/** What a file, the log of a folder, or standard input (`-`) seems to hold, judging by its first rows. */
export async function previewLogFile(log: string, options: PreviewOptions = {}): Promise<Preview> {
  const format = options.format === undefined ? canonical : formatNamed(options.format)
  const [file] = await findFiles(log, format, options)
  return previewLog(await fileInput(file.path, file.name), options)
}
