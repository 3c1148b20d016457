import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Dialect } from '../../src/sql/dialect.js'
import type { SummedGroups } from '../../src/sql/engine.js'
import type { FileEngine } from './engine-sums.js'

/** A registry that does not answer is given up soon. */
const PIP_IMPATIENT = ['--retries', '1', '--timeout', '20']
/** Milliseconds that a package may take. */
const FETCH_WITHIN = 300_000

type Cell = string | number | boolean | null

/** Where a package of PyPI lies, fetched by pip where it is missing; a sentence says why there is none. */
export function pythonPackage(name: string, version: string): { folder: string } | { lacking: string } {
  const python = spawnSync('python3', ['-m', 'pip', '--version'])
  if (python.status !== 0) return { lacking: 'there is no python3 with pip' }
  const cache = process.env['HINDCAST_CACHE'] ?? join(homedir(), '.cache', 'hindcast')
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return { folder }
  mkdirSync(cache, { recursive: true })
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  console.log(`Fetching ${name} ${version} …`)
  const { status, stderr } = spawnSync(
    'python3',
    [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-input',
      ...PIP_IMPATIENT,
      '--target',
      part,
      `${name}==${version}`,
    ],
    { encoding: 'utf8', timeout: FETCH_WITHIN },
  )
  if (status !== 0)
    return {
      lacking: `pip cannot install ${name}: ${stderr.trim().split('\n').at(-1) || 'it took too long'}`,
    }
  renameSync(part, folder)
  return { folder }
}

/** An engine inside a Python process: one query a line, one answer a line. */
export class PythonEngine implements FileEngine {
  readonly name: string
  readonly dialect: Dialect
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  readonly #reader: Interface
  readonly #view: (name: string, path: string) => { readonly make: string; readonly from: string }
  #asking: Promise<unknown> = Promise.resolve()
  #said = ''

  constructor(
    dialect: Dialect,
    packages: string,
    view: (name: string, path: string) => { readonly make: string; readonly from: string },
    { folder, environment = {} }: { folder: string; environment?: Record<string, string> },
  ) {
    this.name = dialect.name
    this.dialect = dialect
    this.#view = view
    const script = fileURLToPath(new URL('python-engine.py', import.meta.url))
    const path = [packages, process.env['PYTHONPATH']].filter(Boolean).join(delimiter)
    this.#process = spawn('python3', [script, dialect.name, folder], {
      cwd: folder,
      env: { ...process.env, ...environment, PYTHONPATH: path, PYTHONUTF8: '1' },
    })
    this.#process.stderr.on('data', (text) => (this.#said = `${this.#said}${text}`.slice(-2000)))
    this.#reader = createInterface({ input: this.#process.stdout })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  /** Resolves when it answers. */
  async ready(): Promise<void> {
    await this.#answer()
  }

  async load(name: string, path: string): Promise<string> {
    const { make, from } = this.#view(name, path)
    await this.#ask(make)
    return from
  }

  async numbers(query: string): Promise<(number | null)[][]> {
    return (await this.#asked(query)).map((row) => row.map((cell) => (cell === null ? null : Number(cell))))
  }

  async texts(query: string): Promise<string[]> {
    return (await this.#asked(query)).flatMap(([cell]) => (cell === null ? [] : [String(cell)]))
  }

  async cells(statement: string): Promise<(string | null)[][]> {
    return (await this.#ask(statement)).map((row) => row.map((cell) => (cell === null ? null : String(cell))))
  }

  async groups(query: string, sums: number, most: number): Promise<SummedGroups | undefined> {
    const rows = await this.#asked(query)
    if (rows.length > most) return undefined
    const total = (column: number): number => rows.reduce((sum, row) => sum + Number(row[column]), 0)
    return {
      ids: rows.map(([id]) => String(id)),
      broken: total(1),
      unpredicted: total(2),
      sums: Array.from({ length: sums }, (_, k) =>
        Float64Array.from(rows, (row) => (row[3 + k] === null ? NaN : Number(row[3 + k]))),
      ),
    }
  }

  stop(): void {
    this.#reader.close()
    this.#process.kill('SIGKILL')
  }

  #asked(query: string): Promise<Cell[][]> {
    const { settings } = this.dialect
    return this.#ask(settings === undefined ? query : `${query} ${settings}`)
  }

  /** One after another: the process answers in the order of the questions. */
  #ask(sql: string): Promise<Cell[][]> {
    const answer = this.#asking.then(() => {
      this.#process.stdin.write(`${JSON.stringify({ sql })}\n`)
      return this.#answer()
    })
    this.#asking = answer.catch(() => undefined)
    return answer.catch((cause: unknown) => {
      throw new Error(`${(cause as Error).message.slice(0, 1500)}\n${sql.slice(0, 3000)}`, { cause })
    })
  }

  async #answer(): Promise<Cell[][]> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`Python ended: ${this.#said}`)
    const { rows = [], error } = JSON.parse(value) as { rows?: Cell[][]; error?: string }
    if (error !== undefined) throw new Error(error)
    return rows
  }
}
