import { z } from 'zod'
import { RECOMMENDATIONS_SCHEMA, type Recommendations } from '../model/recommendations.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { nameIn } from './name-in.js'
import { count } from './numbers.js'

/** What `hindcast recommend` writes as JSON. */
export const recommendationsSchema: z.ZodType<Recommendations> = z.strictObject({
  schema: z.literal(RECOMMENDATIONS_SCHEMA),
  model: nameIn(TRAINED_MODELS),
  user: z.string().nullable(),
  clicks: z.array(z.string()),
  includesClicked: z.boolean(),
  recommended: z.array(z.strictObject({ rank: count.int().min(1), item: z.string(), score: z.number() })),
})
