-- Sums.
-- The rows of the log: who was shown what, with which reward and probability.
WITH cells AS NOT MATERIALIZED (
  SELECT
    nullif(CAST("user_id" AS VARCHAR), '') AS c_user,
    nullif(CAST("sku" AS VARCHAR), '') AS c_item,
    CAST("clicked" AS DOUBLE) AS c_reward,
    CAST("p" AS DOUBLE) AS c_propensity,
    CAST(epoch_us("shown_at") AS DOUBLE) / 1000 AS c_time
  FROM "shop"."impressions"
),
-- How often each item was shown, and the sum of 1/propensity, which is the number of all rows if propensities are right.
item_rows AS (
  SELECT
    c_item AS shown_item,
    CAST(count(*) AS DOUBLE) AS shown,
    sum(CASE WHEN c_propensity >= CAST('1e-50' AS DOUBLE) THEN CAST('1' AS DOUBLE) / c_propensity END) AS inverses,
    min(c_propensity) AS least_b,
    max(c_time) AS latest
  FROM cells
  GROUP BY c_item
),
-- One row: how many rows and items there are, the latest time, the least probability.
counts AS (
  SELECT
    coalesce(sum(shown), CAST('0' AS DOUBLE)) AS row_count,
    CAST(count(shown_item) AS DOUBLE) AS item_count,
    min(least_b) AS least_b,
    max(latest) AS latest,
    CASE WHEN max(latest) >= CAST('100000000000000000' AS DOUBLE) THEN CAST('86400000000000' AS DOUBLE) WHEN max(latest) >= CAST('100000000000000' AS DOUBLE) THEN CAST('86400000000' AS DOUBLE) WHEN max(latest) >= CAST('100000000000' AS DOUBLE) THEN CAST('86400000' AS DOUBLE) WHEN max(latest) >= CAST('100000000' AS DOUBLE) THEN CAST('86400' AS DOUBLE) END AS day_length
  FROM item_rows
),
-- The rows of the policy.
policy_cells AS (
  SELECT
    "u" AS user_id,
    "i" AS item_id,
    "p" AS p
  FROM "shop"."policy"
),
-- Each item of it once, with how often it is listed and whether its probability is one.
policy_pairs AS (
  SELECT
    user_id,
    item_id,
    sum(CASE WHEN p >= CAST('0' AS DOUBLE) AND p <= CAST('1' AS DOUBLE) THEN p ELSE CAST('0' AS DOUBLE) END) AS pair_p,
    CAST(count(*) AS DOUBLE) AS times,
    CAST(sum(CASE WHEN item_id IS NULL OR user_id IS NULL OR NOT (p IS NOT NULL AND NOT isnan(p)) OR NOT coalesce(p >= CAST('0' AS DOUBLE) AND p <= CAST('1' AS DOUBLE), 1 = 0) THEN 1 ELSE 0 END) AS DOUBLE) AS unsound
  FROM policy_cells
  GROUP BY user_id, item_id
),
-- The same, divided by their sum.
policy_rows AS (
  SELECT
    user_id,
    item_id,
    pair_p / nullif(sum(pair_p) OVER (PARTITION BY user_id), CAST('0' AS DOUBLE)) AS probability,
    sum(pair_p) OVER (PARTITION BY user_id) AS total,
    times,
    unsound
  FROM policy_pairs
),
-- The users that it has, and their sums.
policy_users AS (
  SELECT
    user_id,
    max(total) AS total
  FROM policy_rows
  GROUP BY user_id
),
-- The rows that break a rule; none, in a sound table.
unusable AS (
  SELECT
    'user ' || coalesce(CAST(in_user AS VARCHAR), 'missing') || ', ' || 'item ' || coalesce(CAST(in_item AS VARCHAR), 'missing') || ', ' || 'reward ' || coalesce(CAST(in_reward AS VARCHAR), 'missing') || ', ' || 'propensity ' || coalesce(CAST(in_propensity AS VARCHAR), 'missing') || ', ' || 'time ' || coalesce(CAST(in_time AS VARCHAR), 'missing') AS told,
    fault_0,
    fault_1,
    fault_2,
    fault_3,
    fault_4,
    fault_5,
    fault_6,
    fault_7,
    fault_8,
    fault_9,
    fault_10
  FROM (SELECT grouped_by AS cluster, CAST('1' AS DOUBLE) AS number_of, in_reward AS r, CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END / in_propensity AS w, CAST(NULL AS DOUBLE) AS q, CAST(NULL AS DOUBLE) AS v, in_propensity AS b, in_time AS shown_at, CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND NOT isnan(in_reward) AND in_reward >= CAST('-1e+50' AS DOUBLE) AND in_reward <= CAST('1e+50' AS DOUBLE) AND NOT isnan(in_propensity) AND in_propensity >= CAST('1e-50' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND NOT isnan(in_time) AND in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE) AND CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END <= in_propensity * CAST('1e+50' AS DOUBLE) THEN 1 = 0 ELSE 1 = 1 END AS broken, 1 = 0 AS unpredicted, (in_user IS NULL) AS fault_0, (in_item IS NULL) AS fault_1, (NOT (in_reward IS NOT NULL AND NOT isnan(in_reward))) AS fault_2, ((in_reward IS NOT NULL AND NOT isnan(in_reward)) AND NOT (in_reward >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_reward <= CAST('1.7976931348623157e+308' AS DOUBLE))) AS fault_3, (NOT (in_propensity IS NOT NULL AND NOT isnan(in_propensity))) AS fault_4, ((in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND NOT (in_propensity >= CAST('5e-324' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE))) AS fault_5, (NOT (in_time IS NOT NULL AND NOT isnan(in_time))) AS fault_6, ((in_time IS NOT NULL AND NOT isnan(in_time)) AND NOT (in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE))) AS fault_7, ((in_reward IS NOT NULL AND NOT isnan(in_reward)) AND in_reward >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_reward <= CAST('1.7976931348623157e+308' AS DOUBLE) AND abs(in_reward) > CAST('1e+50' AS DOUBLE)) AS fault_8, ((in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND in_propensity >= CAST('5e-324' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND in_propensity < CAST('1e-50' AS DOUBLE)) AS fault_9, ((CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END IS NOT NULL AND NOT isnan(CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END)) AND (in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND in_propensity > CAST('0' AS DOUBLE) AND NOT (CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END <= in_propensity * CAST('1e+50' AS DOUBLE))) AS fault_10, log_rows.in_user, log_rows.in_item, log_rows.in_reward, log_rows.in_propensity, log_rows.in_time, log_rows.of_items, log_rows.shown_item, log_rows.place_shown, log_rows.shown_on, log_rows.other_cluster FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS DOUBLE) AS place_shown, CASE WHEN NOT isnan(cells.c_time) AND abs(cells.c_time) < CAST('10000000000000000000' AS DOUBLE) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS VARCHAR) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows LEFT JOIN policy_rows ON policy_rows.item_id = log_rows.in_item AND policy_rows.user_id = log_rows.in_user LEFT JOIN policy_users ON policy_users.user_id = log_rows.in_user) AS every_row
  WHERE broken
),
-- One row: how many there are, and how many break each rule.
faults AS (
  SELECT
    CAST(count(*) AS DOUBLE) AS broken_rows,
    CAST(count(CASE WHEN fault_0 THEN 1 END) AS DOUBLE) AS faults_0,
    CAST(count(CASE WHEN fault_1 THEN 1 END) AS DOUBLE) AS faults_1,
    CAST(count(CASE WHEN fault_2 THEN 1 END) AS DOUBLE) AS faults_2,
    CAST(count(CASE WHEN fault_3 THEN 1 END) AS DOUBLE) AS faults_3,
    CAST(count(CASE WHEN fault_4 THEN 1 END) AS DOUBLE) AS faults_4,
    CAST(count(CASE WHEN fault_5 THEN 1 END) AS DOUBLE) AS faults_5,
    CAST(count(CASE WHEN fault_6 THEN 1 END) AS DOUBLE) AS faults_6,
    CAST(count(CASE WHEN fault_7 THEN 1 END) AS DOUBLE) AS faults_7,
    CAST(count(CASE WHEN fault_8 THEN 1 END) AS DOUBLE) AS faults_8,
    CAST(count(CASE WHEN fault_9 THEN 1 END) AS DOUBLE) AS faults_9,
    CAST(count(CASE WHEN fault_10 THEN 1 END) AS DOUBLE) AS faults_10
  FROM unusable
),
-- Up to 5 of them, so that they can be found.
examples AS (
  SELECT
    told
  FROM unusable
  LIMIT 5
),
-- Each row with its reward r, its weight w (the probability under the target policy divided by the logged one), and its probability b.
weighed AS (
  SELECT
    grouped_by AS cluster,
    CAST('1' AS DOUBLE) AS number_of,
    in_reward AS r,
    CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END / in_propensity AS w,
    CAST(NULL AS DOUBLE) AS q,
    CAST(NULL AS DOUBLE) AS v,
    in_propensity AS b,
    in_time AS shown_at,
    CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND NOT isnan(in_reward) AND in_reward >= CAST('-1e+50' AS DOUBLE) AND in_reward <= CAST('1e+50' AS DOUBLE) AND NOT isnan(in_propensity) AND in_propensity >= CAST('1e-50' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND NOT isnan(in_time) AND in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE) AND CASE WHEN policy_users.user_id IS NULL THEN in_propensity ELSE coalesce(policy_rows.probability, CAST('0' AS DOUBLE)) END <= in_propensity * CAST('1e+50' AS DOUBLE) THEN 1 = 0 ELSE 1 = 1 END AS broken,
    1 = 0 AS unpredicted,
    log_rows.of_items,
    log_rows.shown_item,
    log_rows.place_shown,
    log_rows.shown_on,
    log_rows.other_cluster
  FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS DOUBLE) AS place_shown, CASE WHEN NOT isnan(cells.c_time) AND abs(cells.c_time) < CAST('10000000000000000000' AS DOUBLE) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS VARCHAR) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows LEFT JOIN policy_rows ON policy_rows.item_id = log_rows.in_item AND policy_rows.user_id = log_rows.in_user LEFT JOIN policy_users ON policy_users.user_id = log_rows.in_user
),
-- One row: counts and extremes.
facts AS (
  SELECT
    max(w) AS fact_max_weight,
    min(CASE WHEN w > CAST('0' AS DOUBLE) THEN w END) AS fact_least_weight,
    max(w) AS fact_heaviest,
    sum(w) AS fact_total_weight,
    min(b) AS fact_least_propensity,
    max(b) AS fact_most_propensity,
    CAST(count(CASE WHEN b = least_b THEN 1 END) AS DOUBLE) AS fact_at_least_propensity,
    CAST(count(CASE WHEN b < tiny THEN 1 END) AS DOUBLE) AS fact_tiny_propensity,
    min(r) AS fact_least_reward,
    max(r) AS fact_most_reward,
    CAST(count(CASE WHEN r <> CAST('0' AS DOUBLE) AND r <> CAST('1' AS DOUBLE) THEN 1 END) AS DOUBLE) AS fact_other_rewards,
    max(place_shown) AS fact_most_position,
    CAST('0' AS DOUBLE) AS fact_beyond_position
  FROM weighed CROSS JOIN (SELECT least_b, CAST('0.000001' AS DOUBLE) / (row_count * greatest(item_count, CAST('10000' AS DOUBLE))) AS tiny FROM counts) AS limits
),
-- Weights above zero, by size: 100 steps for each factor of ten.
weight_sized AS (
  SELECT
    w AS x,
    CASE WHEN w > CAST('0' AS DOUBLE) THEN CAST(floor(ln(w) * CAST('43.42944819032518' AS DOUBLE) + CAST('1e-9' AS DOUBLE)) AS DOUBLE) END AS step
  FROM weighed
  WHERE w > CAST('0' AS DOUBLE)
),
-- How many weights each step has, and their sum.
weight_counted AS (
  SELECT
    step,
    CAST(count(*) AS DOUBLE) AS n,
    sum(x) AS total
  FROM weight_sized
  GROUP BY step
),
-- The same, with how many weights are in this step or above.
weight_bins AS (
  SELECT
    step,
    n,
    total,
    row_count,
    sum(n) OVER (ORDER BY step DESC) AS upto,
    sum(n) OVER () AS positive
  FROM weight_counted CROSS JOIN counts
),
-- For each rank that is wanted, which steps lie above it and which one holds it.
weight_ranks AS (
  SELECT
    wanted,
    sum(CASE WHEN upto < rank_wanted THEN total ELSE CAST('0' AS DOUBLE) END) AS above,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN step END) AS step,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN rank_wanted - (upto - n) END) AS remaining
  FROM (SELECT wanted, step, n, total, upto, CASE WHEN wanted = 'median' THEN positive - CAST(floor((positive + CAST('1' AS DOUBLE)) / CAST('2' AS DOUBLE)) AS DOUBLE) + CAST('1' AS DOUBLE) WHEN wanted = 'top' THEN greatest(CAST('1' AS DOUBLE), CAST(ceil(row_count / CAST('100' AS DOUBLE)) AS DOUBLE)) END AS rank_wanted FROM weight_bins CROSS JOIN (SELECT CAST('median' AS VARCHAR) AS wanted UNION ALL SELECT CAST('top' AS VARCHAR) AS wanted) AS names) AS each_rank
  GROUP BY wanted
),
-- The different weights of those steps, and how often each occurs.
weight_near AS (
  SELECT
    wanted,
    x,
    max(remaining) AS remaining,
    CAST(count(*) AS DOUBLE) AS n
  FROM weight_sized JOIN weight_ranks ON weight_sized.step = weight_ranks.step
  GROUP BY wanted, x
),
-- The same in order.
weight_ordered AS (
  SELECT
    wanted,
    x,
    remaining,
    n,
    sum(n) OVER (PARTITION BY wanted ORDER BY x DESC) AS upto
  FROM weight_near
),
-- The sum of what is needed of those steps, and the weight at each rank.
weight_edges AS (
  SELECT
    wanted,
    sum(CASE WHEN upto <= remaining THEN n * x WHEN upto - n < remaining THEN (remaining - (upto - n)) * x ELSE CAST('0' AS DOUBLE) END) AS rest,
    max(CASE WHEN upto >= remaining THEN x END) AS edge_value
  FROM weight_ordered
  GROUP BY wanted
),
-- One row: down to which step the tail reaches, and how many weights it has.
tail_start AS (
  SELECT
    max(CASE WHEN upto >= tail_size THEN step END) AS last_step,
    max(tail_size) AS tail_size
  FROM (SELECT step, upto, least(row_count * CAST('0.2' AS DOUBLE), CAST('3' AS DOUBLE) * sqrt(row_count)) + CAST('2' AS DOUBLE) AS tail_size FROM weight_bins) AS sized_bins
),
-- The weights of those steps, the largest first.
largest_weights AS (
  SELECT
    x,
    tail_size
  FROM weight_sized CROSS JOIN tail_start
  WHERE last_step IS NULL OR step >= last_step
  ORDER BY x DESC
  LIMIT 65536
),
-- As many of them as the tail has.
tail AS (
  SELECT
    x
  FROM (SELECT x, tail_size, CAST(row_number() OVER (ORDER BY x DESC) AS DOUBLE) AS place FROM largest_weights) AS ordered_weights
  WHERE place <= tail_size
),
-- Sums by user.
by_user AS (
  SELECT
    cluster AS cluster,
    CAST(count(*) AS DOUBLE) AS n,
    CAST(count(CASE WHEN r > CAST('0' AS DOUBLE) THEN 1 END) AS DOUBLE) AS clicked,
    sum(w) AS s0,
    sum((w * r)) AS s1
  FROM weighed
  GROUP BY cluster
),
-- How many there are.
user_number AS (
  SELECT
    CAST(count(*) AS DOUBLE) AS group_count
  FROM by_user
),
-- Each with its bucket: for an id of digits, what is left of it divided by 65,521, times 40,503, divided again; for any other, the first four hexadecimal digits of its MD5.
user_buckets AS (
  SELECT
    cluster,
    CAST(cluster AS VARCHAR) AS own_id,
    CASE WHEN length(CAST(cluster AS VARCHAR)) BETWEEN 1 AND 18 AND translate(CAST(cluster AS VARCHAR), '0123456789', '') = '' THEN mod(mod(CAST(CAST(cluster AS VARCHAR) AS BIGINT), 65521) * 40503, 65521) ELSE CAST('0x' || substr(md5(CAST(cluster AS VARCHAR)), 1, 4) AS INTEGER) END AS bucket,
    s0,
    s1
  FROM by_user
),
-- Where there are at most 65,536: the sums of each, and its place in the bucket.
each_user AS (
  SELECT
    bucket,
    row_number() OVER (PARTITION BY bucket ORDER BY own_id) AS place,
    s0,
    s1
  FROM user_buckets CROSS JOIN user_number
  WHERE group_count <= CAST('65536' AS DOUBLE)
),
-- Where there are more: the sums of each bucket.
buckets_by_user AS (
  SELECT
    bucket,
    sum(s0) AS s0,
    sum(s1) AS s1
  FROM user_buckets CROSS JOIN user_number
  WHERE group_count > CAST('65536' AS DOUBLE)
  GROUP BY bucket
),
-- How many users had no, one, two and three clicks, by the power of two of their rows.
activity AS (
  SELECT
    power,
    clicked,
    CAST(count(*) AS DOUBLE) AS user_number
  FROM (SELECT CAST(floor(ln(n) / CAST('0.6931471805599453' AS DOUBLE) + CAST('1e-9' AS DOUBLE)) AS DOUBLE) AS power, clicked FROM by_user WHERE n >= CAST('2' AS DOUBLE) AND clicked <= CAST('3' AS DOUBLE)) AS few_clicks
  GROUP BY power, clicked
),
-- Items with a sum above that, and the bet that would gain most from it.
items_above AS (
  SELECT
    shown_item,
    shown,
    inverses,
    row_count,
    judged,
    CASE WHEN inverses > row_count THEN shown * (CAST('1' AS DOUBLE) - row_count / inverses) / greatest(row_count - shown, CAST('1e-9' AS DOUBLE) * row_count) END AS stake
  FROM (SELECT item_rows.*, CAST(sum(CASE WHEN shown >= CAST('5' AS DOUBLE) THEN 1 ELSE 0 END) OVER () AS DOUBLE) AS judged, row_count FROM item_rows CROSS JOIN counts) AS all_items
  WHERE shown >= CAST('5' AS DOUBLE) AND inverses > CAST('1.05' AS DOUBLE) * row_count
),
-- Those of them that chance may not explain.
suspects AS (
  SELECT
    shown_item,
    shown,
    inverses,
    row_count,
    judged,
    exp(-CAST('0.6931471805599453' AS DOUBLE) * greatest(CAST('0' AS DOUBLE), least(CAST('31' AS DOUBLE), CAST(floor(CAST('0.5' AS DOUBLE) - ln(stake) / CAST('0.6931471805599453' AS DOUBLE)) AS DOUBLE)))) AS bet
  FROM (SELECT items_above.*, shown * ln(CAST('1' AS DOUBLE) + stake * inverses / shown) - row_count * ln(CAST('1' AS DOUBLE) + stake) AS most FROM items_above WHERE stake > CAST('0' AS DOUBLE)) AS weighed_items
  WHERE most > ln(judged / CAST('0.0001' AS DOUBLE))
  ORDER BY most DESC
  LIMIT 40
),
-- Their sums by user, and what bets of nine sizes gain.
suspect_users AS (
  SELECT
    weighed.shown_item AS shown_item,
    weighed.cluster,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN CAST('1' AS DOUBLE) / b END) AS own_inverses,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('0.0625' AS DOUBLE)) / b) END) AS gain_0,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('0.125' AS DOUBLE)) / b) END) AS gain_1,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('0.25' AS DOUBLE)) / b) END) AS gain_2,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('0.5' AS DOUBLE)) / b) END) AS gain_3,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('1' AS DOUBLE)) / b) END) AS gain_4,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('2' AS DOUBLE)) / b) END) AS gain_5,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('4' AS DOUBLE)) / b) END) AS gain_6,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('8' AS DOUBLE)) / b) END) AS gain_7,
    sum(CASE WHEN b > CAST('0' AS DOUBLE) THEN ln(CAST('1' AS DOUBLE) + least(CAST('1' AS DOUBLE), bet * CAST('16' AS DOUBLE)) / b) END) AS gain_8
  FROM weighed JOIN suspects ON weighed.shown_item = suspects.shown_item
  GROUP BY weighed.shown_item, weighed.cluster
),
-- The same by item; users who saw it again and again do not count as many.
suspect_sums AS (
  SELECT
    shown_item,
    sum(own_inverses * own_inverses - CAST('2' AS DOUBLE) * own_inverses * n) AS squares,
    sum(gain_0) AS gain_0,
    sum(gain_1) AS gain_1,
    sum(gain_2) AS gain_2,
    sum(gain_3) AS gain_3,
    sum(gain_4) AS gain_4,
    sum(gain_5) AS gain_5,
    sum(gain_6) AS gain_6,
    sum(gain_7) AS gain_7,
    sum(gain_8) AS gain_8
  FROM suspect_users JOIN by_user ON suspect_users.cluster = by_user.cluster
  GROUP BY shown_item
),
-- Some users, taken by the MD5 of their ids, so that they have about 65,536 rows together.
sampled_users AS (
  SELECT
    sampled
  FROM (SELECT cluster AS sampled, n, CAST(CAST('0x' || substr(md5(CAST(cluster AS VARCHAR)), 1, 4) AS INTEGER) AS DOUBLE) AS bucket, greatest(CAST('1' AS DOUBLE), least(CAST('65536' AS DOUBLE), CAST(ceil(row_count / CAST('65536' AS DOUBLE)) AS DOUBLE))) AS every FROM by_user CROSS JOIN counts) AS hashed_users
  WHERE bucket = every * floor((bucket / every)) AND n <= CAST('65536' AS DOUBLE)
),
-- Their rows, with a number for each user in place of the id.
sample_rows AS (
  SELECT
    CAST(dense_rank() OVER (ORDER BY sampled) AS DOUBLE) AS user_number,
    weighed.shown_item,
    weighed.r,
    weighed.b,
    weighed.place_shown,
    weighed.shown_at,
    weighed.number_of
  FROM weighed JOIN sampled_users ON weighed.cluster = sampled_users.sampled
)
-- All parts, one below the other; part_rows shows whether the result is whole.
SELECT part, id, CAST(count(*) OVER (PARTITION BY part) AS DOUBLE) AS part_rows,
  x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14
