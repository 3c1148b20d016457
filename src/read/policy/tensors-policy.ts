import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { listed } from '../../listed.js'
import type { Safetensors, Tensor } from '../../model/safetensors.js'
import type { Matrix } from './npy.js'
import { matrixPolicy, requireIds } from './matrix-policy.js'
import type { PolicyFile } from './policy-file.js'

/** The tensors of a model, by their names in the file. */
export interface ModelTensorNames {
  readonly user?: string
  readonly item?: string
  readonly itemBias?: string
}

/** Lists of ids that stand in other files than the numbers. */
export interface GivenIds {
  readonly users?: readonly string[] | undefined
  readonly items?: readonly string[] | undefined
}

/** What is known besides the tensors themselves. */
export interface TensorsOptions {
  readonly kind: PolicyFile['kind']
  readonly ids: GivenIds
  readonly tensors?: ModelTensorNames
  /** The largest probability (default 1). */
  readonly most?: number
}

/** Names of tensors, likeliest first: lower case, letters and digits only, without a last `weight`. */
const NAMES = {
  probability: 'probabilities probability probs prob policy pi',
  score: 'scores score logits logit predictions',
  user: 'userembedding userembeddings useremb userembed embeddinguser userfactors userfactor uservectors uservector users user p',
  item: 'itemembedding itemembeddings itememb itemembed embeddingitem itemfactors itemfactor itemvectors itemvector items item q',
  itemBias: 'itembias itembiases biasitem',
  userBias: 'userbias userbiases biasuser',
} as const

type Role = keyof typeof NAMES

/** Whether a file or a tensor of this name holds embeddings of users or items, or the bias of items. */
export const isModelTensor = (name: string, { user, item, itemBias }: ModelTensorNames = {}): boolean =>
  [user, item, itemBias].includes(name) ||
  (['user', 'item', 'itemBias'] as const).some((role) => roleIs(name, role))

/** The tensors of a model that stand in files of their own, by their names without the ending. */
export const tensorsOfMatrices = (matrices: readonly (readonly [name: string, Matrix])[]): Safetensors => ({
  tensors: Object.fromEntries(
    matrices.map(([name, { rows, columns, values }]) => [
      name,
      { shape: roleIs(name, 'itemBias') ? [values.length] : [rows, columns], data: values },
    ]),
  ),
  metadata: {},
})

/** `model.user_embedding.weight` is `userembedding`. */
const bareName = (name: string): string =>
  (
    name
      .replace(/\.weights?$/, '')
      .split(/[./]/)
      .at(-1) ?? ''
  )
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/** Reads `user=NAME,item=NAME,itemBias=NAME`. */
export function parseModelTensors(text: string): ModelTensorNames {
  const names = text.split(',').map((pair) => /^\s*(user|item|item-?bias)\s*=\s*(.+?)\s*$/i.exec(pair))
  if (names.every((match) => match !== null))
    return Object.fromEntries(
      names.map(([, key, name]) => [/bias/i.test(key!) ? 'itemBias' : key!.toLowerCase(), name!]),
    )
  throw new HindcastError(
    'bad-option',
    advice`${set('modelTensors')} expects the names of tensors, not ${JSON.stringify(text)}.`,
    { remedy: advice`Write, for example, ${set('modelTensors', 'user=emb_u,item=emb_i')}.` },
  )
}

/**
 * A policy from tensors: a matrix of probabilities or scores, or embeddings of users and items, whose products, plus a bias
 * of the item where there is one, are scores. Ids stand in tensors or texts called `user_ids` and `item_ids`, or are given.
 */
