const encoder = new TextEncoder()

/** Rotations of the 64 steps, four for each of the four rounds. */
const ROTATIONS = Int32Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21)

/** 2³²·|sin(k + 1)| of the 64 steps (RFC 1321), written out so that no engine's sine can differ. */
const SINES = Int32Array.from(
  (
    'd76aa478e8c7b756242070dbc1bdceeef57c0faf4787c62aa8304613fd469501698098d88b44f7afffff5bb1895cd7be6b901122fd987193a679438e49b40821' +
    'f61e2562c040b340265e5a51e9b6c7aad62f105d02441453d8a1e681e7d3fbc821e1cde6c33707d6f4d50d87455a14eda9e3e905fcefa3f8676f02d98d2a4c8a' +
    'fffa39428771f6816d9d6122fde5380ca4beea444bdecfa9f6bb4b60bebfbc70289b7ec6eaa127fad4ef308504881d05d9d4d039e6db99e51fa27cf8c4ac5665' +
    'f4292244432aff97ab9423a7fc93a039655b59c38f0ccc92ffeff47d85845dd16fa87e4ffe2ce6e0a30143144e0811a1f7537e82bd3af2352ad7d2bbeb86d391'
  ).match(/.{8}/g)!,
  (digits) => Number.parseInt(digits, 16) | 0,
)

const words = new Int32Array(16)
const short = new Uint8Array(64)

/**
 * The first 16 bits of the MD5 of a text's UTF-8 bytes, 0 … 65,535: what every database has, so that all of them deal
 * ids into the same buckets. It hides nothing and is meant to hide nothing.
 */
export function md5Bucket(text: string): number {
  const { length, bytes } = encoded(text)
  let a0 = 0x67452301
  let b0 = 0xefcdab89 | 0
  let c0 = 0x98badcfe | 0
  let d0 = 0x10325476
  const blocks = ((length + 8) >>> 6) + 1
  for (let block = 0; block < blocks; block++) {
    words.fill(0)
    for (let k = 64 * block; k < Math.min(length, 64 * block + 64); k++)
      words[(k & 63) >>> 2]! |= bytes[k]! << ((k & 3) << 3)
    if (length >>> 6 === block) words[(length & 63) >>> 2]! |= 0x80 << ((length & 3) << 3)
    if (block === blocks - 1) {
      words[14] = length << 3
      words[15] = length >>> 29
    }
    let a = a0
    let b = b0
    let c = c0
    let d = d0
    // A loop for each round: which round it is need not be asked at every step.
    for (let step = 0; step < 16; step++) {
      const next = turned(a + ((b & c) | (~b & d)) + SINES[step]! + words[step]!, ROTATIONS[step & 3]!)
      a = d
      d = c
      c = b
      b = (b + next) | 0
    }
    for (let step = 16; step < 32; step++) {
      const word = words[(5 * step + 1) & 15]!
      const next = turned(a + ((d & b) | (~d & c)) + SINES[step]! + word, ROTATIONS[4 | (step & 3)]!)
      a = d
      d = c
      c = b
      b = (b + next) | 0
    }
    for (let step = 32; step < 48; step++) {
      const word = words[(3 * step + 5) & 15]!
      const next = turned(a + (b ^ c ^ d) + SINES[step]! + word, ROTATIONS[8 | (step & 3)]!)
      a = d
      d = c
      c = b
      b = (b + next) | 0
    }
    for (let step = 48; step < 64; step++) {
      const word = words[(7 * step) & 15]!
      const next = turned(a + (c ^ (b | ~d)) + SINES[step]! + word, ROTATIONS[12 | (step & 3)]!)
      a = d
      d = c
      c = b
      b = (b + next) | 0
    }
    a0 = (a0 + a) | 0
    b0 = (b0 + b) | 0
    c0 = (c0 + c) | 0
    d0 = (d0 + d) | 0
  }
  return ((a0 & 0xff) << 8) | ((a0 >>> 8) & 0xff)
}

/** A word turned to the left. */
function turned(sum: number, by: number): number {
  const word = sum | 0
  return (word << by) | (word >>> (32 - by))
}

/** Short texts, as ids are, without a new array. */
function encoded(text: string): { length: number; bytes: Uint8Array } {
  if (text.length * 3 > short.length) {
    const bytes = encoder.encode(text)
    return { length: bytes.length, bytes }
  }
  let length = 0
  for (; length < text.length; length++) {
    const unit = text.charCodeAt(length)
    if (unit > 127) return { length: encoder.encodeInto(text, short).written, bytes: short }
    short[length] = unit
  }
  return { length, bytes: short }
}
