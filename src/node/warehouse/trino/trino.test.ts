import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HindcastError } from '../../../error.js'
import { parseAddress } from '../address.js'
import type { ConnectOptions, Warehouse } from '../warehouse.js'
import { connectTrino } from './trino-warehouse.js'
import { TrinoSignIn } from './trino-session.js'

/** What a server answers: a status and a body, or nothing at all. */
type Answer = { readonly status?: number; readonly body?: unknown } | 'hang up'

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
  vi.unstubAllEnvs()
})

/** A server that answers as it is told, and keeps what it was asked. */
async function pretended(
  answer: (asked: Asked, count: number) => Answer | undefined,
): Promise<{ port: number; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body }
      asked.push(one)
      const told = answer(
        one,
        asked.filter(({ path, method }) => path === one.path && method === one.method).length,
      )
      const said = told ?? usual(one)
      if (said === 'hang up') {
        request.socket.destroy()
        return
      }
      response.writeHead(said.status ?? 200, { 'content-type': 'application/json' })
      response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {}))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, asked }
}

/** A server of today that answers every query with one row. */
function usual({ method, path }: Asked): Answer {
  if (path === '/v1/info') return { body: { nodeVersion: { version: '476' }, starting: false } }
  if (method === 'POST') return { body: { id: 'q1', nextUri: 'http://inside.example:1/v1/statement/q1/1' } }
  if (method === 'DELETE') return { status: 204, body: '' }
  return { body: { id: 'q1', columns: [{ name: 'x', type: 'double' }], data: [[1.5]] } }
}

const connected = (port: number, options: ConnectOptions = {}): Promise<Warehouse> =>
  connectTrino(parseAddress(`trino://reader@127.0.0.1:${port}/hive/shop`), options)

async function failure(work: Promise<unknown>): Promise<HindcastError> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(HindcastError)
  return error as HindcastError
}

const refused = (errorName: string, message = 'Something'): Answer => ({
  body: { id: 'q1', error: { message, errorName, errorType: 'USER_ERROR' } },
})

describe('the protocol', () => {
  it('says who asks, of what, and in which zone; pages are asked of the same server', async () => {
    const { port, asked } = await pretended(() => undefined)
    const warehouse = await connected(port, { timeout: 1.5 })
    expect(await warehouse.numbers('SELECT x FROM t')).toEqual([[1.5]])
    const { headers, body } = asked.filter(({ method }) => method === 'POST').at(-1)!
    expect(body).toBe('SELECT x FROM t')
    expect(headers).toMatchObject({
      'x-trino-user': 'reader',
      'x-trino-catalog': 'hive',
      'x-trino-schema': 'shop',
      'x-trino-source': 'hindcast',
      'x-trino-time-zone': 'UTC',
      'x-trino-session': 'query_max_run_time=1500ms',
    })
    expect(asked.at(-1)!.path).toBe('/v1/statement/q1/1')
    expect(warehouse.crossed).toMatchObject({ queries: 1, rows: 1 })
    await warehouse.close()
  })

  it('asks again while the server is busy, and after a connection that was lost', async () => {
    const notes: string[] = []
    const { port, asked } = await pretended(({ method, path }, count) => {
      if (method === 'GET' && path.endsWith('/1') && count === 2) return { status: 503, body: '' }
      return method === 'GET' && path.endsWith('/1') && count === 3 ? 'hang up' : undefined
    })
    const warehouse = await connected(port, { onNote: (note) => notes.push(note) })
    expect(await warehouse.numbers('SELECT x FROM t')).toEqual([[1.5]])
    expect(asked.filter(({ path }) => path.endsWith('/1'))).toHaveLength(4)
    expect(notes).toEqual([expect.stringMatching(/was lost and re-established/)])
    await warehouse.close()
  })

  it('sends a query a second time, not a third', async () => {
    const { port, asked } = await pretended(({ body }) => (body === 'SELECT 2' ? 'hang up' : undefined))
    const warehouse = await connected(port)
    await warehouse.numbers('SELECT x FROM t')
    const { message } = await failure(warehouse.numbers('SELECT 2'))
    expect(message).toMatch(/was lost when a query was sent, after 1 query that was answered and 1 row\./)
    expect(asked.filter(({ body }) => body === 'SELECT 2')).toHaveLength(2)
    await warehouse.close()
  })

  it('cancels a query whose signal is aborted, by its page and by its id', async () => {
    const stop = new AbortController()
    const { port, asked } = await pretended(({ method, path }, count) => {
      if (method !== 'GET' || !path.startsWith('/v1/statement') || count === 1) return undefined
      stop.abort()
      return { body: { id: 'q1', nextUri: 'http://inside.example:1/v1/statement/q1/1' } }
    })
    const warehouse = await connected(port, { signal: stop.signal })
    expect((await failure(warehouse.numbers('SELECT x FROM t'))).code).toBe('interrupted')
    const deleted = asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    expect(deleted.toSorted()).toEqual(['/v1/query/q1', '/v1/statement/q1/1'])
    expect((await failure(warehouse.numbers('SELECT x FROM t'))).code).toBe('interrupted')
    await warehouse.close()
  })

  it('cancels a query with more groups than were asked for', async () => {
    const { port, asked } = await pretended(({ method, path }, count) =>
      method === 'GET' && path.endsWith('/1') && count > 1
        ? {
            body: {
              id: 'q1',
              nextUri: 'http://inside.example:1/v1/statement/q1/1',
              data: [
                ['a', 0, 0, 'NaN'],
                ['b', 1, 0, 'Infinity'],
              ],
            },
          }
        : undefined,
    )
    const warehouse = await connected(port)
    expect(await warehouse.groups('SELECT', 1, 3)).toBeUndefined()
    expect(asked.at(-1)!.method).toBe('DELETE')
    await warehouse.close()
  })
})

