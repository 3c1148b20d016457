-- Sums.
-- The rows of the log: who was shown what, with which reward and probability.
WITH cells AS NOT MATERIALIZED (
  SELECT
    nullif(CAST("user_id" AS text) COLLATE "C", '') AS c_user,
    nullif(CAST("sku" AS text) COLLATE "C", '') AS c_item,
    CAST("clicked" AS double precision) AS c_reward,
    CAST("p" AS double precision) AS c_propensity,
    CAST(extract(epoch FROM CAST("shown_at" AS timestamp)) * 1000 AS double precision) AS c_time
  FROM "shop"."impressions"
),
-- How often each item was shown, and the sum of 1/propensity, which is the number of all rows if propensities are right.
item_rows AS (
  SELECT
    c_item AS shown_item,
    CAST(count(*) AS double precision) AS shown,
    sum(CASE WHEN c_propensity >= CAST('1e-50' AS double precision) THEN CAST('1' AS double precision) / c_propensity END) AS inverses,
    min(c_propensity) AS least_b,
    max(c_time) AS latest
  FROM cells
  GROUP BY c_item
),
-- One row: how many rows and items there are, the latest time, the least probability.
counts AS (
  SELECT
    coalesce(sum(shown), CAST('0' AS double precision)) AS row_count,
    CAST(count(shown_item) AS double precision) AS item_count,
    min(least_b) AS least_b,
    max(latest) AS latest,
    CASE WHEN max(latest) >= CAST('100000000000000000' AS double precision) THEN CAST('86400000000000' AS double precision) WHEN max(latest) >= CAST('100000000000000' AS double precision) THEN CAST('86400000000' AS double precision) WHEN max(latest) >= CAST('100000000000' AS double precision) THEN CAST('86400000' AS double precision) WHEN max(latest) >= CAST('100000000' AS double precision) THEN CAST('86400' AS double precision) END AS day_length
  FROM item_rows
),
-- The rows that break a rule; none, in a sound table.
unusable AS (
  SELECT
    'user ' || coalesce(CAST(in_user AS text) COLLATE "C", 'missing') || ', ' || 'item ' || coalesce(CAST(in_item AS text) COLLATE "C", 'missing') || ', ' || 'reward ' || coalesce(CAST(in_reward AS text) COLLATE "C", 'missing') || ', ' || 'propensity ' || coalesce(CAST(in_propensity AS text) COLLATE "C", 'missing') || ', ' || 'time ' || coalesce(CAST(in_time AS text) COLLATE "C", 'missing') AS told,
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
  FROM (SELECT grouped_by AS cluster, CAST('1' AS double precision) AS number_of, CASE WHEN abs(in_reward) <= CAST('1e+50' AS double precision) THEN in_reward END AS r, CASE WHEN in_propensity > CAST('0' AS double precision) AND CASE WHEN in_propensity <= CAST('1' AS double precision) THEN (CAST('1' AS double precision) / of_items) <= in_propensity * CAST('1e+50' AS double precision) ELSE 1 = 1 END THEN (CAST('1' AS double precision) / of_items) / in_propensity END AS w, CAST(NULL AS double precision) AS q, CAST(NULL AS double precision) AS v, CASE WHEN in_propensity > CAST('0' AS double precision) THEN in_propensity END AS b, in_time AS shown_at, CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND in_reward >= CAST('-1e+50' AS double precision) AND in_reward <= CAST('1e+50' AS double precision) AND in_propensity >= CAST('1e-50' AS double precision) AND in_propensity <= CAST('1' AS double precision) AND in_time >= CAST('-1.7976931348623157e+308' AS double precision) AND in_time <= CAST('1.7976931348623157e+308' AS double precision) AND CASE WHEN in_propensity <= CAST('1' AS double precision) THEN (CAST('1' AS double precision) / of_items) <= in_propensity * CAST('1e+50' AS double precision) ELSE 1 = 1 END THEN 1 = 0 ELSE 1 = 1 END AS broken, 1 = 0 AS unpredicted, (in_user IS NULL) AS fault_0, (in_item IS NULL) AS fault_1, (NOT (in_reward IS NOT NULL AND in_reward <> 'NaN')) AS fault_2, ((in_reward IS NOT NULL AND in_reward <> 'NaN') AND NOT (in_reward >= CAST('-1.7976931348623157e+308' AS double precision) AND in_reward <= CAST('1.7976931348623157e+308' AS double precision))) AS fault_3, (NOT (in_propensity IS NOT NULL AND in_propensity <> 'NaN')) AS fault_4, ((in_propensity IS NOT NULL AND in_propensity <> 'NaN') AND NOT (in_propensity >= CAST('5e-324' AS double precision) AND in_propensity <= CAST('1' AS double precision))) AS fault_5, (NOT (in_time IS NOT NULL AND in_time <> 'NaN')) AS fault_6, ((in_time IS NOT NULL AND in_time <> 'NaN') AND NOT (in_time >= CAST('-1.7976931348623157e+308' AS double precision) AND in_time <= CAST('1.7976931348623157e+308' AS double precision))) AS fault_7, ((in_reward IS NOT NULL AND in_reward <> 'NaN') AND in_reward >= CAST('-1.7976931348623157e+308' AS double precision) AND in_reward <= CAST('1.7976931348623157e+308' AS double precision) AND abs(in_reward) > CAST('1e+50' AS double precision)) AS fault_8, ((in_propensity IS NOT NULL AND in_propensity <> 'NaN') AND in_propensity >= CAST('5e-324' AS double precision) AND in_propensity <= CAST('1' AS double precision) AND in_propensity < CAST('1e-50' AS double precision)) AS fault_9, (((CAST('1' AS double precision) / of_items) IS NOT NULL AND (CAST('1' AS double precision) / of_items) <> 'NaN') AND (in_propensity IS NOT NULL AND in_propensity <> 'NaN') AND in_propensity > CAST('0' AS double precision) AND NOT (CASE WHEN in_propensity <= CAST('1' AS double precision) THEN (CAST('1' AS double precision) / of_items) <= in_propensity * CAST('1e+50' AS double precision) ELSE 1 = 1 END)) AS fault_10, log_rows.in_user, log_rows.in_item, log_rows.in_reward, log_rows.in_propensity, log_rows.in_time, log_rows.of_items, log_rows.shown_item, log_rows.place_shown, log_rows.shown_on, log_rows.other_cluster FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS double precision) AS place_shown, CASE WHEN abs(cells.c_time) < CAST('10000000000000000000' AS double precision) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS text) COLLATE "C" AS other_cluster FROM cells CROSS JOIN counts) AS log_rows ) AS every_row
  WHERE broken
),
-- One row: how many there are, and how many break each rule.
faults AS (
  SELECT
    CAST(count(*) AS double precision) AS broken_rows,
    CAST(count(CASE WHEN fault_0 THEN 1 END) AS double precision) AS faults_0,
    CAST(count(CASE WHEN fault_1 THEN 1 END) AS double precision) AS faults_1,
    CAST(count(CASE WHEN fault_2 THEN 1 END) AS double precision) AS faults_2,
    CAST(count(CASE WHEN fault_3 THEN 1 END) AS double precision) AS faults_3,
    CAST(count(CASE WHEN fault_4 THEN 1 END) AS double precision) AS faults_4,
    CAST(count(CASE WHEN fault_5 THEN 1 END) AS double precision) AS faults_5,
    CAST(count(CASE WHEN fault_6 THEN 1 END) AS double precision) AS faults_6,
    CAST(count(CASE WHEN fault_7 THEN 1 END) AS double precision) AS faults_7,
    CAST(count(CASE WHEN fault_8 THEN 1 END) AS double precision) AS faults_8,
    CAST(count(CASE WHEN fault_9 THEN 1 END) AS double precision) AS faults_9,
    CAST(count(CASE WHEN fault_10 THEN 1 END) AS double precision) AS faults_10
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
weighed AS NOT MATERIALIZED (
  SELECT
    grouped_by AS cluster,
    CAST('1' AS double precision) AS number_of,
    CASE WHEN abs(in_reward) <= CAST('1e+50' AS double precision) THEN in_reward END AS r,
    CASE WHEN in_propensity > CAST('0' AS double precision) AND CASE WHEN in_propensity <= CAST('1' AS double precision) THEN (CAST('1' AS double precision) / of_items) <= in_propensity * CAST('1e+50' AS double precision) ELSE 1 = 1 END THEN (CAST('1' AS double precision) / of_items) / in_propensity END AS w,
    CAST(NULL AS double precision) AS q,
    CAST(NULL AS double precision) AS v,
    CASE WHEN in_propensity > CAST('0' AS double precision) THEN in_propensity END AS b,
    in_time AS shown_at,
    CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND in_reward >= CAST('-1e+50' AS double precision) AND in_reward <= CAST('1e+50' AS double precision) AND in_propensity >= CAST('1e-50' AS double precision) AND in_propensity <= CAST('1' AS double precision) AND in_time >= CAST('-1.7976931348623157e+308' AS double precision) AND in_time <= CAST('1.7976931348623157e+308' AS double precision) AND CASE WHEN in_propensity <= CAST('1' AS double precision) THEN (CAST('1' AS double precision) / of_items) <= in_propensity * CAST('1e+50' AS double precision) ELSE 1 = 1 END THEN 1 = 0 ELSE 1 = 1 END AS broken,
    1 = 0 AS unpredicted,
    log_rows.of_items,
    log_rows.shown_item,
    log_rows.place_shown,
    log_rows.shown_on,
    log_rows.other_cluster
  FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS double precision) AS place_shown, CASE WHEN abs(cells.c_time) < CAST('10000000000000000000' AS double precision) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS text) COLLATE "C" AS other_cluster FROM cells CROSS JOIN counts) AS log_rows  OFFSET 0
),
-- One row: counts and extremes.
facts AS (
  SELECT
    max(w) AS fact_max_weight,
    min(CASE WHEN w > CAST('0' AS double precision) THEN w END) AS fact_least_weight,
    max(w) AS fact_heaviest,
    sum(w) AS fact_total_weight,
    min(b) AS fact_least_propensity,
    max(b) AS fact_most_propensity,
    CAST(count(CASE WHEN b = least_b THEN 1 END) AS double precision) AS fact_at_least_propensity,
    CAST(count(CASE WHEN b < tiny THEN 1 END) AS double precision) AS fact_tiny_propensity,
    min(r) AS fact_least_reward,
    max(r) AS fact_most_reward,
    CAST(count(CASE WHEN r <> CAST('0' AS double precision) AND r <> CAST('1' AS double precision) THEN 1 END) AS double precision) AS fact_other_rewards,
    max(place_shown) AS fact_most_position,
    CAST('0' AS double precision) AS fact_beyond_position
  FROM weighed CROSS JOIN (SELECT least_b, CAST('0.000001' AS double precision) / (row_count * greatest(item_count, CAST('10000' AS double precision))) AS tiny FROM counts) AS limits
),
-- Weights above zero, by size: 100 steps for each factor of ten.
weight_sized AS (
  SELECT
    w AS x,
    CASE WHEN w > CAST('0' AS double precision) THEN CAST(floor(ln(w) * CAST('43.42944819032518' AS double precision) + CAST('1e-9' AS double precision)) AS double precision) END AS step
  FROM weighed
  WHERE w > CAST('0' AS double precision)
),
-- How many weights each step has, and their sum.
weight_counted AS (
  SELECT
    step,
    CAST(count(*) AS double precision) AS n,
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
    sum(CASE WHEN upto < rank_wanted THEN total ELSE CAST('0' AS double precision) END) AS above,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN step END) AS step,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN rank_wanted - (upto - n) END) AS remaining
  FROM (SELECT wanted, step, n, total, upto, CASE WHEN wanted = 'median' THEN positive - CAST(floor((positive + CAST('1' AS double precision)) / CAST('2' AS double precision)) AS double precision) + CAST('1' AS double precision) WHEN wanted = 'top' THEN greatest(CAST('1' AS double precision), CAST(ceil(row_count / CAST('100' AS double precision)) AS double precision)) END AS rank_wanted FROM weight_bins CROSS JOIN (SELECT CAST('median' AS text) COLLATE "C" AS wanted UNION ALL SELECT CAST('top' AS text) COLLATE "C" AS wanted) AS names) AS each_rank
  GROUP BY wanted
),
-- The different weights of those steps, and how often each occurs.
weight_near AS (
  SELECT
    wanted,
    x,
    max(remaining) AS remaining,
    CAST(count(*) AS double precision) AS n
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
    sum(CASE WHEN upto <= remaining THEN n * x WHEN upto - n < remaining THEN (remaining - (upto - n)) * x ELSE CAST('0' AS double precision) END) AS rest,
    max(CASE WHEN upto >= remaining THEN x END) AS edge_value
  FROM weight_ordered
  GROUP BY wanted
),
-- One row: down to which step the tail reaches, and how many weights it has.
tail_start AS (
  SELECT
    max(CASE WHEN upto >= tail_size THEN step END) AS last_step,
    max(tail_size) AS tail_size
  FROM (SELECT step, upto, least(row_count * CAST('0.2' AS double precision), CAST('3' AS double precision) * sqrt(row_count)) + CAST('2' AS double precision) AS tail_size FROM weight_bins) AS sized_bins
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
  FROM (SELECT x, tail_size, CAST(row_number() OVER (ORDER BY x DESC) AS double precision) AS place FROM largest_weights) AS ordered_weights
  WHERE place <= tail_size
),
-- Sums by user.
by_user AS (
  SELECT
    cluster AS cluster,
    CAST(count(*) AS double precision) AS n,
    CAST(count(CASE WHEN r > CAST('0' AS double precision) THEN 1 END) AS double precision) AS clicked,
    sum(w) AS s0,
    sum((w * r)) AS s1
  FROM weighed
  GROUP BY cluster
),
-- How many there are.
user_number AS (
  SELECT
    CAST(count(*) AS double precision) AS group_count
  FROM by_user
),
-- Each with its bucket: for an id of digits, what is left of it divided by 65,521, times 40,503, divided again; for any other, the first four hexadecimal digits of its MD5.
user_buckets AS (
  SELECT
    cluster,
    CAST(cluster AS text) COLLATE "C" AS own_id,
    CASE WHEN length(CAST(cluster AS text) COLLATE "C") BETWEEN 1 AND 18 AND translate(CAST(cluster AS text) COLLATE "C", '0123456789', '') = '' THEN mod(mod(CAST(CAST(cluster AS text) COLLATE "C" AS BIGINT), 65521) * 40503, 65521) ELSE CAST(CAST('x' || substr(md5(CAST(cluster AS text) COLLATE "C"), 1, 4) AS bit(16)) AS integer) END AS bucket,
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
  WHERE group_count <= CAST('65536' AS double precision)
),
-- Where there are more: the sums of each bucket.
buckets_by_user AS (
  SELECT
    bucket,
    sum(s0) AS s0,
    sum(s1) AS s1
  FROM user_buckets CROSS JOIN user_number
  WHERE group_count > CAST('65536' AS double precision)
  GROUP BY bucket
),
-- Sums by day (UTC).
by_day AS (
  SELECT
    shown_on AS cluster,
    CAST(count(*) AS double precision) AS n,
    CAST(count(CASE WHEN r > CAST('0' AS double precision) THEN 1 END) AS double precision) AS clicked,
    sum(w) AS s0,
    sum((w * r)) AS s1
  FROM weighed
  GROUP BY shown_on
),
-- Sums by user and day (UTC) together, where there are few.
by_both AS (
  SELECT
    cluster AS side_1,
    shown_on AS side_2,
    sum(w) AS s0,
    sum((w * r)) AS s1
  FROM weighed CROSS JOIN user_number
  WHERE group_count <= CAST('65536' AS double precision)
  GROUP BY cluster, shown_on
),
-- The same where there are many: by bucket at once.
buckets_by_row AS (
  SELECT
    bucket,
    sum(w) AS s0,
    sum((w * r)) AS s1
  FROM (SELECT weighed.*, mod(user_buckets.bucket + mod(weighed.shown_on, 65536) * 40503 + 2654404608, 65536) AS bucket FROM weighed JOIN user_buckets ON weighed.cluster = user_buckets.cluster CROSS JOIN user_number WHERE group_count > CAST('65536' AS double precision)) AS hashed_rows
  GROUP BY bucket
),
-- How many there are.
both_number AS (
  SELECT
    CAST(count(*) AS double precision) AS group_count
  FROM by_both
),
-- Each with its bucket: that of its user, moved by 40,503 for each day.
both_buckets AS (
  SELECT
    CAST(CAST(side_1 AS text) COLLATE "C" || '×' || CAST(side_2 AS text) COLLATE "C" AS text) COLLATE "C" AS own_id,
    mod(CASE WHEN length(CAST(side_1 AS text) COLLATE "C") BETWEEN 1 AND 18 AND translate(CAST(side_1 AS text) COLLATE "C", '0123456789', '') = '' THEN mod(mod(CAST(CAST(side_1 AS text) COLLATE "C" AS BIGINT), 65521) * 40503, 65521) ELSE CAST(CAST('x' || substr(md5(CAST(side_1 AS text) COLLATE "C"), 1, 4) AS bit(16)) AS integer) END + mod(side_2, 65536) * 40503 + 2654404608, 65536) AS bucket,
    s0,
    s1
  FROM by_both
),
-- Where there are at most 65,536: the sums of each, and its place in the bucket.
each_both AS (
  SELECT
    bucket,
    row_number() OVER (PARTITION BY bucket ORDER BY own_id) AS place,
    s0,
    s1
  FROM both_buckets CROSS JOIN both_number
  WHERE group_count <= CAST('65536' AS double precision)
),
-- Where there are more: the sums of each bucket.
buckets_by_both AS (
  SELECT
    bucket,
    sum(s0) AS s0,
    sum(s1) AS s1
  FROM both_buckets CROSS JOIN both_number
  WHERE group_count > CAST('65536' AS double precision)
  GROUP BY bucket
),
-- How many users had no, one, two and three clicks, by the power of two of their rows.
activity AS (
  SELECT
    power,
    clicked,
    CAST(count(*) AS double precision) AS user_number
  FROM (SELECT CAST(floor(ln(n) / CAST('0.6931471805599453' AS double precision) + CAST('1e-9' AS double precision)) AS double precision) AS power, clicked FROM by_user WHERE n >= CAST('2' AS double precision) AND clicked <= CAST('3' AS double precision)) AS few_clicks
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
    CASE WHEN inverses > row_count THEN shown * (CAST('1' AS double precision) - row_count / inverses) / greatest(row_count - shown, CAST('1e-9' AS double precision) * row_count) END AS stake
  FROM (SELECT item_rows.*, CAST(sum(CASE WHEN shown >= CAST('5' AS double precision) THEN 1 ELSE 0 END) OVER () AS double precision) AS judged, row_count FROM item_rows CROSS JOIN counts) AS all_items
  WHERE shown >= CAST('5' AS double precision) AND inverses > CAST('1.05' AS double precision) * row_count
),
-- Those of them that chance may not explain.
suspects AS (
  SELECT
    shown_item,
    shown,
    inverses,
    row_count,
    judged,
    exp(-CAST('0.6931471805599453' AS double precision) * greatest(CAST('0' AS double precision), least(CAST('31' AS double precision), CAST(floor(CAST('0.5' AS double precision) - ln(stake) / CAST('0.6931471805599453' AS double precision)) AS double precision)))) AS bet
  FROM (SELECT items_above.*, shown * ln(CAST('1' AS double precision) + stake * inverses / shown) - row_count * ln(CAST('1' AS double precision) + stake) AS most FROM items_above WHERE stake > CAST('0' AS double precision)) AS weighed_items
  WHERE most > ln(judged / CAST('0.0001' AS double precision))
  ORDER BY most DESC
  LIMIT 40
),
-- Their sums by user, and what bets of nine sizes gain.
suspect_users AS (
  SELECT
    weighed.shown_item AS shown_item,
    weighed.cluster,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN CAST('1' AS double precision) / b END) AS own_inverses,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('0.0625' AS double precision)) / b) END) AS gain_0,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('0.125' AS double precision)) / b) END) AS gain_1,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('0.25' AS double precision)) / b) END) AS gain_2,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('0.5' AS double precision)) / b) END) AS gain_3,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('1' AS double precision)) / b) END) AS gain_4,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('2' AS double precision)) / b) END) AS gain_5,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('4' AS double precision)) / b) END) AS gain_6,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('8' AS double precision)) / b) END) AS gain_7,
    sum(CASE WHEN b > CAST('0' AS double precision) THEN ln(CAST('1' AS double precision) + least(CAST('1' AS double precision), bet * CAST('16' AS double precision)) / b) END) AS gain_8
  FROM weighed JOIN suspects ON weighed.shown_item = suspects.shown_item
  GROUP BY weighed.shown_item, weighed.cluster
),
-- The same by item; users who saw it again and again do not count as many.
suspect_sums AS (
  SELECT
    shown_item,
    sum(own_inverses * own_inverses - CAST('2' AS double precision) * own_inverses * n) AS squares,
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
  FROM (SELECT cluster AS sampled, n, CAST(CAST(CAST('x' || substr(md5(CAST(cluster AS text) COLLATE "C"), 1, 4) AS bit(16)) AS integer) AS double precision) AS bucket, greatest(CAST('1' AS double precision), least(CAST('65536' AS double precision), CAST(ceil(row_count / CAST('65536' AS double precision)) AS double precision))) AS every FROM by_user CROSS JOIN counts) AS hashed_users
  WHERE bucket = every * floor((bucket / every)) AND n <= CAST('65536' AS double precision)
),
-- Their rows, with a number for each user in place of the id.
sample_rows AS (
  SELECT
    CAST(dense_rank() OVER (ORDER BY sampled) AS double precision) AS user_number,
    weighed.shown_item,
    weighed.r,
    weighed.b,
    weighed.place_shown,
    weighed.shown_at,
    weighed.number_of
  FROM weighed JOIN sampled_users ON weighed.cluster = sampled_users.sampled
)
-- All parts, one below the other; part_rows shows whether the result is whole.
SELECT part, id, CAST(count(*) OVER (PARTITION BY part) AS double precision) AS part_rows,
  x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14
