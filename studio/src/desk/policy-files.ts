import { HindcastError } from '$core/error.js'
import { blobInput, type ByteInput, bytesInput, concatenate } from '$core/log/bytes/input.js'
import { withoutFolder } from '$core/model/archived-names.js'
import { CARD_FILE } from '$core/model/model-files.js'
import { decodeNpy } from '$core/read/policy/npy.js'
import { type FilesTogether, isZip } from '$core/read/policy/policy-among-files.js'
import { isModelTensor } from '$core/read/policy/tensors-policy.js'

/** A file with its name inside of what was chosen or dropped: `probs.npy`, or `model/model.json` in a folder. */
export interface ChosenFile {
  readonly path: string
  readonly file: Blob
}

/** Files that make one policy. */
export interface PolicyFiles {
  /** The file, the archive or the folder, as it is typed on the command line. */
  readonly name: string
  readonly together: FilesTogether
  /** The file that holds the policy; undefined where several do. */
  readonly main: string | undefined
  /** Whether they are a model that was saved. */
  readonly isSaved: boolean
}

/** What a folder is called whose files were chosen one by one. */
const LOOSE = 'model'

/** The files of one policy; an error where they cannot be one. */
export async function policyFiles(chosen: readonly ChosenFile[]): Promise<PolicyFiles> {
  const [first] = chosen
  if (!first)
    throw new HindcastError('not-found', 'No file was chosen.', { remedy: 'Choose at least one file.' })
  if (chosen.length === 1 && !first.path.includes('/')) {
    const input = blobInput(first.path, first.file)
    if (!first.path.endsWith('.npz') && isZip(await input.slice(0, 2))) return zipped(input)
  }
  const bare = withoutFolder(chosen.map(({ path }) => path))
  const folder = first.path.slice(0, first.path.length - bare[0]!.length).replace(/\/$/, '')
  const inFolder = (name: string): string => (folder === '' ? name : `${folder}/${name}`)
  const files = new Map(bare.map((name, k) => [name, blobInput(inFolder(name), chosen[k]!.file)]))
  const names = [...files.keys()]
  const whole = folder || LOOSE
  if (names.includes(CARD_FILE))
    return { name: whole, together: togetherOf(whole, files), main: undefined, isSaved: true }
  const main = mainAmong(names)
  const name = main === undefined ? whole : inFolder(main)
  return { name, together: togetherOf(name, files), main, isSaved: false }
}

/** Lists of ids stand beside a policy. */
const isList = (name: string): boolean => /(^|\.)(users|items)\.txt$|^(user|item)_list\.txt$/.test(name)

/** The one file that is no list of ids; undefined where it takes several matrices. */
function mainAmong(names: readonly string[]): string | undefined {
  const others = names.filter((name) => !isList(name))
  if (others.length === 1) return others[0]
  const tensors = others.filter((name) => /\.(npy|safetensors)$/.test(name))
  if (tensors.length === 1) return tensors[0]
  const isModel = others.some((name) => name.endsWith('.npy') && isModelTensor(name.replace(/\.npy$/, '')))
  if (isModel) return undefined
  throw new HindcastError(
    'bad-file',
    others.length === 0
      ? 'These files are lists of ids, and none holds a policy.'
      : `These ${others.length} files do not make up one policy: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}.`,
    {
      remedy:
        'Add one policy at a time: one table; a matrix with users.txt and items.txt; or the files of one model.',
    },
  )
}

function togetherOf(name: string, files: ReadonlyMap<string, ByteInput>): FilesTogether {
  const open = async (file: string): Promise<ByteInput> => {
    const input = files.get(file)
    if (!input)
      throw new HindcastError('not-found', `${name} has no file ${file}.`, { remedy: 'Add it too.' })
    return input
  }
  return {
    name,
    names: [...files.keys()].toSorted(),
    open,
    async matricesIn(archive, isAsked) {
      const entries = await unzip(await open(archive), (entry) => isAsked(entry.replace(/\.npy$/, '')))
      return Object.entries(entries).map(([entry, bytes]) => {
        const bare = entry.replace(/\.npy$/, '')
        return [bare, decodeNpy(bytes, `${archive}, ${bare}`)] as const
      })
    },
  }
}

/** A model folder as a zip archive, as this page saves it. */
async function zipped(input: ByteInput): Promise<PolicyFiles> {
  const entries = await unzip(input, (entry) => /\.(json|safetensors)$/.test(entry))
  const names = withoutFolder(Object.keys(entries))
  const files = new Map(
    Object.values(entries).map((bytes, k) => [names[k]!, bytesInput(`${input.name}, ${names[k]}`, bytes)]),
  )
  return { name: input.name, together: togetherOf(input.name, files), main: undefined, isSaved: true }
}

/** Larger files are not unpacked: an archive may claim anything. */
const MOST_BYTES = 2 ** 31 - 1

async function unzip(
  input: ByteInput,
  isAsked: (name: string) => boolean,
): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = await import('fflate')
  try {
    return unzipSync(await concatenate(input.stream()), {
      filter: ({ name, originalSize }) => isAsked(name) && originalSize <= MOST_BYTES,
    })
  } catch (cause) {
    throw new HindcastError('bad-file', `${input.name} cannot be unpacked.`, {
      remedy: 'Copy or save the archive again.',
      cause,
    })
  }
}
