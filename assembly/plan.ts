// Where everything lies in memory. The host lays it out (layout.ts, in the same order) and writes the
// addresses as 32-bit words at the start of memory; the kernel only reads them.

/** Address of the plan itself. */
const PLAN: usize = 1024

const enum Field {
  nodes,
  /** Columns of the embeddings, a multiple of 4. */
  dim,
  layers,
  /** Columns of a panel: 16, 8 or 4. */
  width,
  panels,
  threads,
  form,
  /** Of the policy form. */
  curve,
  /** 1 where batches of the policy form bring expected rewards. */
  expects,
  itemsPerSample,
  /** Room for distinct nodes of a batch: rows of a panel of `batchFinal` and `batchGradient`. */
  batchNodesRoom,
  control,
  step,
  offsets,
  neighbours,
  scale,
  inverseDegree,
  rootDegree,
  embeddings,
  scaled,
  tables,
  mean,
  square,
  batchUsers,
  batchItems,
  weights,
  oppositeWeights,
  corrections,
  inversePropensities,
  rewards,
  expectedRewards,
  coefficients,
  losses,
  batchNodes,
  batchCounts,
  places,
  batchFinal,
  batchGradient,
  scratch,
  final,
  users,
  items,
  askedUsers,
  askedScores,
}

// @ts-ignore: decorator
@inline
export function plan(field: i32): usize {
  return <usize>load<u32>(PLAN + (<usize>field << 2))
}

/** Where the word of a field lies, for those who write it from within. */
export function placeOf(field: i32): usize {
  return PLAN + (<usize>field << 2)
}

export { Field }
