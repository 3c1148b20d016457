/**
 * The rooms, from the ground up: a room may use those before it, never those after it. `.` stands for
 * the single files of src, which are the ground itself.
 */
export const ROOMS = [
  '.',
  'random',
  'policy',
  'log',
  'propensity',
  'world',
  'graph',
  'kernels',
  'model',
  'metrics',
  'describe',
  'read',
  'sql',
  'queries',
  'verdict',
  'estimate',
  'doctor',
  'train',
  'words',
  'commands',
  'schemas',
  'figures',
  'report',
  'node',
  'cli',
]