export function tensorsPolicy(name: string, file: Safetensors, options: TensorsOptions): PolicyFile {
  const { kind, tensors: given = {}, most } = options
  const ids = {
    users: idsIn(file, 'user') ?? options.ids.users,
    items: idsIn(file, 'item') ?? options.ids.items,
  }
  const matrix = given.user === undefined && given.item === undefined ? find(file, kind) : undefined
  if (matrix) {
    const { shape, data } = numbersOf(name, file, matrix)
    const [rows, columns] = shape.length === 1 ? [1, shape[0]!] : [shape[0]!, shape[1]!]
    const items = requireGiven(name, 'item', ids.items)
    return matrixPolicy(name, kind, { rows, columns, values: data }, { users: ids.users, items }, most)
  }
  const user = given.user ?? find(file, 'user')
  const item = given.item ?? find(file, 'item')
  if (user === undefined || item === undefined || kind === 'probability')
    throw new HindcastError(
      'bad-file',
      `${name} has no tensor of ${kind === 'probability' ? 'probabilities' : 'scores, and none of user and item embeddings'}.`,
      {
        remedy: advice`Its tensors: ${Object.keys(file.tensors).join(', ')}. ${
          kind === 'probability'
            ? user !== undefined && item !== undefined
              ? advice`Embeddings give scores: say how items are shown by them, with ${set('target', `scores:${name}@best`)} or another rule. If a model.json lies beside the file, give both: they are a saved model.`
              : 'Call the matrix probabilities, one row per user.'
            : advice`Name them with ${set('modelTensors', 'user=NAME,item=NAME')}.`
        }`,
      },
    )
  return embeddingPolicy(name, file, { user, item, itemBias: given.itemBias ?? find(file, 'itemBias') }, ids)
}

/** Embeddings by the names of their tensors. */
interface Found {
  readonly user: string
  readonly item: string
  readonly itemBias: string | undefined
}

function embeddingPolicy(name: string, file: Safetensors, found: Found, ids: GivenIds): PolicyFile {
  const [users, items] = [numbersOf(name, file, found.user), numbersOf(name, file, found.item)]
  const bias = found.itemBias === undefined ? undefined : numbersOf(name, file, found.itemBias)
  const dim = users.shape[1]
  if (users.shape.length !== 2 || items.shape.length !== 2 || dim !== items.shape[1] || dim === undefined)
    throw new HindcastError(
      'bad-file',
      `${name}: ${found.user} has the shape [${users.shape.join(', ')}] and ${found.item} [${items.shape.join(', ')}], so they cannot be multiplied.`,
      { remedy: 'Give one row per user and one per item, both of the same width.' },
    )
  const [userIds, itemIds] = [requireGiven(name, 'user', ids.users), requireGiven(name, 'item', ids.items)]
  requireIds(`${name}, tensor ${found.user}`, 'user', 'row', userIds, users.shape[0]!)
  requireIds(`${name}, tensor ${found.item}`, 'item', 'row', itemIds, items.shape[0]!)
  if (bias && bias.data.length !== itemIds.length)
    throw new HindcastError(
      'bad-file',
      `${name}: ${found.itemBias} has ${bias.data.length} numbers for ${itemIds.length} items.`,
      {
        remedy: 'Give one bias per item.',
      },
    )
  requireFinite(`${name}: ${found.user}`, users, 'user', userIds)
  requireFinite(`${name}: ${found.item}`, items, 'item', itemIds)
  if (bias) requireFinite(`${name}: ${found.itemBias}`, bias, 'item', itemIds)
  const unused = Object.keys(file.tensors).filter((tensor) => !isUsed(tensor, found))
  return {
    name,
    kind: 'score',
    userIds,
    itemIds,
    items: () => undefined,
    values: (row) => products(users.data.subarray(row * dim, (row + 1) * dim), items.data, bias?.data),
    notes: [
      ...(unused.length > 0
        ? [
            `${name} also holds ${listed(unused)}, which the scores leave out: a score is the product of the embeddings${bias ? ' plus the bias of the item' : ''}.`,
          ]
        : []),
      ...([found.user, found.item].every((tensor) => bareName(tensor).startsWith('embedding'))
        ? [
            `${found.user} and ${found.item} are what LightGCN calls its parameters. If this is its checkpoint, they are not what it ranks by: write the embeddings after propagation, which its computer() returns.`,
          ]
        : []),
    ],
  }
}

