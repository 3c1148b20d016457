/** A sum in float64 that keeps what rounding would lose (Neumaier 1974). */
export class CompensatedSum {
  #sum = 0
  #lost = 0

  add(term: number): void {
    const sum = this.#sum + term
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum
    this.#sum = sum
  }

  get value(): number {
    return this.#sum + this.#lost
  }
}
