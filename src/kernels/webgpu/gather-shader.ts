import { ENTRANCE, type Shader } from './shader.js'

/**
 * One program for every sum over a list: of neighbours, on the way forward and back, and of the samples of a node.
 * Rows are kept scaled by 1/√degree, so that a hop of the normalised graph is a plain sum over neighbours and an
 * edge is nothing but a number. Both ways go by Horner's rule, H ← G + Â·H, K times: forward G is E⁰, which ends in
 * (K + 1) times the final embeddings; back it is the gradient of the batch, which ends in that along E⁰. So two
 * tables do for any K, and the last hop forward is taken for the nodes of the batch alone.
 */
export type GatherName =
  | 'pieces' // sums of the pieces of lists that were cut
  | 'forward' // a hop of all nodes
  | 'final of batch' // the last hop, of the nodes of the batch
  | 'final of all'
  | 'slopes' // G of the nodes of the batch
  | 'spread' // G' of all nodes, 0 outside the batch: where the way back begins
  | 'back'
  | 'adam' // the last hop back, and Adam on what it gives

/** How a program finds its rows, what it sums and what it does with a sum. */
interface Gather {
  /** How many rows there are, and how many of the first are taken by a whole workgroup each. */
  readonly rows: string
  readonly long: string
  /** `node`, `start` and `end` of row `place`. */
  readonly list: string
  /** The element of a sum at `edge` of a row, in a lane. */
  readonly term: string
  /** Takes the `sum` of a row in a lane. */
  readonly finish: string
  readonly buffers: Shader['buffers']
}

/** What a program depends on: everything else comes to it in numbers. */
export interface GatherOptions {
  readonly layers: number
  readonly penalisesVariance: boolean
  /** Whether some rows are the work of a whole workgroup. */
  readonly hasLongRows: boolean
}

/** The shader of one of the sums. */
export function gatherShader(name: GatherName, options: GatherOptions): Shader {
  const { rows, long, list, term, finish, buffers } = gatherOf(name, options)
  const code = /* wgsl */ `
struct Row { place: u32, node: u32, start: u32, end: u32 }
${'graph' in buffers ? SCALE_OF : ''}
${buffers.marks === 'read' ? PLACE_OF : ''}

fn listOf(place: u32) -> Row {
  ${list}
  return Row(place, node, start, end);
}

fn term(row: Row, edge: u32, lane: u32) -> vec4f {${term}}

/** Four chains, so that the device waits for four elements at a time; always in the same order. */
fn sumOf(row: Row, first: u32, stride: u32, lane: u32) -> vec4f {
  var a = vec4f();
  var b = vec4f();
  var c = vec4f();
  var d = vec4f();
  var edge = first;
  for (; edge + 3u * stride < row.end; edge += 4u * stride) {
    a += term(row, edge, lane);
    b += term(row, edge + stride, lane);
    c += term(row, edge + 2u * stride, lane);
    d += term(row, edge + 3u * stride, lane);
  }
  for (; edge < row.end; edge += stride) { a += term(row, edge, lane); }
  return (a + b) + (c + d);
}

fn finish(row: Row, lane: u32, sum: vec4f) {
  let node = row.node;
  let at = node * shape.width + lane;
  ${finish}
}

${options.hasLongRows ? SHARE_LONG_ROWS : KEEP_ROWS}

${ENTRANCE}
  let lane = thread & ((1u << shape.laneBits) - 1u);
  let slice = thread >> shape.laneBits;
  // A long row is the work of all slices, a short one of its own.
  let long = ${options.hasLongRows ? long : '0u'};
  let isLong = group < long;
  let place = select(long + (group - long) * shape.slices + slice, group, isLong);
  let isMine = place < ${rows} && lane < shape.width;
  var row: Row;
  var sum = vec4f();
  if (isMine) {
    row = listOf(place);
    sum = sumOf(row, row.start + select(0u, slice, isLong), select(1u, shape.slices, isLong), lane);
  }
  if (isLong) { sum = sumOfSlices(sum, thread, slice); }
  if (isMine && (slice == 0u || !isLong)) { finish(row, lane, sum); }
}
`
  return { name, buffers, code }
}

