import { badOption } from '../../error.js'
import { solverMachine, type SolverMachine, type SolverOptions } from './solver-machine.js'

/** Rows and columns of a tile (assembly/tiles.ts). */
const SIDE = 64
const TILE_NUMBERS = SIDE * SIDE
const TILE_BYTES = TILE_NUMBERS * 8
/** Two tiles and a strip of four rows: what each thread has to itself. */
const OWN_BYTES = 2 * TILE_BYTES + 4 * SIDE * 8

/**
 * A symmetric matrix of float64 numbers in the memory of WebAssembly, as tiles on and below the diagonal: half the
 * memory of the whole. `invert` replaces it by its inverse, through Cholesky, on all threads; the bits do not depend on
 * their number.
 */
export interface SymmetricMatrix {
  readonly size: number
  /** All numbers, tile after tile; `placeOf` says where one stands. */
  readonly numbers: Float64Array
  /** Where the number in row i and column j stands, for j ≤ i. */
  placeOf(i: number, j: number): number
  /** About size³/2 multiplications. A generator, so that other work can run meanwhile: it yields the share that is done. */
  invert(): Generator<number, void>
  dispose(): Promise<void>
}

/** A symmetric matrix of zeros. */
export async function symmetricMatrix(size: number, options: SolverOptions = {}): Promise<SymmetricMatrix> {
  const rows = Math.max(1, Math.ceil(size / SIDE))
  const tiles = (rows * (rows + 1)) / 2
  const machine = await solverMachine(
    (threads) => ({
      tiles: tiles * TILE_BYTES,
      sharedTiles: rows * TILE_BYTES,
      ownTiles: threads * OWN_BYTES,
    }),
    options,
  )
  machine.tell({
    tileRows: rows,
    tiles: machine.address('tiles'),
    sharedTiles: machine.address('sharedTiles'),
    ownTiles: machine.address('ownTiles'),
  })
  const numbers = new Float64Array(machine.buffer, machine.address('tiles'), tiles * TILE_NUMBERS)
  return {
    size,
    numbers,
    placeOf,
    *invert() {
      // Rows beyond the size make the last tile whole: those of the identity.
      for (let row = size; row < rows * SIDE; row++) numbers[placeOf(row, row)] = 1
      yield* inversion(machine, rows, size)
    },
    dispose: () => machine.dispose(),
  }
}

function placeOf(i: number, j: number): number {
  const [row, column] = [i >>> 6, j >>> 6]
  return ((row * (row + 1)) / 2 + column) * TILE_NUMBERS + (i & 63) * SIDE + (j & 63)
}

function* inversion(machine: SolverMachine<string>, rows: number, size: number): Generator<number, void> {
  for (let k = 0; k < rows; k++) {
    machine.tell({ step: k })
    machine.run('factorColumn')
    if (machine.failure >= 0)
      throw badOption(
        `A matrix of ${size} rows is not positive definite at row ${machine.failure}.`,
        'Regularise more, or look for numbers that are NaN or far too large.',
      )
    yield between(0, (k + 1) / rows)
  }
  for (let j = rows - 1; j >= 0; j--) {
    machine.tell({ step: j })
    machine.run('invertColumn')
    yield between(1, (rows - j) / rows)
  }
  for (let i = 0; i < rows; i++) {
    machine.tell({ step: i })
    machine.run('multiplyRow')
    yield between(2, (i + 1) / rows)
  }
}

/** Share of all work behind a share x of one of three steps: the integral of x(1 − x), or of x² in the second. */
const between = (step: 0 | 1 | 2, x: number): number =>
  (step + (step === 1 ? x * x * x : x * x * (3 - 2 * x))) / 3