FROM (
  SELECT CAST('setting' AS text) COLLATE "C" AS part, CAST('format=1' AS text) COLLATE "C" AS id, CAST(NULL AS double precision) AS x0, CAST(NULL AS double precision) AS x1, CAST(NULL AS double precision) AS x2, CAST(NULL AS double precision) AS x3, CAST(NULL AS double precision) AS x4, CAST(NULL AS double precision) AS x5, CAST(NULL AS double precision) AS x6, CAST(NULL AS double precision) AS x7, CAST(NULL AS double precision) AS x8, CAST(NULL AS double precision) AS x9, CAST(NULL AS double precision) AS x10, CAST(NULL AS double precision) AS x11, CAST(NULL AS double precision) AS x12, CAST(NULL AS double precision) AS x13, CAST(NULL AS double precision) AS x14
  UNION ALL
  SELECT CAST('setting' AS text) COLLATE "C", CAST('target=uniform' AS text) COLLATE "C", CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision)
  UNION ALL
  SELECT CAST('setting' AS text) COLLATE "C", CAST('exact' AS text) COLLATE "C", CAST('0.3333333333333333' AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision)
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('rows' AS text) COLLATE "C", row_count, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM counts
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('users' AS text) COLLATE "C", CAST(count(cluster) AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM by_user
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('items' AS text) COLLATE "C", item_count, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM counts
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('latest_time' AS text) COLLATE "C", latest, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM counts
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('broken' AS text) COLLATE "C", broken_rows, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM faults
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('days' AS text) COLLATE "C", CAST(count(cluster) AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM by_day
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST(CASE WHEN place = 0 THEN 'max_weight' WHEN place = 1 THEN 'least_weight' WHEN place = 2 THEN 'heaviest' WHEN place = 3 THEN 'total_weight' WHEN place = 4 THEN 'least_propensity' WHEN place = 5 THEN 'most_propensity' WHEN place = 6 THEN 'at_least_propensity' WHEN place = 7 THEN 'tiny_propensity' WHEN place = 8 THEN 'least_reward' WHEN place = 9 THEN 'most_reward' WHEN place = 10 THEN 'other_rewards' WHEN place = 11 THEN 'most_position' WHEN place = 12 THEN 'beyond_position' END AS text) COLLATE "C", CAST(CASE WHEN place = 0 THEN fact_max_weight WHEN place = 1 THEN fact_least_weight WHEN place = 2 THEN fact_heaviest WHEN place = 3 THEN fact_total_weight WHEN place = 4 THEN fact_least_propensity WHEN place = 5 THEN fact_most_propensity WHEN place = 6 THEN fact_at_least_propensity WHEN place = 7 THEN fact_tiny_propensity WHEN place = 8 THEN fact_least_reward WHEN place = 9 THEN fact_most_reward WHEN place = 10 THEN fact_other_rewards WHEN place = 11 THEN fact_most_position WHEN place = 12 THEN fact_beyond_position END AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM facts CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place UNION ALL SELECT 11 AS place UNION ALL SELECT 12 AS place) AS fact_places
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('top_sum' AS text) COLLATE "C", above + coalesce(rest, CAST('0' AS double precision)), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'top'
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('median_weight' AS text) COLLATE "C", edge_value, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'median'
  UNION ALL
  SELECT CAST('fault' AS text) COLLATE "C", CAST(CASE WHEN place = 0 THEN 'user missing' WHEN place = 1 THEN 'item missing' WHEN place = 2 THEN 'reward missing' WHEN place = 3 THEN 'reward out-of-range' WHEN place = 4 THEN 'propensity missing' WHEN place = 5 THEN 'propensity out-of-range' WHEN place = 6 THEN 'time missing' WHEN place = 7 THEN 'time out-of-range' WHEN place = 8 THEN 'reward overflow' WHEN place = 9 THEN 'propensity underflow' WHEN place = 10 THEN 'w overflow' END AS text) COLLATE "C", CAST(CASE WHEN place = 0 THEN faults_0 WHEN place = 1 THEN faults_1 WHEN place = 2 THEN faults_2 WHEN place = 3 THEN faults_3 WHEN place = 4 THEN faults_4 WHEN place = 5 THEN faults_5 WHEN place = 6 THEN faults_6 WHEN place = 7 THEN faults_7 WHEN place = 8 THEN faults_8 WHEN place = 9 THEN faults_9 WHEN place = 10 THEN faults_10 END AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM faults CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place) AS fault_places
  UNION ALL
  SELECT CAST('example' AS text) COLLATE "C", told, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM examples
  UNION ALL
  SELECT CAST('histogram' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", step, n, total, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM weight_bins
  UNION ALL
  SELECT CAST('largest' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", x, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM tail
  UNION ALL
  SELECT CAST('group-1' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", CAST(bucket AS double precision), CAST(place AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM each_user
  UNION ALL
  SELECT CAST('group-1' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", CAST(bucket AS double precision), CAST('0' AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM buckets_by_user
  UNION ALL
  SELECT CAST('group-2' AS text) COLLATE "C", CAST(cluster AS text) COLLATE "C", CAST(NULL AS double precision), CAST(NULL AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM by_day WHERE cluster IS NOT NULL
  UNION ALL
  SELECT CAST('group-both' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", CAST(bucket AS double precision), CAST(place AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM each_both
  UNION ALL
  SELECT CAST('group-both' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", CAST(bucket AS double precision), CAST('0' AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM buckets_by_both
  UNION ALL
  SELECT CAST('group-both' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", CAST(bucket AS double precision), CAST('0' AS double precision), s0, s1, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM buckets_by_row
  UNION ALL
  SELECT CAST('fact' AS text) COLLATE "C", CAST('squared_rows' AS text) COLLATE "C", sum(n * n), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM by_user
  UNION ALL
  SELECT CAST('activity' AS text) COLLATE "C", CAST(NULL AS text) COLLATE "C", power, clicked, user_number, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM activity
  UNION ALL
  SELECT CAST('balance' AS text) COLLATE "C", CAST(suspects.shown_item AS text) COLLATE "C", shown, inverses, row_count, judged, bet, squares, gain_0, gain_1, gain_2, gain_3, gain_4, gain_5, gain_6, gain_7, gain_8 FROM suspects JOIN suspect_sums ON suspect_sums.shown_item = suspects.shown_item
  UNION ALL
  SELECT CAST('sample' AS text) COLLATE "C", CAST(shown_item AS text) COLLATE "C", user_number, r, b, CAST(NULL AS double precision), shown_at, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision) FROM sample_rows
) AS all_parts
