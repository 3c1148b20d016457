const kept = new Map()

/** Ids of users, items or pages; made once. */
export function ids(kind, count) {
  const key = `${kind} ${count}`
  if (!kept.has(key))
    kept.set(
      key,
      Array.from({ length: count }, (_, k) => `${kind}${k}`),
    )
  return kept.get(key)
}

/** A log of Hindcast from columns; further columns (time, slate, target …) stay as they are. */
export const logOf = ({ users, items, ...columns }) => ({
  rows: columns.user.length,
  userIds: ids('u', users),
  itemIds: ids('i', items),
  catalogueKnown: true,
  propensitySource: 'logged',
  ...columns,
})

/** A target with the given probabilities, the same for all users. */
export const sameForAll = (name, probabilities) => ({
  kind: 'policy',
  policy: {
    name,
    items: probabilities.length,
    probabilities: () => probabilities,
    sample: () => {
      throw new Error('A simulated target is not drawn from.')
    },
    groupOf: () => 0,
  },
})

/** A target with the given probabilities for users of each type. */
export const byType = (name, tables, typeOf) => ({
  kind: 'policy',
  policy: {
    ...sameForAll(name, tables[0]).policy,
    probabilities: (user) => tables[typeOf[user]],
    groupOf: (user) => typeOf[user],
  },
})
