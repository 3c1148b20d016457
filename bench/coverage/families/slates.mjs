import { slateWorld } from '../slate-world.mjs'

/** Estimators by what they assume: the items above a slot matter (cascade), or only the slot's own. */
const CASCADE = ['rips', 'snrips', 'cascade-dr']
const OWN_ITEM = ['iips', 'pi']

const cellsOf = (slots, pages, essRatios) =>
  ['without repetition', 'slot by slot'].flatMap((draws) =>
    ['cascade', 'own item'].flatMap((rewards) =>
      essRatios.flatMap((essRatio) => {
        const cell = { slots, pages, draws, rewards, essRatio }
        const name = `${slots} positions, ${pages} pages, ${draws}, rewards by ${rewards}, page ESS/n ${essRatio}`
        const conditional = { ...cell, name, estimators: CASCADE, slatePropensities: 'conditional' }
        if (draws !== 'slot by slot' || rewards !== 'own item') return [conditional]
        const marginal = { estimators: OWN_ITEM, slatePropensities: 'marginal' }
        return [conditional, { ...cell, name: `${name}, marginal`, ...marginal }]
      }),
    ),
  )

const family = (slots, pages, essRatios, use) => ({
  name: `slates-${slots}`,
  title: `Pages of ${slots}, two per user; drawn without repetition (Plackett–Luce) or slot by slot`,
  use,
  estimators: CASCADE,
  cells: pages.flatMap((count) => cellsOf(slots, count, essRatios)),
  world: slateWorld,
})

export const slates4 = family(4, [500, 2000], [0.5, 0.15], 'found')
export const slates10 = family(10, [800], [0.5, 0.15, 0.03], 'tested')
