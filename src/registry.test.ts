import { describe, expect, it } from 'vitest'
import { type Named, Registry } from './registry.js'

const thing = (name: string): Named => ({
  name,
  label: name.toUpperCase(),
  family: 'test',
  meaning: `Is ${name}.`,
  docs: `${name}.md`,
})

describe('a registry', () => {
  it('knows its things by name, in their order', () => {
    const registry = new Registry('fruit', [thing('plum'), thing('fig')])
    expect(registry.names).toEqual(['plum', 'fig'])
    expect(registry.named('fig').label).toBe('FIG')
    expect(registry.find('pear')).toBeUndefined()
  })

  it('says which name was meant, and all there are', () => {
    const registry = new Registry('fruit', [thing('plum'), thing('fig')])
    expect(() => registry.named('plom')).toThrow('There is no fruit "plom".')
    try {
      registry.named('plom')
    } catch (error) {
      expect(error).toMatchObject({
        code: 'unknown-name',
        remedy: 'Did you mean plum? Choose one of plum, fig.',
      })
    }
  })

  it('takes one more, once, and gives it back', () => {
    const registry = new Registry('fruit', [thing('plum')])
    const remove = registry.add(thing('fig'))
    expect(registry.names).toEqual(['plum', 'fig'])
    expect(() => registry.add(thing('fig'))).toThrow('There is already a fruit "fig".')
    remove()
    expect(registry.names).toEqual(['plum'])
  })
})
