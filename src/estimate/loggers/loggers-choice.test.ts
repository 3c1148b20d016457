import { describe, expect, it } from 'vitest'
import { columnsForLoggers, parseLoggers, requireProbabilities } from './loggers-choice.js'

describe('the loggers of a log as they are typed', () => {
  it('are a column, or a column and the probabilities of each', () => {
    expect(parseLoggers('policy')).toEqual({ column: 'policy' })
    expect(parseLoggers('ns:policy')).toEqual({ column: 'ns:policy' })
    expect(parseLoggers('policy:a=p_a, b=p_b')).toEqual({
      column: 'policy',
      probabilities: { a: 'p_a', b: 'p_b' },
    })
  })

  it('are refused where a part is missing or said twice', () => {
    expect(() => parseLoggers('')).toThrow('does not name a column')
    expect(() => parseLoggers(':a=p')).toThrow('does not name a column')
    expect(() => parseLoggers('policy:a=')).toThrow('LOGGER=COLUMN')
    expect(() => parseLoggers('policy:a=p,b')).toThrow('LOGGER=COLUMN')
    expect(() => parseLoggers('policy:a=p,a=q')).toThrow('named twice')
  })

  it('name the columns to read', () => {
    expect(columnsForLoggers(parseLoggers('policy:a=p,b=q,c=q'))).toEqual({
      labels: ['policy'],
      numbers: ['p', 'q'],
    })
  })

  it('need the probabilities of every logger, or of none', () => {
    const choice = parseLoggers('policy:a=p')
    expect(() => requireProbabilities(choice, ['a', 'b'])).toThrow('The logger "b" has no column')
    expect(() => requireProbabilities(choice, ['a', ''])).toThrow('Some rows name no logger')
    expect(() => requireProbabilities(parseLoggers('policy'), ['a', 'b'])).not.toThrow()
    // What every object inherits is no column.
    expect(() => requireProbabilities(choice, ['toString'])).toThrow('toString')
  })
})
