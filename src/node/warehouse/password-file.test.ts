import { describe, expect, it } from 'vitest'
import { passwordIn } from './password.js'

const login = { host: 'db.shop.example', port: 5432, database: 'shop', user: 'reader' }

describe('a file of passwords', () => {
  it.each([
    ['all fields', 'db.shop.example:5432:shop:reader:secret', 'secret'],
    ['stars', '*:*:*:*:secret', 'secret'],
    ['another host', 'db:5432:shop:reader:secret', undefined],
    ['another user', '*:*:*:writer:secret', undefined],
    ['the first line that matches', '*:*:*:reader:first\n*:*:*:*:second', 'first'],
    ['comments and empty lines', '# *:*:*:*:no\n\n*:*:*:*:yes\r\n', 'yes'],
    ['a password with colons', '*:*:*:*:a:b:c', 'a:b:c'],
    ['backslashes', String.raw`*:*:*:*:a\:b\\c\d`, String.raw`a:b\cd`],
    ['a line that ends early', '*:*:*', undefined],
    ['an empty password', '*:*:*:*:\n*:*:*:*:next', 'next'],
    ['a star that is no wildcard', String.raw`*:*:\*:*:secret`, undefined],
    ['a star within a name', 'db*:*:*:*:secret', undefined],
  ])('with %s', (_what, text, password) => {
    expect(passwordIn(text, login)).toBe(password)
  })

  it('has names with colons behind backslashes', () => {
    const odd = { ...login, host: '::1', database: 'a:b', user: 'c\\d' }
    expect(passwordIn(String.raw`\:\:1:5432:a\:b:c\\d:secret`, odd)).toBe('secret')
    expect(passwordIn(String.raw`::1:5432:a\:b:c\\d:secret`, odd)).toBeUndefined()
  })
})
