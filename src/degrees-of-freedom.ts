/** ν = 2/(Σe⁴/(Σe²)² − 1/G), kept within [1, G − 1]: G − 1 for equal influences, few when some dominate. */
export function degreesOfFreedomOf(influence: Float64Array): number {
  let squares = 0
  let fourths = 0
  for (let g = 0; g < influence.length; g++) {
    const square = influence[g]! * influence[g]!
    squares += square
    fourths += square * square
  }
  return degreesOfFreedomFrom(influence.length, squares, fourths)
}

/** The same from the number of influences, Σe² and Σe⁴. */
export function degreesOfFreedomFrom(clusters: number, squares: number, fourths: number): number {
  const most = Math.max(1, clusters - 1)
  if (!(squares > 0)) return 1
  const excess = fourths / (squares * squares) - 1 / clusters
  return excess > 0 ? Math.min(most, Math.max(1, 2 / excess)) : most
}
