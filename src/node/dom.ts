import { parseHTML } from 'linkedom'

/** An empty document to draw figures in, since Node has none. */
export function createDocument(): Document {
  return parseHTML('<!doctype html><html><head></head><body></body></html>').document as unknown as Document
}