/** The sum of what the slices of a workgroup have; slice 0 gets it. */
const SHARE_LONG_ROWS = /* wgsl */ `
var<workgroup> parts: array<vec4f, 128>;

fn sumOfSlices(own: vec4f, thread: u32, slice: u32) -> vec4f {
  var sum = own;
  for (var half = shape.slices / 2u; half > 0u; half /= 2u) {
    let above = half << shape.laneBits;
    if (slice >= half && slice < 2u * half) { parts[thread - above] = sum; }
    workgroupBarrier();
    if (slice < half) { sum += parts[thread]; }
    workgroupBarrier();
  }
  return sum;
}`

const KEEP_ROWS = 'fn sumOfSlices(own: vec4f, thread: u32, slice: u32) -> vec4f { return own; }'

const SCALE_OF = /* wgsl */ `
fn scaleOf(node: u32) -> f32 { return bitcast<f32>(graph[shape.scale + node]); }`

const PLACE_OF = /* wgsl */ `
/** The place of a node in the batch, plus one; 0 where it is not in it. */
fn placeOf(node: u32) -> u32 {
  let mark = marks[node];
  let place = mark & ((1u << shape.placeBits) - 1u);
  return select(0u, place + 1u, (mark >> shape.placeBits) == step.slot + 1u);
}`

const NOTHING = 'return vec4f();'

/** The neighbours' rows of a table. */
const OF_TABLE = /* wgsl */ `
  return before[graph[shape.neighbours + edge] * shape.width + lane];
`

/** By how much more a sample counts whose loss is above the mean, where the variance is penalised. */
const INFLUENCE = /* wgsl */ `
  let summary = told[step.slot];
  coefficient *= 1.0 + summary.z * ((losses[step.slot * shape.batch + sample] - summary.x) - summary.y);
`

/** What a sample adds along a final embedding: its coefficient times the embedding on the other side of the score. */
const ofEntries = (influence: string): string => /* wgsl */ `
  let entry = blocks[step.block + shape.blockEntries + edge];
  let sample = entry / shape.itemsPerSample;
  let isUser = row.place < step.userNodes;
  let other = blocks[step.block + select(shape.blockUserPlaces + sample, shape.blockItemPlaces + entry, isUser)];
  var coefficient = coefficients[entry];
  ${influence}
  return coefficient * batchFinals[other * shape.width + lane];
`

const NEIGHBOURS = 'let start = graph[shape.starts + node]; let end = graph[shape.starts + node + 1u];'
const BATCH_NODE = 'let node = blocks[step.block + shape.blockNodes + place];'
const ALL = {
  rows: 'shape.nodes',
  long: 'shape.longRows',
  list: `let node = graph[shape.order + place]; ${NEIGHBOURS}`,
}
const PIECES = {
  rows: 'shape.pieces',
  long: 'shape.pieces',
  list: `let node = shape.nodes + place; ${NEIGHBOURS}`,
}
// Nodes of a batch come in no order of length.
const BATCH = {
  rows: 'step.nodes',
  long: 'step.nodes * shape.wholeNeighbours',
  list: `${BATCH_NODE} ${NEIGHBOURS}`,
}

const SETTLED = '(embeddings[at] + scaleOf(node) * sum) * shape.share'

/** A table of zeros but for the batch: to look up which neighbours are in it, edge by edge, would take longer than its sums. */
const SPREAD = /* wgsl */ `
  let place = placeOf(node);
  var slope = vec4f();
  if (place > 0u) { slope = scaleOf(node) * slopes[(place - 1u) * shape.width + lane]; }
  after[at] = slope;`

const BACK = /* wgsl */ `
  let scale = scaleOf(node);
  var result = (scale * scale) * sum;
  let place = placeOf(node);
  if (place > 0u) { result += scale * slopes[(place - 1u) * shape.width + lane]; }
  after[at] = result;`

