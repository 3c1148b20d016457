import { z } from 'zod'
import { MODEL_SCHEMA, type ModelCard } from '../model/model-card.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { stamp } from './made.js'
import { count, nameIn, nullableNumber } from './numbers.js'
import { RECOMMENDATIONS_SCHEMA, type Recommendations } from '../model/recommendations.js'

/** The model.json of a saved model. */
export const modelSchema: z.ZodType<ModelCard> = z.strictObject({
  schema: z.literal(MODEL_SCHEMA),
  kind: nameIn(TRAINED_MODELS),
  dim: count.int(),
  layers: count.int(),
  features: z.array(z.string()).exactOptional(),
  users: count.int(),
  items: count.int(),
  userIds: z.array(z.string()),
  itemIds: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
  seed: count.int(),
  versions: z.strictObject({ hindcast: z.string(), node: z.string().exactOptional() }),
  epoch: count.int(),
  metrics: z.record(z.string(), nullableNumber),
  made: stamp.extend({ file: z.string().exactOptional() }).exactOptional(),
  embeddings: z.strictObject({
    file: z.string(),
    bytes: count.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
})

/** What `hindcast recommend` writes as JSON. */
export const recommendationsSchema: z.ZodType<Recommendations> = z.strictObject({
  schema: z.literal(RECOMMENDATIONS_SCHEMA),
  model: nameIn(TRAINED_MODELS),
  user: z.string().nullable(),
  clicks: z.array(z.string()),
  includesClicked: z.boolean(),
  recommended: z.array(z.strictObject({ rank: count.int().min(1), item: z.string(), score: z.number() })),
})
