/** DuckDB cannot be used: it is not installed, has no build for this system, or cannot open a file of this name. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing'
}