/** Adam on a row, and its scaled copy for the next hop. */
const ADAM = /* wgsl */ `
  let scale = scaleOf(node);
  var gradient = scale * sum;
  let place = placeOf(node);
  if (place > 0u) { gradient += slopes[(shape.room + place - 1u) * shape.width + lane]; }
  let m = 0.9 * mean[at] + 0.1 * gradient;
  let s = 0.999 * square[at] + 0.001 * (gradient * gradient);
  mean[at] = m;
  square[at] = s;
  let e = embeddings[at] - (step.rate * m) / (step.root * sqrt(s) + 1e-8);
  embeddings[at] = e;
  scaled[at] = scale * e;`

/**
 * G/(K + 1) of each node of the batch; behind all of them the same plus λ/B · e⁰ as often as the node occurs, which
 * only its own row gets. Marks the node as one of this step.
 */
const SLOPES = /* wgsl */ `
  let slope = sum * shape.share;
  let times = f32((row.end - row.start) / select(1u, shape.itemsPerSample, row.place < step.userNodes));
  slopes[row.place * shape.width + lane] = slope;
  slopes[(shape.room + row.place) * shape.width + lane] = slope + (step.penalty * times) * embeddings[at];
  if (lane == 0u) { marks[node] = ((step.slot + 1u) << shape.placeBits) | row.place; }`

function gatherOf(name: GatherName, { layers, penalisesVariance }: GatherOptions): Gather {
  const ofBatch = { graph: 'read', marks: 'read', slopes: 'read' } as const
  // Without layers there is no neighbour to sum.
  const term = layers > 0 ? OF_TABLE : NOTHING
  const table: Shader['buffers'] = { graph: 'read', ...(layers > 0 && { before: 'read' }) }
  const parameters = {
    embeddings: 'read_write',
    mean: 'read_write',
    square: 'read_write',
    scaled: 'read_write',
  } as const
  switch (name) {
    case 'pieces':
      return {
        ...PIECES,
        term,
        finish: 'before[at] = sum;',
        buffers: { graph: 'read', before: 'read_write' },
      }
    case 'forward':
      return {
        ...ALL,
        term,
        finish: 'let scale = scaleOf(node); after[at] = scaled[at] + (scale * scale) * sum;',
        buffers: { ...table, scaled: 'read', after: 'read_write' },
      }
    case 'final of batch':
      return {
        ...BATCH,
        term,
        finish: `batchFinals[row.place * shape.width + lane] = ${SETTLED};`,
        buffers: { ...table, embeddings: 'read', blocks: 'read', batchFinals: 'read_write' },
      }
    case 'final of all':
      return {
        ...ALL,
        term,
        finish: `finals[at] = ${SETTLED};`,
        buffers: { ...table, embeddings: 'read', finals: 'read_write' },
      }
    case 'slopes':
      return {
        rows: 'step.nodes',
        long: 'step.nodes * shape.wholeEntries',
        list: `${BATCH_NODE}
  let start = blocks[step.block + shape.blockStarts + place];
  let end = blocks[step.block + shape.blockStarts + place + 1u];`,
        term: ofEntries(penalisesVariance ? INFLUENCE : ''),
        finish: SLOPES,
        buffers: {
          blocks: 'read',
          coefficients: 'read',
          batchFinals: 'read',
          embeddings: 'read',
          slopes: 'read_write',
          marks: 'read_write',
          ...(penalisesVariance && { losses: 'read', told: 'read' }),
        },
      }
    case 'spread':
      return {
        rows: 'shape.nodes',
        long: '0u',
        list: 'let node = place; let start = 0u; let end = 0u;',
        term: NOTHING,
        finish: SPREAD,
        buffers: { ...ofBatch, after: 'read_write' },
      }
    case 'back':
      return { ...ALL, term, finish: BACK, buffers: { ...table, ...ofBatch, after: 'read_write' } }
    case 'adam':
      return { ...ALL, term, finish: ADAM, buffers: { ...table, ...ofBatch, ...parameters } }
  }
}