/** A bias of the user moves all of their scores alike, and no probability. */
const isUsed = (tensor: string, { user, item, itemBias }: Found): boolean =>
  [user, item, itemBias].includes(tensor) ||
  roleIs(tensor, 'userBias') ||
  ['userids', 'itemids'].includes(bareName(tensor))

/** e_u·e_i + bias of each item, in float64. */
function products(
  user: Numbers['data'],
  items: Numbers['data'],
  bias: Numbers['data'] | undefined,
): Float64Array {
  const dim = user.length
  const scores = new Float64Array(items.length / dim)
  for (let item = 0; item < scores.length; item++) {
    let sum = bias ? bias[item]! : 0
    for (let k = 0; k < dim; k++) sum += user[k]! * items[item * dim + k]!
    scores[item] = sum
  }
  return scores
}

interface Numbers {
  readonly shape: Tensor['shape']
  readonly data: Float32Array | Float64Array
}

/** A tensor of numbers of one axis or two. */
function numbersOf(name: string, { tensors }: Safetensors, tensor: string): Numbers {
  const found = tensors[tensor]
  if (!found || !(found.data instanceof Float32Array || found.data instanceof Float64Array))
    throw new HindcastError(
      'bad-file',
      `${name} has no tensor ${JSON.stringify(tensor)} of float32 or float64.`,
      {
        remedy: `Its tensors: ${Object.keys(tensors).join(', ')}.`,
      },
    )
  const { shape, data } = found
  if (shape.length < 1 || shape.length > 2)
    throw new HindcastError('bad-file', `${name}: ${tensor} has ${shape.length} axes.`, {
      remedy: 'Give a matrix, or a list where all users have the same.',
    })
  return { shape, data }
}

/** An embedding that is not finite has no products. */
function requireFinite(
  where: string,
  { data }: Numbers,
  what: 'user' | 'item',
  ids: readonly string[],
): void {
  const broken = data.findIndex((value) => !Number.isFinite(value))
  if (broken < 0) return
  const id = ids[Math.floor((broken * ids.length) / data.length)]
  throw new HindcastError(
    'bad-rows',
    `${where} has the number ${data[broken]} for ${what} ${JSON.stringify(id)}.`,
    {
      remedy: 'Write the file again without such numbers.',
    },
  )
}

const roleIs = (tensor: string, role: Role): boolean => NAMES[role].split(' ').includes(bareName(tensor))

/** The tensor that goes by the likeliest name. */
function find({ tensors }: Safetensors, role: Role): string | undefined {
  const names = NAMES[role].split(' ')
  return Object.keys(tensors)
    .filter((tensor) => roleIs(tensor, role))
    .toSorted((a, b) => names.indexOf(bareName(a)) - names.indexOf(bareName(b)))[0]
}

/** The ids that a file holds itself, as whole numbers or as a list in JSON. */
function idsIn({ tensors, metadata }: Safetensors, what: 'user' | 'item'): readonly string[] | undefined {
  const tensor = Object.entries(tensors).find(([key]) => bareName(key) === `${what}ids`)?.[1]
  if (tensor && !(tensor.data instanceof Float32Array || tensor.data instanceof Float64Array))
    return Array.from(tensor.data as ArrayLike<number | bigint>, String)
  const text = metadata[`${what}_ids`]
  if (text === undefined) return undefined
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.map(String)
  } catch {
    // Whatever it is, it is no list of ids.
  }
  return undefined
}

function requireGiven(
  name: string,
  what: 'user' | 'item',
  ids: readonly string[] | undefined,
): readonly string[] {
  if (ids) return ids
  throw new HindcastError('not-found', `${name} does not say which ${what}s its numbers belong to.`, {
    remedy: `Put ${what}s.txt beside it: one id per line, as the log writes them, in the order of its rows.`,
  })
}
