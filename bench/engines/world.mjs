// The table of the bench, as a query that makes it inside an engine: users with a dozen rows each, a thousand items drawn
// with the propensities that are logged, clicks, and the times of ten days.

export const ITEMS = 1000
export const usersOf = (rows) => Math.max(100, Math.round(rows / 12))

/** The query, from one with a row for each impression and two random numbers u and x. `double` casts to a double. */
export const impressions = (rows, { from, double, whole, random }) => `
  SELECT ${whole(`floor(${random} * ${usersOf(rows)})`)} AS user_id, ${whole('a')} AS item_id,
    ${double(`CASE WHEN x < 0.02 + 0.00006 * a THEN 1 ELSE 0 END`)} AS reward,
    sqrt((a + 1) / ${ITEMS}.0) - sqrt(a / ${ITEMS}.0) AS propensity,
    1.7e12 + floor(${random} * 864000000) AS shown_at
  FROM (SELECT ${double(`floor(${ITEMS} * u * u)`)} AS a, x FROM (${from}) AS drawn) AS shown`

/** The plainest query for the sums of each user, wrapped so that all of it is computed and one row comes back. */
export const plainest = (table, double) => `
  SELECT ${['count(*)', 'max(user_id)', 'sum(wr)', 'sum(w)', 'sum(ww)'].map(double).join(', ')}
  FROM (SELECT user_id, sum(w * reward) AS wr, sum(w) AS w, sum(w * w) AS ww
    FROM (SELECT user_id, reward, ${double('0.001')} / propensity AS w FROM ${table}) AS weighed GROUP BY user_id) AS by_user`

export const double = (value) => `CAST(${value} AS DOUBLE PRECISION)`
