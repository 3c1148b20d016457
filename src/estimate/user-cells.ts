import { log as ln } from '../portable-math.js'
import type { GroupedRows } from './grouped-rows.js'
import { ProbabilityCells } from './probability-cells.js'
import { NEVER_WIDE, WIDE_STEP } from './probability-steps.js'
import type { ShownRows } from './shown-rows.js'
import { FEWEST_OF_USER_CELL, type UserFit, WITHIN_USERS, type WithinUsers } from './user-fit.js'

/** Sums a `UserFit` from rows in the order of their users, as the target would have shown them. */
export function userFitOf(byUser: GroupedRows, shown: ShownRows): UserFit {
  const [plain, logarithm] = [new Within(), new Within()]
  const cells = new ProbabilityCells(NEVER_WIDE, byUser.isClick)
  for (let user = 0; user + 1 < byUser.start.length; user++) {
    cells.fill(byUser, user, shown, WIDE_STEP)
    cells.empty(FEWEST_OF_USER_CELL, (step, rows, t, m, v) => {
      plain.add(rows, t, m, v)
      if (step !== NEVER_WIDE) logarithm.add(rows, ln(t), m, v)
    })
    plain.endUser()
    logarithm.endUser()
  }
  return { plain: plain.total, logarithm: logarithm.total }
}

type Summed = Record<keyof WithinUsers, number>

/** Sums over the cells of one user after another. */
class Within {
  readonly #total = Object.fromEntries(WITHIN_USERS.map((name) => [name, 0])) as Summed
  /** Of the present user: how many cells, Σn, Σnt, Σnt², Σnm, Σnm², Σntm, Σv, Σnv, Σntv, Σnt²v. */
  #cells = 0
  #n = 0
  #t = 0
  #tt = 0
  #m = 0
  #mm = 0
  #tm = 0
  #v = 0
  #nv = 0
  #tv = 0
  #ttv = 0

  add(n: number, t: number, m: number, v: number): void {
    this.#cells++
    this.#n += n
    this.#t += n * t
    this.#tt += n * t * t
    this.#m += n * m
    this.#mm += n * m * m
    this.#tm += n * t * m
    this.#v += v
    this.#nv += n * v
    this.#tv += n * t * v
    this.#ttv += n * t * t * v
  }

  endUser(): void {
    const [n, total] = [this.#n, this.#total]
    if (n === 0) return
    const t = this.#t / n
    total.cells += this.#cells
    total.rows += n
    total.users++
    total.t += this.#tt - t * this.#t
    total.tt += this.#tt
    total.tm += this.#tm - t * this.#m
    total.m += this.#mm - (this.#m * this.#m) / n
    total.noise += this.#v - this.#nv / n
    total.spread += this.#ttv - 2 * t * this.#tv + t * t * this.#nv
    this.#cells = this.#n = this.#t = this.#tt = this.#m = this.#mm = this.#tm = 0
    this.#v = this.#nv = this.#tv = this.#ttv = 0
  }

  get total(): WithinUsers {
    return this.#total
  }
}
