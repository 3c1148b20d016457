import { CARD_FILE } from '$core/model/model-files.js'
import type { ChosenFile } from './policy-files.js'

/** Files that make one policy together with others beside them: matrices, tensors, and lists of ids. */
const TOGETHER = /\.(npy|npz|safetensors)$|(^|\.)(users|items)\.txt$|^(user|item)_list\.txt$/

/** What is a policy by itself, even beside the files of a model that were chosen one by one. */
const ALONE = /\.(csv|tsv|parquet|ndjson|jsonl|zip)(\.(gz|zst))?$/

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The policies among files that were chosen or dropped at once: each folder with a saved model is one, with all that lies in
 * it; so are the matrices, tensors and lists of ids of any other folder; and so is every other file, such as a table.
 */
export function policiesAmong(chosen: readonly ChosenFile[]): (readonly ChosenFile[])[] {
  const models = chosen.filter(({ path }) => nameOf(path) === CARD_FILE).map(({ path }) => folderOf(path))
  // Of folders in one another, the outermost: a training keeps its checkpoints in its own.
  const outermost = models.toSorted((a, b) => a.length - b.length)
  const groups = new Map<string, ChosenFile[]>()
  for (const one of chosen) {
    const model = outermost.find((folder) =>
      folder === '' ? !ALONE.test(one.path) : one.path.startsWith(folder),
    )
    const key =
      model !== undefined
        ? `model ${model}`
        : TOGETHER.test(nameOf(one.path))
          ? `together ${folderOf(one.path)}`
          : `alone ${one.path}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}