FROM (
  SELECT CAST('setting' AS VARCHAR) AS part, CAST('format=1' AS VARCHAR) AS id, CAST(NULL AS DOUBLE) AS x0, CAST(NULL AS DOUBLE) AS x1, CAST(NULL AS DOUBLE) AS x2, CAST(NULL AS DOUBLE) AS x3, CAST(NULL AS DOUBLE) AS x4, CAST(NULL AS DOUBLE) AS x5, CAST(NULL AS DOUBLE) AS x6, CAST(NULL AS DOUBLE) AS x7, CAST(NULL AS DOUBLE) AS x8, CAST(NULL AS DOUBLE) AS x9, CAST(NULL AS DOUBLE) AS x10, CAST(NULL AS DOUBLE) AS x11, CAST(NULL AS DOUBLE) AS x12, CAST(NULL AS DOUBLE) AS x13, CAST(NULL AS DOUBLE) AS x14
  UNION ALL
  SELECT CAST('setting' AS VARCHAR), CAST('target=uniform' AS VARCHAR), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
  UNION ALL
  SELECT CAST('setting' AS VARCHAR), CAST('exact' AS VARCHAR), CAST('0.3333333333333333' AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('rows' AS VARCHAR), row_count, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM counts
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('users' AS VARCHAR), CAST(count(cluster) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM by_user
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('items' AS VARCHAR), item_count, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM counts
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('latest_time' AS VARCHAR), latest, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM counts
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('broken' AS VARCHAR), broken_rows, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM faults
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('days' AS VARCHAR), CAST(count(DISTINCT shown_on) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM weighed
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST(CASE WHEN place = 0 THEN 'max_weight' WHEN place = 1 THEN 'least_weight' WHEN place = 2 THEN 'heaviest' WHEN place = 3 THEN 'total_weight' WHEN place = 4 THEN 'least_propensity' WHEN place = 5 THEN 'most_propensity' WHEN place = 6 THEN 'at_least_propensity' WHEN place = 7 THEN 'tiny_propensity' WHEN place = 8 THEN 'least_reward' WHEN place = 9 THEN 'most_reward' WHEN place = 10 THEN 'other_rewards' WHEN place = 11 THEN 'most_position' WHEN place = 12 THEN 'beyond_position' END AS VARCHAR), CAST(CASE WHEN place = 0 THEN fact_max_weight WHEN place = 1 THEN fact_least_weight WHEN place = 2 THEN fact_heaviest WHEN place = 3 THEN fact_total_weight WHEN place = 4 THEN fact_least_propensity WHEN place = 5 THEN fact_most_propensity WHEN place = 6 THEN fact_at_least_propensity WHEN place = 7 THEN fact_tiny_propensity WHEN place = 8 THEN fact_least_reward WHEN place = 9 THEN fact_most_reward WHEN place = 10 THEN fact_other_rewards WHEN place = 11 THEN fact_most_position WHEN place = 12 THEN fact_beyond_position END AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM facts CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place UNION ALL SELECT 11 AS place UNION ALL SELECT 12 AS place) AS fact_places
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('top_sum' AS VARCHAR), above + coalesce(rest, CAST('0' AS DOUBLE)), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'top'
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('median_weight' AS VARCHAR), edge_value, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'median'
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('policy_repeated' AS VARCHAR), CAST(sum(CASE WHEN times > CAST('1' AS DOUBLE) THEN 1 ELSE 0 END) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM policy_rows
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('policy_unsound' AS VARCHAR), CAST(sum(unsound) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM policy_rows
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('policy_off' AS VARCHAR), CAST(sum(CASE WHEN NOT coalesce(abs(total - CAST('1' AS DOUBLE)) <= CAST('0.0001' AS DOUBLE), 1 = 0) THEN 1 ELSE 0 END) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM policy_users
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('policy_largest_sum' AS VARCHAR), max(CASE WHEN NOT coalesce(abs(total - CAST('1' AS DOUBLE)) <= CAST('0.0001' AS DOUBLE), 1 = 0) THEN total END), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM policy_users
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('policy_missing_users' AS VARCHAR), CAST(sum(CASE WHEN policy_users.user_id IS NULL THEN 1 ELSE 0 END) AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM (SELECT DISTINCT c_user FROM cells WHERE c_user IS NOT NULL) AS log_users LEFT JOIN policy_users ON policy_users.user_id = log_users.c_user
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('unsupported_mass' AS VARCHAR), (SELECT sum(owners.n * CASE WHEN policy_users.user_id IS NULL THEN CAST('0' AS DOUBLE) ELSE coalesce(unseen_mass.mass, CAST('0' AS DOUBLE)) END) / sum(owners.n) FROM (SELECT cells.c_user AS user_id, CAST(count(*) AS DOUBLE) AS n FROM cells CROSS JOIN counts GROUP BY 1) AS owners
    LEFT JOIN policy_users ON policy_users.user_id = owners.user_id
    LEFT JOIN (SELECT policy_rows.user_id AS user_id, sum(policy_rows.probability) AS mass FROM policy_rows WHERE policy_rows.item_id IS NULL OR policy_rows.item_id NOT IN (SELECT item_id FROM (SELECT cells.c_item AS item_id FROM cells CROSS JOIN counts) AS shown_items WHERE item_id IS NOT NULL) GROUP BY policy_rows.user_id) AS unseen_mass ON unseen_mass.user_id = owners.user_id), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
  UNION ALL
  SELECT CAST('fault' AS VARCHAR), CAST(CASE WHEN place = 0 THEN 'user missing' WHEN place = 1 THEN 'item missing' WHEN place = 2 THEN 'reward missing' WHEN place = 3 THEN 'reward out-of-range' WHEN place = 4 THEN 'propensity missing' WHEN place = 5 THEN 'propensity out-of-range' WHEN place = 6 THEN 'time missing' WHEN place = 7 THEN 'time out-of-range' WHEN place = 8 THEN 'reward overflow' WHEN place = 9 THEN 'propensity underflow' WHEN place = 10 THEN 'w overflow' END AS VARCHAR), CAST(CASE WHEN place = 0 THEN faults_0 WHEN place = 1 THEN faults_1 WHEN place = 2 THEN faults_2 WHEN place = 3 THEN faults_3 WHEN place = 4 THEN faults_4 WHEN place = 5 THEN faults_5 WHEN place = 6 THEN faults_6 WHEN place = 7 THEN faults_7 WHEN place = 8 THEN faults_8 WHEN place = 9 THEN faults_9 WHEN place = 10 THEN faults_10 END AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM faults CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place) AS fault_places
  UNION ALL
  SELECT CAST('example' AS VARCHAR), told, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM examples
  UNION ALL
  SELECT CAST('histogram' AS VARCHAR), CAST(NULL AS VARCHAR), step, n, total, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM weight_bins
  UNION ALL
  SELECT CAST('largest' AS VARCHAR), CAST(NULL AS VARCHAR), x, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM tail
  UNION ALL
  SELECT CAST('group-1' AS VARCHAR), CAST(NULL AS VARCHAR), CAST(bucket AS DOUBLE), CAST(place AS DOUBLE), s0, s1, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM each_user
  UNION ALL
  SELECT CAST('group-1' AS VARCHAR), CAST(NULL AS VARCHAR), CAST(bucket AS DOUBLE), CAST('0' AS DOUBLE), s0, s1, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM buckets_by_user
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('squared_rows' AS VARCHAR), sum(n * n), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM by_user
  UNION ALL
  SELECT CAST('activity' AS VARCHAR), CAST(NULL AS VARCHAR), power, clicked, user_number, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM activity
  UNION ALL
  SELECT CAST('balance' AS VARCHAR), CAST(suspects.shown_item AS VARCHAR), shown, inverses, row_count, judged, bet, squares, gain_0, gain_1, gain_2, gain_3, gain_4, gain_5, gain_6, gain_7, gain_8 FROM suspects JOIN suspect_sums ON suspect_sums.shown_item = suspects.shown_item
  UNION ALL
  SELECT CAST('sample' AS VARCHAR), CAST(shown_item AS VARCHAR), user_number, r, b, CAST(NULL AS DOUBLE), shown_at, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM sample_rows
) AS all_parts
