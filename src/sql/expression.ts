/**
 * A column of rows as a target sees them: reward r, importance weight w = π(a|u)/b(a|u), propensity b of the item
 * shown, its predicted reward q, predicted value v of the target; and the means over the rows of the same context whose
 * items have the same category: of the weights m, of the rewards g, of the predictions h. Where a log marks its loggers, l
 * is the place of the row's own among their names, from 0.
 */
export type RowColumn = 'r' | 'w' | 'b' | 'q' | 'v' | 'm' | 'g' | 'h' | 'l'

type Operator = '+' | '-' | '*' | '/' | 'min'
type Relation = '=' | '<='

/**
 * A number made from the columns of a row, said once: `vectorise` computes it over typed arrays, `sqlOf` writes it
 * in the SQL of an engine.
 */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'column'; readonly column: RowColumn }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  /** `value` where left compares so with right, else `otherwise`. */
  | {
      readonly kind: 'case'
      readonly relation: Relation
      readonly left: Expression
      readonly right: Expression
      readonly value: Expression
      readonly otherwise: Expression
    }

/** An expression, or a number that stands for one. */
type Operand = Expression | number

const operand = (value: Operand): Expression => (typeof value === 'number' ? number(value) : value)
const operation =
  (operator: Operator) =>
  (left: Operand, right: Operand): Expression => ({
    kind: 'operation',
    operator,
    left: operand(left),
    right: operand(right),
  })
const column = (name: RowColumn): Expression => ({ kind: 'column', column: name })

export const number = (value: number): Expression => ({ kind: 'number', value })
export const plus = operation('+')
export const minus = operation('-')
export const times = operation('*')
export const over = operation('/')
/** The smaller of two. */
export const least = operation('min')

/** `value` where `left` compares so with `right`, else `otherwise`. */
export const when = (
  left: Operand,
  relation: Relation,
  right: Operand,
  value: Operand,
  otherwise: Operand,
): Expression => ({
  kind: 'case',
  relation,
  left: operand(left),
  right: operand(right),
  value: operand(value),
  otherwise: operand(otherwise),
})

/** The columns of a row, as expressions. */
export const row: Readonly<Record<RowColumn, Expression>> = {
  r: column('r'),
  w: column('w'),
  b: column('b'),
  q: column('q'),
  v: column('v'),
  m: column('m'),
  g: column('g'),
  h: column('h'),
  l: column('l'),
}

/** The expression as people write it: `v + min(w, 2)·(r − q)`. The same text means the same expression. */
export function textOf(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.value === Infinity ? '∞' : String(expression.value)
    case 'column':
      return expression.column
    case 'operation': {
      const { operator, left, right } = expression
      if (operator === 'min') return `min(${textOf(left)}, ${textOf(right)})`
      const isProduct = operator === '*' || operator === '/'
      const [a, b] = isProduct ? [bracketed(left), bracketed(right)] : [textOf(left), bracketed(right)]
      return isProduct
        ? `${a}${operator === '*' ? '·' : '/'}${b}`
        : `${a} ${operator === '-' ? '−' : '+'} ${b}`
    }
    case 'case': {
      const { relation, left, right, value, otherwise } = expression
      const condition = `${textOf(left)} ${relation === '<=' ? '≤' : '='} ${textOf(right)}`
      return `(${condition} ? ${textOf(value)} : ${textOf(otherwise)})`
    }
  }
}

/** Sums and products inside another operation stand in brackets, so that no two expressions read alike. */
const bracketed = (expression: Expression): string =>
  expression.kind === 'operation' && expression.operator !== 'min'
    ? `(${textOf(expression)})`
    : textOf(expression)

/** The columns of rows that an expression needs. */
export function columnsOf(expression: Expression): Set<RowColumn> {
  switch (expression.kind) {
    case 'number':
      return new Set()
    case 'column':
      return new Set([expression.column])
    case 'operation':
      return union(expression.left, expression.right)
    case 'case':
      return union(expression.left, expression.right, expression.value, expression.otherwise)
  }
}

const union = (...parts: readonly Expression[]): Set<RowColumn> =>
  new Set(parts.flatMap((part) => [...columnsOf(part)]))
