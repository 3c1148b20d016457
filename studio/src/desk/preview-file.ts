import { blobInput } from '$core/log/bytes/input.js'
import { type Preview, previewLog, type PreviewOptions } from '$core/read/preview.js'
import type { Watch } from './call.js'

/** What a file seems to hold, judging by its first rows. */
export const previewFile = (
  { file, ...options }: { file: File } & Pick<PreviewOptions, 'format' | 'header' | 'rows'>,
  { signal }: Watch,
): Promise<Preview> => previewLog(blobInput(file.name, file), { ...options, ...(signal && { signal }) })
