import { type Expression as ExpressionOver, namedIn, type Operator, type Relation } from '../expression.js'

/**
 * A column of rows as a target sees them: reward r, importance weight w = π(a|u)/b(a|u), propensity b of the item
 * shown, its predicted reward q, predicted value v of the target; and the means over the rows of the same context whose
 * items have the same category: of the weights m, of the rewards g, of the predictions h. Where a log marks its loggers, l
 * is the place of the row's own among their names, from 0.
 */
export type RowColumn = 'r' | 'w' | 'b' | 'q' | 'v' | 'm' | 'g' | 'h' | 'l'

/** A number made from the columns of a weighed row. */
export type Expression = ExpressionOver<RowColumn>

/** An expression, or a number that stands for one. */
type Operand<Column> = ExpressionOver<Column> | number

const operand = <Column>(value: Operand<Column>): ExpressionOver<Column> =>
  typeof value === 'number' ? number(value) : value
const operation =
  (operator: Operator) =>
  <Column>(left: Operand<Column>, right: Operand<Column>): ExpressionOver<Column> => ({
    kind: 'operation',
    operator,
    left: operand(left),
    right: operand(right),
  })
const column = (name: RowColumn): Expression => ({ kind: 'column', column: name })

export const number = (value: number): ExpressionOver<never> => ({ kind: 'number', value })
export const plus = operation('+')
export const minus = operation('-')
export const times = operation('*')
export const over = operation('/')
/** The smaller of two. */
export const least = operation('min')
/** The larger of two. */
export const most = operation('max')

/** `value` where `left` compares so with `right`, else `otherwise`. */
export const when = <Column>(
  left: Operand<Column>,
  relation: Relation,
  right: Operand<Column>,
  value: Operand<Column>,
  otherwise: Operand<Column>,
): ExpressionOver<Column> => ({
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
export function textOf(expression: ExpressionOver<string>): string {
  switch (expression.kind) {
    case 'number':
      return expression.value === Infinity ? '∞' : String(expression.value)
    case 'column':
      return expression.column
    case 'operation': {
      const { operator, left, right } = expression
      if (isNamed(operator)) return `${operator}(${textOf(left)}, ${textOf(right)})`
      const isProduct = operator === '*' || operator === '/'
      const [a, b] = isProduct ? [bracketed(left), bracketed(right)] : [textOf(left), bracketed(right)]
      return isProduct
        ? `${a}${operator === '*' ? '·' : '/'}${b}`
        : `${a} ${operator === '-' ? '−' : '+'} ${b}`
    }
    case 'function':
      return `${expression.name}(${textOf(expression.of)})`
    case 'case': {
      const { relation, left, right, value, otherwise } = expression
      const condition = `${textOf(left)} ${RELATIONS[relation]} ${textOf(right)}`
      return `(${condition} ? ${textOf(value)} : ${textOf(otherwise)})`
    }
  }
}

const RELATIONS: Readonly<Record<Relation, string>> = {
  '=': '=',
  '!=': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
}

/** Operators that are written as functions. */
const isNamed = (operator: Operator): boolean => operator === 'min' || operator === 'max'

/** Sums and products inside another operation stand in brackets, so that no two expressions read alike. */
const bracketed = (expression: ExpressionOver<string>): string =>
  expression.kind === 'operation' && !isNamed(expression.operator)
    ? `(${textOf(expression)})`
    : textOf(expression)

/** The columns of rows that an expression needs. */
export const columnsOf = (expression: Expression): Set<RowColumn> => new Set(namedIn(expression))
