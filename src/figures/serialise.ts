const geometry = new Set('cx cy r x y x1 x2 y1 y2 dx dy width height d transform points'.split(' '))

/**
 * An SVG element as XML text, the same in Node and in a browser. Coordinates are rounded to hundredths of
 * a pixel, so that the last bit of a logarithm on another machine changes nothing.
 */
export function serialise(element: Element): string {
  let attributes = ''
  // Documents differ in the order they keep attributes in.
  for (const { name, value } of Array.from(element.attributes).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    attributes += ` ${name}="${escapeXml(geometry.has(name) ? roundNumbers(value) : value)}"`
  }
  let content = ''
  for (const child of Array.from(element.childNodes)) {
    if (child.nodeType === 1) content += serialise(child as Element)
    else if (child.nodeType === 3) content += escapeXml(child.textContent ?? '')
  }
  const name = element.localName
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
}

const roundNumbers = (text: string): string =>
  text.replace(/-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+/g, (digits) =>
    String(Math.round(Number(digits) * 100) / 100 + 0),
  )

/** Text made safe for XML and HTML, in an element or between double quotes; characters XML forbids become U+FFFD. */
export function escapeXml(text: string): string {
  return (
    text
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&#39;')
      .replace(/[\ud800-\udfff]/gu, '\ufffd')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  )
}
