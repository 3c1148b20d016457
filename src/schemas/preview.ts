import { z } from 'zod'
import { COLUMNS, type Column } from '../log/columns.js'
import { PREVIEW_SCHEMA, type Preview } from '../read/preview.js'
import { count } from './numbers.js'

const column = z.custom<Column>((name) => (COLUMNS as readonly unknown[]).includes(name))
const sureness = z.enum(['sure', 'likely', 'unsure'])

/** What `hindcast preview` writes as JSON. */
export const previewSchema: z.ZodType<Preview> = z.strictObject({
  schema: z.literal(PREVIEW_SCHEMA),
  file: z.string(),
  bytes: count.int(),
  container: z.strictObject({
    kind: z.enum(['csv', 'ndjson', 'parquet', 'records']),
    delimiter: z.string().exactOptional(),
    wraps: z.array(z.enum(['gzip', 'zstd', 'utf-16le', 'utf-16be', 'json-array'])),
    header: z.boolean(),
  }),
  rows: count.int(),
  totalRows: count.int().exactOptional(),
  raw: z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string().nullable())),
  }),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      samples: z.array(z.string()),
      content: z.enum([
        'unseen',
        'nothing',
        'zeros-and-ones',
        'yes-and-no',
        'probabilities',
        'times',
        'row-numbers',
        'whole-numbers',
        'numbers',
        'text',
      ]),
      isNested: z.boolean().exactOptional(),
      isList: z.boolean().exactOptional(),
    }),
  ),
  format: z.strictObject({ name: z.string(), sureness, why: z.string() }),
  guesses: z.array(
    z.strictObject({
      column,
      names: z.array(z.string()),
      why: z.enum(['name', 'synonym', 'values']),
      sureness,
    }),
  ),
  missing: z.array(
    z.strictObject({
      column,
      candidates: z.array(z.string()),
      values: z.array(z.string()).exactOptional(),
      remedy: z.string(),
    }),
  ),
  events: z
    .strictObject({
      kinds: z.strictObject({
        column: z.string(),
        decisions: z.array(z.string()),
        outcomes: z.array(z.string()),
      }),
      decision: z.string(),
      outcome: z.string(),
      columns: z.record(z.string(), z.string()),
    })
    .exactOptional(),
  notes: z.array(z.string()),
  options: z.strictObject({
    format: z.string().exactOptional(),
    columns: z.record(z.string(), z.string()).exactOptional(),
    header: z.union([z.array(z.string()), z.enum(['first', 'none'])]).exactOptional(),
  }),
})
