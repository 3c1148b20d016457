import { tastesWorld } from 'hindcast'
import { realRatings, type Ratings } from './ratings.js'

/** Ratings of 60 users and 50 items that are quick to make. */
export function exampleRatings(): Ratings {
  const log = tastesWorld({ users: 60, items: 50, exposures: 20, clickRate: 0.4 }).draw()
  const { propensity: _, ...ratings } = log
  return realRatings({ ...ratings, propensitySource: 'none' }, 'made-up ratings')
}