describe('what goes wrong', () => {
  it.each([
    [
      'PERMISSION_DENIED',
      'Access Denied: Cannot select from table a.b',
      /does not allow it: Cannot select from/,
    ],
    ['SYNTAX_ERROR', "line 3:9: mismatched input 'FORM'", /cannot read the SQL: mismatched input/],
    ['EXCEEDED_TIME_LIMIT', 'Query exceeded', /took longer than allowed/],
    ['EXCEEDED_LOCAL_MEMORY_LIMIT', 'Query exceeded', /ran out of memory/],
    [
      'QUERY_TEXT_TOO_LARGE',
      'Query text length (2) exceeds the maximum length (1)',
      /A query is longer than this Trino allows: Query text length/,
    ],
    ['SERVER_STARTING_UP', 'Trino server is still initializing', /is starting up/],
    ['MISSING_CATALOG_NAME', 'Catalog must be specified', /has no catalog/],
    ['DIVISION_BY_ZERO', 'Division by zero', /cannot be computed for some row/],
    ['GENERIC_INTERNAL_ERROR', 'Oh', /could not answer: Oh \(GENERIC_INTERNAL_ERROR\)/],
  ])('%s is told in our words', async (name, message, words) => {
    const { port } = await pretended(({ body }) => (body === 'SELECT 2' ? refused(name, message) : undefined))
    const warehouse = await connected(port)
    const error = await failure(warehouse.numbers('SELECT 2'))
    expect(error.message).toMatch(words)
    expect(error.remedy).toMatch(/\.$/)
    await warehouse.close()
  })

  it.each([
    [{ status: 403, body: '' }, /does not let this user ask/],
    [{ status: 418, body: '' }, /answers with HTTP 418/],
    [{ body: '<html>' }, /is not a Trino server/],
    [{ status: 401, body: '' }, /only sent over an encrypted connection/],
  ] as const)('an answer %o is told in our words', async (answer, words) => {
    const { port } = await pretended(({ path }) => (path === '/v1/statement' ? answer : undefined))
    expect((await failure(connected(port))).message).toMatch(words)
  })

  it('an engine that is too old says which is needed', async () => {
    for (const version of ['350', '0.280']) {
      const { port } = await pretended(({ path }) =>
        path === '/v1/info' ? { body: { nodeVersion: { version } } } : undefined,
      )
      const { message } = await failure(connected(port))
      expect(message).toBe(`The server is Trino ${version}, and Hindcast needs 351 or later.`)
    }
    const { port } = await pretended(({ path }) =>
      path === '/v1/info' ? { body: { nodeVersion: { version: '443-vendor-2' } } } : undefined,
    )
    await (await connected(port)).close()
  })

  it('a host that is not known, and a port where nothing listens', async () => {
    expect((await failure(connected(1))).message).toMatch(/refuses connections/)
    const nowhere = parseAddress('trino://reader@no-such-host.invalid/hive')
    expect((await failure(connectTrino(nowhere, {}))).message).toMatch(/unknown host/)
  })
})

describe('signing in', () => {
  const encrypted = parseAddress('trino://reader@db.example/hive')

  it('sends a token before a password, as the user of the address', () => {
    const both = { TRINO_TOKEN: 'ttt', TRINO_PASSWORD: 'ppp', TRINO_USER: 'other' }
    expect(new TrinoSignIn(encrypted, {}, both).headers).toEqual({ Authorization: 'Bearer ttt' })
    const signIn = new TrinoSignIn(encrypted, {}, { TRINO_PASSWORD: 'pässword' })
    expect(signIn.headers).toEqual({
      Authorization: `Basic ${Buffer.from('reader:pässword', 'latin1').toString('base64')}`,
    })
    expect(signIn.user).toBe('reader')
    expect(new TrinoSignIn(parseAddress('trino://db.example'), {}, both).user).toBe('other')
  })

  it('sends nothing secret over a connection that is not encrypted, and says so', () => {
    const notes: string[] = []
    const plain = parseAddress('trino://reader@127.0.0.1/hive')
    const signIn = new TrinoSignIn(plain, { onNote: (note) => notes.push(note) }, { TRINO_PASSWORD: 'ppp' })
    expect(signIn.headers).toEqual({})
    expect(notes).toEqual(['TRINO_PASSWORD is not sent, since the connection is not encrypted.'])
  })

  it('shows what is secret to nobody', async () => {
    const signIn = new TrinoSignIn(encrypted, {}, { TRINO_PASSWORD: 'ppp' })
    expect(`${JSON.stringify(signIn)}${JSON.stringify(await failure(signIn.refused()))}`).not.toMatch(/ppp/)
  })

  it('asks for a password once', async () => {
    const askPassword = vi.fn<(about: string) => Promise<string>>(async () => 'asked')
    const signIn = new TrinoSignIn(encrypted, { askPassword }, {})
    await signIn.refused()
    expect(signIn.headers).toEqual({
      Authorization: `Basic ${Buffer.from('reader:asked').toString('base64')}`,
    })
    await failure(signIn.refused())
    expect(askPassword).toHaveBeenCalledOnce()
  })
})
