import type { Expression, RowColumn } from './expression.js'

/** An expression with other expressions in the place of some columns: how it reads had rows been weighed otherwise. */
export function replaced(
  expression: Expression,
  columns: Readonly<Partial<Record<RowColumn, Expression>>>,
): Expression {
  const inside = (part: Expression): Expression => replaced(part, columns)
  switch (expression.kind) {
    case 'number':
      return expression
    case 'column':
      return columns[expression.column] ?? expression
    case 'operation':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) }
    case 'function':
      return { ...expression, of: inside(expression.of) }
    case 'case':
      return {
        ...expression,
        left: inside(expression.left),
        right: inside(expression.right),
        value: inside(expression.value),
        otherwise: inside(expression.otherwise),
      }
  }
}
