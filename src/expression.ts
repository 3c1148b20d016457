export type Operator = '+' | '-' | '*' | '/' | 'min' | 'max'
export type Relation = '=' | '!=' | '<' | '<=' | '>' | '>='
export type FunctionName = 'exp' | 'log' | 'floor'

/**
 * A number made from the columns of a row, said once: `vectorise` computes it over typed arrays, `sqlOf` writes it
 * in the SQL of an engine, `computeValue` computes it from the cells of a file. `Column` is what names a column there.
 */
export type Expression<Column> =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'column'; readonly column: Column }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly left: Expression<Column>
      readonly right: Expression<Column>
    }
  /** A function of one number; `log` is the natural logarithm, `floor` the largest whole number that is at most it. */
  | { readonly kind: 'function'; readonly name: FunctionName; readonly of: Expression<Column> }
  /** `value` where left compares so with right, else `otherwise`. */
  | {
      readonly kind: 'case'
      readonly relation: Relation
      readonly left: Expression<Column>
      readonly right: Expression<Column>
      readonly value: Expression<Column>
      readonly otherwise: Expression<Column>
    }

/** The columns that an expression needs, in the order in which it names them; one named twice is there twice. */
export function namedIn<Column>(expression: Expression<Column>): Column[] {
  switch (expression.kind) {
    case 'number':
      return []
    case 'column':
      return [expression.column]
    case 'operation':
      return [...namedIn(expression.left), ...namedIn(expression.right)]
    case 'function':
      return namedIn(expression.of)
    case 'case':
      return [expression.left, expression.right, expression.value, expression.otherwise].flatMap(namedIn)
  }
}

/** Whether two numbers compare so. */
export function compares(left: number, relation: Relation, right: number): boolean {
  switch (relation) {
    case '=':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}
