import { ENTRANCE, type Shader } from './shader.js'

/** Users and items of a tile of scores; a workgroup computes one. */
export const TILE = 64

/** Users of an invocation, and items. */
const FOUR = [0, 1, 2, 3] as const

/** Words at the head of `asked`: how many users, how many items of each, and the first row of rankings; users follow. */
export const ASKED_HEAD = 3

/** Stands in the scores for an item that is left out: a NaN that no arithmetic makes. */
const LEFT_OUT = '0xffffffffu'

/**
 * Scores of all items for the asked users, as the bits of float32: products of two slabs of 64 rows, 16 columns at
 * a time in the memory of the workgroup, each invocation with four users and four items.
 */
export function scoreShader(): Shader {
  const code = /* wgsl */ `
const COLUMNS = 4u;

/** Puts down the scores of a user for every sixteenth item. */
fn keep(place: u32, item: u32, sum: vec4f) {
  if (place >= asked[0]) { return; }
  let at = place * shape.items + item;
  ${FOUR.map((k) => `if (item + ${16 * k}u < shape.items) { scores[at + ${16 * k}u] = bitcast<u32>(sum[${k}]); }`).join('\n  ')}
}

var<workgroup> users: array<vec4f, ${4 * TILE}>;
var<workgroup> items: array<vec4f, ${4 * TILE}>;

${ENTRANCE}
  let count = asked[0];
  let itemTiles = (shape.items + ${TILE - 1}u) / ${TILE}u;
  let firstUser = (group / itemTiles) * ${TILE}u;
  let firstItem = (group % itemTiles) * ${TILE}u;
  let x = thread % 16u;
  let y = thread / 16u;
  // Which element of the slabs this invocation fetches.
  let row = thread / COLUMNS;
  let column = thread % COLUMNS;
  ${FOUR.map((r) => `var sum${r} = vec4f();`).join(' ')}
  for (var first = 0u; first < shape.width; first += COLUMNS) {
    var user = vec4f();
    var item = vec4f();
    if (first + column < shape.width) {
      if (firstUser + row < count) {
        user = finals[asked[${ASKED_HEAD}u + firstUser + row] * shape.width + first + column];
      }
      if (firstItem + row < shape.items) {
        item = finals[(shape.users + firstItem + row) * shape.width + first + column];
      }
    }
    users[column * ${TILE}u + row] = user;
    items[column * ${TILE}u + row] = item;
    workgroupBarrier();
    for (var k = 0u; k < COLUMNS; k++) {
      let a = items[k * ${TILE}u + x];
      let b = items[k * ${TILE}u + x + 16u];
      let c = items[k * ${TILE}u + x + 32u];
      let d = items[k * ${TILE}u + x + 48u];
      ${FOUR.map((r) => `let u${r} = users[k * ${TILE}u + y + ${16 * r}u];`).join('\n      ')}
      ${FOUR.map((r) => `sum${r} += vec4f(dot(u${r}, a), dot(u${r}, b), dot(u${r}, c), dot(u${r}, d));`).join('\n      ')}
    }
    workgroupBarrier();
  }
  ${FOUR.map((r) => `keep(firstUser + y + ${16 * r}u, firstItem + x, sum${r});`).join('\n  ')}
}
`
  return { name: 'scores', buffers: { asked: 'read', finals: 'read', scores: 'read_write' }, code }
}

/** Takes excluded items out of the scores, one workgroup per user. */
export function excludeShader(): Shader {
  const code = /* wgsl */ `
${ENTRANCE}
  if (group >= asked[0]) { return; }
  let user = asked[${ASKED_HEAD}u + group];
  for (var k = excluded[user] + thread; k < excluded[user + 1u]; k += 256u) {
    scores[group * shape.items + excluded[shape.users + 1u + k]] = ${LEFT_OUT};
  }
}
`
  return { name: 'left out', buffers: { asked: 'read', excluded: 'read', scores: 'read_write' }, code }
}

/**
 * The best items of each user, one workgroup per user. Each invocation knows the best of every 256th item; the best of
 * those is ranked, and whoever had it looks for its next. Of equal scores the first item wins. A score of NaN
 * is reported in `failed`.
 */
export function rankShader(): Shader {
  const code = /* wgsl */ `
/** A number that is larger for larger scores, and above 0; −0 is 0. */
fn keyOf(word: u32) -> u32 {
  if ((word & 0x7fffffffu) == 0u) { return 0x80000000u; }
  return select(word | 0x80000000u, ~word, (word & 0x80000000u) != 0u);
}

/** A key and an item; a key of 0 is none. */
struct Candidate { key: u32, item: u32 }

fn isBefore(a: Candidate, b: Candidate) -> bool { return a.key > b.key || (a.key == b.key && a.item < b.item); }

/** The best of an invocation's items that comes after the last. */
fn nextAfter(last: Candidate, place: u32, thread: u32) -> Candidate {
  var best = Candidate(0u, 0xffffffffu);
  for (var item = thread; item < shape.items; item += 256u) {
    let word = scores[place * shape.items + item];
    if (word == ${LEFT_OUT}) { continue; }
    if ((word & 0x7fffffffu) > 0x7f800000u) { atomicMin(&failed[0], item); }
    let one = Candidate(keyOf(word), item);
    if (isBefore(last, one) && isBefore(one, best)) { best = one; }
  }
  return best;
}

var<workgroup> candidates: array<Candidate, 256>;

${ENTRANCE}
  let isUser = group < asked[0];
  let k = asked[1];
  let place = min(group, max(asked[0], 1u) - 1u);
  let out = (asked[2] + place) * k;
  var mine = nextAfter(Candidate(0xffffffffu, 0u), place, thread);
  for (var rank = 0u; rank < k; rank++) {
    candidates[thread] = mine;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
      if (thread < half && isBefore(candidates[thread + half], candidates[thread])) {
        candidates[thread] = candidates[thread + half];
      }
      workgroupBarrier();
    }
    let best = candidates[0];
    workgroupBarrier();
    if (thread == 0u && isUser) { ranked[out + rank] = best.item; }
    if (best.key > 0u && best.item % 256u == thread) { mine = nextAfter(best, place, thread); }
  }
}
`
  return {
    name: 'rankings',
    buffers: { asked: 'read', scores: 'read', ranked: 'read_write', failed: 'read_write' },
    code,
  }
}
