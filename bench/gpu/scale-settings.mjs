/** What is trained at every size. */
export const kernelSettings = {
  dim: 64,
  layers: 3,
  learningRate: 1e-3,
  l2: 1e-4,
  form: 'pairwise',
  itemsPerSample: 2,
  batch: 2048,
}
