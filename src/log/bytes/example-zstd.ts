/** Bytes as a zstd frame of raw blocks: what decoders must open, though nothing is smaller. */
export function zstdOf(bytes: Uint8Array): Uint8Array {
  const size = new Uint8Array(new Uint32Array([bytes.length]).buffer)
  // A single segment, whose size has four bytes.
  const frame: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000), size]
  const BLOCK = 100_000
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const header = (block.length << 3) | Number(at + BLOCK >= bytes.length)
    frame.push(Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), block)
  }
  return Buffer.concat(frame)
}
