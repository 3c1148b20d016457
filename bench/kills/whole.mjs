/** Whether a file that differs from run to run, by a time or a date in it, is whole. */
export function isWhole(name, bytes) {
  const text = () => bytes.toString('utf8')
  if (name.endsWith('.json')) return isJson(text())
  if (name.endsWith('.ndjson')) return text().endsWith('\n') && text().trimEnd().split('\n').every(isJson)
  if (name.endsWith('.html')) return /<\/html>\s*$/.test(text())
  if (name.endsWith('.safetensors')) return isSafetensors(bytes)
  return text().endsWith('\n')
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The header says how many bytes follow it. */
function isSafetensors(bytes) {
  if (bytes.length < 8) return false
  const length = Number(bytes.readBigUInt64LE(0))
  const header = bytes.subarray(8, 8 + length).toString('utf8')
  if (!isJson(header)) return false
  const ends = Object.values(JSON.parse(header)).flatMap(({ data_offsets: offsets }) => offsets ?? [])
  return bytes.length === 8 + length + Math.max(0, ...ends)
}
