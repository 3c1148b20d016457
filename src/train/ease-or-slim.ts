import type { Graph } from '../graph/graph.js'
import { easeWork } from '../model/ease-work.js'
import { TRY_BUDGET } from './choose-parameters.js'

/**
 * EASE, or SLIM where one solution of EASE takes longer than all tries may: it is EASE among the neighbours of each item.
 * How long EASE takes follows from the number of items, not from the clock, so that the same log gives the same model.
 */
export const easeOrSlim = (graph: Graph): 'ease' | 'slim' =>
  easeWork(graph).multiplications > TRY_BUDGET ? 'slim' : 'ease'
