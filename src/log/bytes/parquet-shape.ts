import type { FileMetaData, SchemaElement } from 'hyparquet'
import { nameOfPath, type NestedPath, pathNamed, type Shape } from '../shape.js'

/** A column of a schema with those inside it. */
interface SchemaNode {
  readonly element: SchemaElement
  readonly children: readonly SchemaNode[]
}

/** The paths and lists of a Parquet file, as its schema declares them. Maps have no names to offer. */
export function parquetShape({ schema }: FileMetaData): Shape {
  const [root] = nodeAt(schema, 0)
  const columns = new Set(root.children.map(({ element }) => element.name))
  const paths = root.children
    .flatMap((node) => pathsIn(node, { column: node.element.name, keys: [] }))
    .filter((path) => path.keys.length === 0 || !columns.has(nameOfPath(path)))
  return { paths: new Map(paths.map((path) => [nameOfPath(path), path])), texts: new Set() }
}

/** The node at a place of the schema, which lists a tree depth first, and the place behind its last descendant. */
function nodeAt(schema: readonly SchemaElement[], place: number): [node: SchemaNode, next: number] {
  const element = schema[place]!
  const children: SchemaNode[] = []
  let next = place + 1
  for (let k = 0; k < (element.num_children ?? 0); k++) {
    const [child, after] = nodeAt(schema, next)
    children.push(child)
    next = after
  }
  return [{ element, children }, next]
}

function pathsIn(node: SchemaNode, path: NestedPath): NestedPath[] {
  const { element, children } = node
  if (element.converted_type === 'MAP' || element.converted_type === 'MAP_KEY_VALUE') return []
  const inner = listElement(node)
  if (inner) return path.listAt === undefined ? pathsIn(inner, { ...path, listAt: path.keys.length }) : []
  if (children.length > 0)
    return children.flatMap((child) => pathsIn(child, { ...path, keys: [...path.keys, child.element.name] }))
  return path.keys.length > 0 || path.listAt !== undefined ? [path] : []
}

/** The element of a list: below a repeated group, as the format asks for, or repeated itself, as older writers do. */
function listElement({ element, children }: SchemaNode): SchemaNode | undefined {
  const [repeated] = children
  if (element.converted_type === 'LIST' && repeated?.element.repetition_type === 'REPEATED') {
    const [only] = repeated.children
    return repeated.children.length === 1
      ? only
      : { ...repeated, element: withoutRepetition(repeated.element) }
  }
  return element.repetition_type === 'REPEATED'
    ? { element: withoutRepetition(element), children }
    : undefined
}

const withoutRepetition = (element: SchemaElement): SchemaElement => ({
  ...element,
  repetition_type: 'OPTIONAL',
})

/** The columns that a name of a mapping is read from. */
export const columnsOfName = (
  { columns, shape }: { readonly columns: readonly string[]; readonly shape: Shape },
  name: string,
): string[] => {
  const { column, by } = pathNamed(name, shape) ?? {}
  return columns.includes(name) ? [name] : [column, by].filter((one) => one !== undefined)
}

/** The columns of text: those whose cells may be JSON. */
export function textColumns({ schema }: FileMetaData): Set<string> {
  const [root] = nodeAt(schema, 0)
  const texts = root.children.filter(
    ({ element, children }) =>
      element.type === 'BYTE_ARRAY' && children.length === 0 && element.converted_type !== 'DECIMAL',
  )
  return new Set(texts.map(({ element }) => element.name))
}
