import { describe, expect, it, vi } from 'vitest'
import { streamTerminal } from './terminal.js'

/** A terminal whose output is kept. */
function kept(hasColours: boolean): { terminal: ReturnType<typeof streamTerminal>; shown: () => string } {
  let shown = ''
  const stream = { isTTY: hasColours, columns: 80, write: (text: string) => (shown += text) !== '' }
  return { terminal: streamTerminal(stream, stream, {}), shown: () => shown }
}

const EVIL = 'a\x1b[2J\x1b]0;title\x07b\rc\u009b31md\u202ee\x7f'

describe('a terminal', () => {
  it.each([true, false])('obeys no character of an id, a header or a file name (colours: %s)', (colours) => {
    const { terminal, shown } = kept(colours)
    terminal.print(EVIL)
    terminal.note(terminal.style('red', EVIL))
    if (colours) terminal.status(EVIL)
    const ours = shown().replaceAll('\x1b[31m', '').replaceAll('\x1b[39m', '').replaceAll('\r\x1b[2K', '')
    // oxlint-disable-next-line no-control-regex
    expect(ours).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
    expect(ours).toContain('a\\u001b[2J\\u001b]0;title\\u0007b\\u000dc\\u009b31md\\u202ee\\u007f')
  })

  it('has its own colours, and those of an id are not among them', () => {
    const { terminal, shown } = kept(true)
    terminal.print(`${terminal.style('green', 'trust')} \x1b[32mtrust\x1b[39m`)
    expect(shown()).toBe('\x1b[32mtrust\x1b[39m \\u001b[32mtrust\\u001b[39m\n')
  })

  it('prints JSON that is the same JSON', () => {
    const { terminal, shown } = kept(false)
    terminal.print(JSON.stringify({ [EVIL]: [EVIL] }, null, 2))
    expect(JSON.parse(shown())).toEqual({ [EVIL]: [EVIL] })
  })

  it.each([
    ['a line now and then', {}, 'reading 2\n'],
    ['none where it is told so', { HINDCAST_PROGRESS: 'none' }, ''],
  ])('without a screen, progress is %s', (_, env, expected) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let shown = ''
    const stream = { isTTY: false, write: (text: string) => (shown += text) !== '' }
    const terminal = streamTerminal(stream, stream, env)
    terminal.status('reading 1')
    vi.advanceTimersByTime(10_000)
    terminal.status('reading 2')
    terminal.status('reading 3')
    vi.useRealTimers()
    expect(shown).toBe(expected)
  })

  it('cuts overlong lines of notes, not of answers', () => {
    const { terminal, shown } = kept(false)
    terminal.note(`columns: ${'x'.repeat(100_000)}\nnext`)
    expect(shown()).toMatch(/^columns: x+… \(98,009 more characters\)\nnext\n$/)
    terminal.print('y'.repeat(100_000))
    expect(shown()).toContain('y'.repeat(100_000))
  })
})
