-- Sums.
-- The rows of the log: who was shown what, with which reward and probability.
WITH cells AS (
  SELECT
    nullif(CAST(`user_id` AS Nullable(String)), '') AS c_user,
    nullif(CAST(`sku` AS Nullable(String)), '') AS c_item,
    CAST(`clicked` AS Nullable(Float64)) AS c_reward,
    CAST(`p` AS Nullable(Float64)) AS c_propensity,
    CAST(toUnixTimestamp64Micro(toDateTime64(`shown_at`, 6, 'UTC')) AS Nullable(Float64)) / 1000 AS c_time
  FROM `shop`.`impressions`
),
-- How often each item was shown, and the sum of 1/propensity, which is the number of all rows if propensities are right.
item_rows AS (
  SELECT
    c_item AS shown_item,
    CAST(count(*) AS Nullable(Float64)) AS shown,
    sumKahan(CASE WHEN c_propensity >= toFloat64(1e-50) THEN toFloat64(1) / c_propensity END) AS inverses,
    min(c_propensity) AS least_b,
    max(c_time) AS latest
  FROM cells
  GROUP BY c_item
),
-- One row: how many rows and items there are, the latest time, the least probability.
counts AS (
  SELECT
    coalesce(sumKahan(shown), toFloat64(0)) AS row_count,
    CAST(count(shown_item) AS Nullable(Float64)) AS item_count,
    min(least_b) AS least_b,
    max(latest) AS latest,
    CASE WHEN max(latest) >= toFloat64(100000000000000000) THEN toFloat64(86400000000000) WHEN max(latest) >= toFloat64(100000000000000) THEN toFloat64(86400000000) WHEN max(latest) >= toFloat64(100000000000) THEN toFloat64(86400000) WHEN max(latest) >= toFloat64(100000000) THEN toFloat64(86400) END AS day_length
  FROM item_rows
),
-- The rows that break a rule; none, in a sound table.
unusable AS (
  SELECT
    'user ' || coalesce(CAST(in_user AS Nullable(String)), 'missing') || ', ' || 'item ' || coalesce(CAST(in_item AS Nullable(String)), 'missing') || ', ' || 'reward ' || coalesce(CAST(in_reward AS Nullable(String)), 'missing') || ', ' || 'propensity ' || coalesce(CAST(in_propensity AS Nullable(String)), 'missing') || ', ' || 'time ' || coalesce(CAST(in_time AS Nullable(String)), 'missing') AS told,
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
  FROM (SELECT grouped_by AS cluster, toFloat64(1) AS number_of, in_reward AS r, (toFloat64(1) / of_items) / in_propensity AS w, CAST(NULL AS Nullable(Float64)) AS q, CAST(NULL AS Nullable(Float64)) AS v, in_propensity AS b, in_time AS shown_at, CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND in_reward >= toFloat64(-1e+50) AND in_reward <= toFloat64(1e+50) AND in_propensity >= toFloat64(1e-50) AND in_propensity <= toFloat64(1) AND in_time >= toFloat64(-1.7976931348623157e+308) AND in_time <= toFloat64(1.7976931348623157e+308) AND (toFloat64(1) / of_items) <= in_propensity * toFloat64(1e+50) THEN 1 = 0 ELSE 1 = 1 END AS broken, 1 = 0 AS unpredicted, (in_user IS NULL) AS fault_0, (in_item IS NULL) AS fault_1, (NOT (in_reward IS NOT NULL AND NOT isNaN(in_reward))) AS fault_2, ((in_reward IS NOT NULL AND NOT isNaN(in_reward)) AND NOT (in_reward >= toFloat64(-1.7976931348623157e+308) AND in_reward <= toFloat64(1.7976931348623157e+308))) AS fault_3, (NOT (in_propensity IS NOT NULL AND NOT isNaN(in_propensity))) AS fault_4, ((in_propensity IS NOT NULL AND NOT isNaN(in_propensity)) AND NOT (in_propensity >= toFloat64(5e-324) AND in_propensity <= toFloat64(1))) AS fault_5, (NOT (in_time IS NOT NULL AND NOT isNaN(in_time))) AS fault_6, ((in_time IS NOT NULL AND NOT isNaN(in_time)) AND NOT (in_time >= toFloat64(-1.7976931348623157e+308) AND in_time <= toFloat64(1.7976931348623157e+308))) AS fault_7, ((in_reward IS NOT NULL AND NOT isNaN(in_reward)) AND in_reward >= toFloat64(-1.7976931348623157e+308) AND in_reward <= toFloat64(1.7976931348623157e+308) AND abs(in_reward) > toFloat64(1e+50)) AS fault_8, ((in_propensity IS NOT NULL AND NOT isNaN(in_propensity)) AND in_propensity >= toFloat64(5e-324) AND in_propensity <= toFloat64(1) AND in_propensity < toFloat64(1e-50)) AS fault_9, (((toFloat64(1) / of_items) IS NOT NULL AND NOT isNaN((toFloat64(1) / of_items))) AND (in_propensity IS NOT NULL AND NOT isNaN(in_propensity)) AND in_propensity > toFloat64(0) AND NOT ((toFloat64(1) / of_items) <= in_propensity * toFloat64(1e+50))) AS fault_10, log_rows.in_user, log_rows.in_item, log_rows.in_reward, log_rows.in_propensity, log_rows.in_time, log_rows.of_items, log_rows.shown_item, log_rows.place_shown, log_rows.shown_on, log_rows.other_cluster FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS Nullable(Float64)) AS place_shown, CASE WHEN abs(cells.c_time) < toFloat64(10000000000000000000) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS Nullable(String)) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows ) AS every_row
  WHERE broken
),
-- One row: how many there are, and how many break each rule.
faults AS (
  SELECT
    CAST(count(*) AS Nullable(Float64)) AS broken_rows,
    CAST(count(CASE WHEN fault_0 THEN 1 END) AS Nullable(Float64)) AS faults_0,
    CAST(count(CASE WHEN fault_1 THEN 1 END) AS Nullable(Float64)) AS faults_1,
    CAST(count(CASE WHEN fault_2 THEN 1 END) AS Nullable(Float64)) AS faults_2,
    CAST(count(CASE WHEN fault_3 THEN 1 END) AS Nullable(Float64)) AS faults_3,
    CAST(count(CASE WHEN fault_4 THEN 1 END) AS Nullable(Float64)) AS faults_4,
    CAST(count(CASE WHEN fault_5 THEN 1 END) AS Nullable(Float64)) AS faults_5,
    CAST(count(CASE WHEN fault_6 THEN 1 END) AS Nullable(Float64)) AS faults_6,
    CAST(count(CASE WHEN fault_7 THEN 1 END) AS Nullable(Float64)) AS faults_7,
    CAST(count(CASE WHEN fault_8 THEN 1 END) AS Nullable(Float64)) AS faults_8,
    CAST(count(CASE WHEN fault_9 THEN 1 END) AS Nullable(Float64)) AS faults_9,
    CAST(count(CASE WHEN fault_10 THEN 1 END) AS Nullable(Float64)) AS faults_10
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
    toFloat64(1) AS number_of,
    in_reward AS r,
    (toFloat64(1) / of_items) / in_propensity AS w,
    CAST(NULL AS Nullable(Float64)) AS q,
    CAST(NULL AS Nullable(Float64)) AS v,
    in_propensity AS b,
    in_time AS shown_at,
    CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND in_reward >= toFloat64(-1e+50) AND in_reward <= toFloat64(1e+50) AND in_propensity >= toFloat64(1e-50) AND in_propensity <= toFloat64(1) AND in_time >= toFloat64(-1.7976931348623157e+308) AND in_time <= toFloat64(1.7976931348623157e+308) AND (toFloat64(1) / of_items) <= in_propensity * toFloat64(1e+50) THEN 1 = 0 ELSE 1 = 1 END AS broken,
    1 = 0 AS unpredicted,
    log_rows.of_items,
    log_rows.shown_item,
    log_rows.place_shown,
    log_rows.shown_on,
    log_rows.other_cluster
  FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS Nullable(Float64)) AS place_shown, CASE WHEN abs(cells.c_time) < toFloat64(10000000000000000000) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS Nullable(String)) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows 
),
-- One row: counts and extremes.
facts AS (
  SELECT
    max(w) AS fact_max_weight,
    min(CASE WHEN w > toFloat64(0) THEN w END) AS fact_least_weight,
    max(w) AS fact_heaviest,
    sumKahan(w) AS fact_total_weight,
    min(b) AS fact_least_propensity,
    max(b) AS fact_most_propensity,
    CAST(count(CASE WHEN b = least_b THEN 1 END) AS Nullable(Float64)) AS fact_at_least_propensity,
    CAST(count(CASE WHEN b < tiny THEN 1 END) AS Nullable(Float64)) AS fact_tiny_propensity,
    min(r) AS fact_least_reward,
    max(r) AS fact_most_reward,
    CAST(count(CASE WHEN r <> toFloat64(0) AND r <> toFloat64(1) THEN 1 END) AS Nullable(Float64)) AS fact_other_rewards,
    max(place_shown) AS fact_most_position,
    toFloat64(0) AS fact_beyond_position
  FROM weighed CROSS JOIN (SELECT least_b, toFloat64(0.000001) / (row_count * greatest(item_count, toFloat64(10000))) AS tiny FROM counts) AS limits
),
-- Weights above zero, by size: 100 steps for each factor of ten.
weight_sized AS (
  SELECT
    w AS x,
    CASE WHEN w > toFloat64(0) THEN CAST(floor(ln(w) * toFloat64(43.42944819032518) + toFloat64(1e-9)) AS Nullable(Float64)) END AS step
  FROM weighed
  WHERE w > toFloat64(0)
),
-- How many weights each step has, and their sum.
weight_counted AS (
  SELECT
    step,
    CAST(count(*) AS Nullable(Float64)) AS n,
    sumKahan(x) AS total
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
    sumKahan(CASE WHEN upto < rank_wanted THEN total ELSE toFloat64(0) END) AS above,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN step END) AS step,
    max(CASE WHEN upto >= rank_wanted AND upto - n < rank_wanted THEN rank_wanted - (upto - n) END) AS remaining
  FROM (SELECT wanted, step, n, total, upto, CASE WHEN wanted = 'median' THEN positive - CAST(floor((positive + toFloat64(1)) / toFloat64(2)) AS Nullable(Float64)) + toFloat64(1) WHEN wanted = 'top' THEN greatest(toFloat64(1), CAST(ceil(row_count / toFloat64(100)) AS Nullable(Float64))) END AS rank_wanted FROM weight_bins CROSS JOIN (SELECT CAST('median' AS Nullable(String)) AS wanted UNION ALL SELECT CAST('top' AS Nullable(String)) AS wanted) AS names) AS each_rank
  GROUP BY wanted
),
-- The different weights of those steps, and how often each occurs.
weight_near AS (
  SELECT
    wanted,
    x,
    max(remaining) AS remaining,
    CAST(count(*) AS Nullable(Float64)) AS n
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
    sumKahan(CASE WHEN upto <= remaining THEN n * x WHEN upto - n < remaining THEN (remaining - (upto - n)) * x ELSE toFloat64(0) END) AS rest,
    max(CASE WHEN upto >= remaining THEN x END) AS edge_value
  FROM weight_ordered
  GROUP BY wanted
),
-- One row: down to which step the tail reaches, and how many weights it has.
tail_start AS (
  SELECT
    max(CASE WHEN upto >= tail_size THEN step END) AS last_step,
    max(tail_size) AS tail_size
  FROM (SELECT step, upto, least(row_count * toFloat64(0.2), toFloat64(3) * sqrt(row_count)) + toFloat64(2) AS tail_size FROM weight_bins) AS sized_bins
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
  FROM (SELECT x, tail_size, CAST(row_number() OVER (ORDER BY x DESC) AS Nullable(Float64)) AS place FROM largest_weights) AS ordered_weights
  WHERE place <= tail_size
),
-- Sums by user.
by_user AS (
  SELECT
    cluster AS cluster,
    CAST(count(*) AS Nullable(Float64)) AS n,
    CAST(count(CASE WHEN r > toFloat64(0) THEN 1 END) AS Nullable(Float64)) AS clicked,
    sumKahan(w) AS s0,
    sumKahan((w * r)) AS s1
  FROM weighed
  GROUP BY cluster
),
-- How many there are.
user_number AS (
  SELECT
    CAST(count(*) AS Nullable(Float64)) AS group_count
  FROM by_user
),
-- Each with its bucket: for an id of digits, what is left of it divided by 65,521, times 40,503, divided again; for any other, the first four hexadecimal digits of its MD5.
user_buckets AS (
  SELECT
    cluster,
    CAST(cluster AS Nullable(String)) AS own_id,
    CASE WHEN length(CAST(cluster AS Nullable(String))) BETWEEN 1 AND 18 AND translate(CAST(cluster AS Nullable(String)), '0123456789', '') = '' THEN mod(mod(CAST(CAST(cluster AS Nullable(String)) AS BIGINT), 65521) * 40503, 65521) ELSE reinterpretAsUInt16(reverse(substring(MD5(CAST(cluster AS Nullable(String))), 1, 2))) END AS bucket,
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
  WHERE group_count <= toFloat64(65536)
),
-- Where there are more: the sums of each bucket.
buckets_by_user AS (
  SELECT
    bucket,
    sumKahan(s0) AS s0,
    sumKahan(s1) AS s1
  FROM user_buckets CROSS JOIN user_number
  WHERE group_count > toFloat64(65536)
  GROUP BY bucket
),
-- Sums by day (UTC).
by_day AS (
  SELECT
    shown_on AS cluster,
    CAST(count(*) AS Nullable(Float64)) AS n,
    CAST(count(CASE WHEN r > toFloat64(0) THEN 1 END) AS Nullable(Float64)) AS clicked,
    sumKahan(w) AS s0,
    sumKahan((w * r)) AS s1
  FROM weighed
  GROUP BY shown_on
),
-- Sums by user and day (UTC) together, where there are few.
by_both AS (
  SELECT
    cluster AS side_1,
    shown_on AS side_2,
    sumKahan(w) AS s0,
    sumKahan((w * r)) AS s1
  FROM weighed CROSS JOIN user_number
  WHERE group_count <= toFloat64(65536)
  GROUP BY cluster, shown_on
),
-- The same where there are many: by bucket at once.
buckets_by_row AS (
  SELECT
    bucket,
    sumKahan(w) AS s0,
    sumKahan((w * r)) AS s1
  FROM (SELECT weighed.*, mod(user_buckets.bucket + mod(weighed.shown_on, 65536) * 40503 + 2654404608, 65536) AS bucket FROM weighed JOIN user_buckets ON weighed.cluster = user_buckets.cluster CROSS JOIN user_number WHERE group_count > toFloat64(65536)) AS hashed_rows
  GROUP BY bucket
),
-- How many there are.
both_number AS (
  SELECT
    CAST(count(*) AS Nullable(Float64)) AS group_count
  FROM by_both
),
-- Each with its bucket: that of its user, moved by 40,503 for each day.
both_buckets AS (
  SELECT
    CAST(CAST(side_1 AS Nullable(String)) || '×' || CAST(side_2 AS Nullable(String)) AS Nullable(String)) AS own_id,
    mod(CASE WHEN length(CAST(side_1 AS Nullable(String))) BETWEEN 1 AND 18 AND translate(CAST(side_1 AS Nullable(String)), '0123456789', '') = '' THEN mod(mod(CAST(CAST(side_1 AS Nullable(String)) AS BIGINT), 65521) * 40503, 65521) ELSE reinterpretAsUInt16(reverse(substring(MD5(CAST(side_1 AS Nullable(String))), 1, 2))) END + mod(side_2, 65536) * 40503 + 2654404608, 65536) AS bucket,
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
  WHERE group_count <= toFloat64(65536)
),
-- Where there are more: the sums of each bucket.
buckets_by_both AS (
  SELECT
    bucket,
    sumKahan(s0) AS s0,
    sumKahan(s1) AS s1
  FROM both_buckets CROSS JOIN both_number
  WHERE group_count > toFloat64(65536)
  GROUP BY bucket
),
-- How many users had no, one, two and three clicks, by the power of two of their rows.
activity AS (
  SELECT
    power,
    clicked,
    CAST(count(*) AS Nullable(Float64)) AS user_number
  FROM (SELECT CAST(floor(ln(n) / toFloat64(0.6931471805599453) + toFloat64(1e-9)) AS Nullable(Float64)) AS power, clicked FROM by_user WHERE n >= toFloat64(2) AND clicked <= toFloat64(3)) AS few_clicks
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
    CASE WHEN inverses > row_count THEN shown * (toFloat64(1) - row_count / inverses) / greatest(row_count - shown, toFloat64(1e-9) * row_count) END AS stake
  FROM (SELECT item_rows.*, CAST(sum(CASE WHEN shown >= toFloat64(5) THEN 1 ELSE 0 END) OVER () AS Nullable(Float64)) AS judged, row_count FROM item_rows CROSS JOIN counts) AS all_items
  WHERE shown >= toFloat64(5) AND inverses > toFloat64(1.05) * row_count
),
-- Those of them that chance may not explain.
suspects AS (
  SELECT
    shown_item,
    shown,
    inverses,
    row_count,
    judged,
    exp(-toFloat64(0.6931471805599453) * greatest(toFloat64(0), least(toFloat64(31), CAST(floor(toFloat64(0.5) - ln(stake) / toFloat64(0.6931471805599453)) AS Nullable(Float64))))) AS bet
  FROM (SELECT items_above.*, shown * ln(toFloat64(1) + stake * inverses / shown) - row_count * ln(toFloat64(1) + stake) AS most FROM items_above WHERE stake > toFloat64(0)) AS weighed_items
  WHERE most > ln(judged / toFloat64(0.0001))
  ORDER BY most DESC
  LIMIT 40
),
-- Their sums by user, and what bets of nine sizes gain.
suspect_users AS (
  SELECT
    weighed.shown_item AS shown_item,
    weighed.cluster,
    sumKahan(CASE WHEN b > toFloat64(0) THEN toFloat64(1) / b END) AS own_inverses,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(0.0625)) / b) END) AS gain_0,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(0.125)) / b) END) AS gain_1,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(0.25)) / b) END) AS gain_2,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(0.5)) / b) END) AS gain_3,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(1)) / b) END) AS gain_4,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(2)) / b) END) AS gain_5,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(4)) / b) END) AS gain_6,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(8)) / b) END) AS gain_7,
    sumKahan(CASE WHEN b > toFloat64(0) THEN ln(toFloat64(1) + least(toFloat64(1), bet * toFloat64(16)) / b) END) AS gain_8
  FROM weighed JOIN suspects ON weighed.shown_item = suspects.shown_item
  GROUP BY weighed.shown_item, weighed.cluster
),
-- The same by item; users who saw it again and again do not count as many.
suspect_sums AS (
  SELECT
    shown_item,
    sumKahan(own_inverses * own_inverses - toFloat64(2) * own_inverses * n) AS squares,
    sumKahan(gain_0) AS gain_0,
    sumKahan(gain_1) AS gain_1,
    sumKahan(gain_2) AS gain_2,
    sumKahan(gain_3) AS gain_3,
    sumKahan(gain_4) AS gain_4,
    sumKahan(gain_5) AS gain_5,
    sumKahan(gain_6) AS gain_6,
    sumKahan(gain_7) AS gain_7,
    sumKahan(gain_8) AS gain_8
  FROM suspect_users JOIN by_user ON suspect_users.cluster = by_user.cluster
  GROUP BY shown_item
),
-- Some users, taken by the MD5 of their ids, so that they have about 65,536 rows together.
sampled_users AS (
  SELECT
    sampled
  FROM (SELECT cluster AS sampled, n, CAST(reinterpretAsUInt16(reverse(substring(MD5(CAST(cluster AS Nullable(String))), 1, 2))) AS Nullable(Float64)) AS bucket, greatest(toFloat64(1), least(toFloat64(65536), CAST(ceil(row_count / toFloat64(65536)) AS Nullable(Float64)))) AS every FROM by_user CROSS JOIN counts) AS hashed_users
  WHERE bucket = every * floor((bucket / every)) AND n <= toFloat64(65536)
),
-- Their rows, with a number for each user in place of the id.
sample_rows AS (
  SELECT
    CAST(dense_rank() OVER (ORDER BY sampled) AS Nullable(Float64)) AS user_number,
    weighed.shown_item,
    weighed.r,
    weighed.b,
    weighed.place_shown,
    weighed.shown_at,
    weighed.number_of
  FROM weighed JOIN sampled_users ON weighed.cluster = sampled_users.sampled
)
-- All parts, one below the other; part_rows shows whether the result is whole.
SELECT part, id, CAST(count(*) OVER (PARTITION BY part) AS Nullable(Float64)) AS part_rows,
  x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14
FROM (
  SELECT CAST('setting' AS Nullable(String)) AS part, CAST('format=1' AS Nullable(String)) AS id, CAST(NULL AS Nullable(Float64)) AS x0, CAST(NULL AS Nullable(Float64)) AS x1, CAST(NULL AS Nullable(Float64)) AS x2, CAST(NULL AS Nullable(Float64)) AS x3, CAST(NULL AS Nullable(Float64)) AS x4, CAST(NULL AS Nullable(Float64)) AS x5, CAST(NULL AS Nullable(Float64)) AS x6, CAST(NULL AS Nullable(Float64)) AS x7, CAST(NULL AS Nullable(Float64)) AS x8, CAST(NULL AS Nullable(Float64)) AS x9, CAST(NULL AS Nullable(Float64)) AS x10, CAST(NULL AS Nullable(Float64)) AS x11, CAST(NULL AS Nullable(Float64)) AS x12, CAST(NULL AS Nullable(Float64)) AS x13, CAST(NULL AS Nullable(Float64)) AS x14
  UNION ALL
  SELECT CAST('setting' AS Nullable(String)), CAST('target=uniform' AS Nullable(String)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64))
  UNION ALL
  SELECT CAST('setting' AS Nullable(String)), CAST('exact' AS Nullable(String)), toFloat64(0.3333333333333333), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64))
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('rows' AS Nullable(String)), row_count, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM counts
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('users' AS Nullable(String)), CAST(count(cluster) AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM by_user
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('items' AS Nullable(String)), item_count, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM counts
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('latest_time' AS Nullable(String)), latest, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM counts
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('broken' AS Nullable(String)), broken_rows, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM faults
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('days' AS Nullable(String)), CAST(count(cluster) AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM by_day
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST(CASE WHEN place = 0 THEN 'max_weight' WHEN place = 1 THEN 'least_weight' WHEN place = 2 THEN 'heaviest' WHEN place = 3 THEN 'total_weight' WHEN place = 4 THEN 'least_propensity' WHEN place = 5 THEN 'most_propensity' WHEN place = 6 THEN 'at_least_propensity' WHEN place = 7 THEN 'tiny_propensity' WHEN place = 8 THEN 'least_reward' WHEN place = 9 THEN 'most_reward' WHEN place = 10 THEN 'other_rewards' WHEN place = 11 THEN 'most_position' WHEN place = 12 THEN 'beyond_position' END AS Nullable(String)), CAST(CASE WHEN place = 0 THEN fact_max_weight WHEN place = 1 THEN fact_least_weight WHEN place = 2 THEN fact_heaviest WHEN place = 3 THEN fact_total_weight WHEN place = 4 THEN fact_least_propensity WHEN place = 5 THEN fact_most_propensity WHEN place = 6 THEN fact_at_least_propensity WHEN place = 7 THEN fact_tiny_propensity WHEN place = 8 THEN fact_least_reward WHEN place = 9 THEN fact_most_reward WHEN place = 10 THEN fact_other_rewards WHEN place = 11 THEN fact_most_position WHEN place = 12 THEN fact_beyond_position END AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM facts CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place UNION ALL SELECT 11 AS place UNION ALL SELECT 12 AS place) AS fact_places
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('top_sum' AS Nullable(String)), above + coalesce(rest, toFloat64(0)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'top'
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('median_weight' AS Nullable(String)), edge_value, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM weight_ranks LEFT JOIN weight_edges ON weight_edges.wanted = weight_ranks.wanted WHERE weight_ranks.wanted = 'median'
  UNION ALL
  SELECT CAST('fault' AS Nullable(String)), CAST(CASE WHEN place = 0 THEN 'user missing' WHEN place = 1 THEN 'item missing' WHEN place = 2 THEN 'reward missing' WHEN place = 3 THEN 'reward out-of-range' WHEN place = 4 THEN 'propensity missing' WHEN place = 5 THEN 'propensity out-of-range' WHEN place = 6 THEN 'time missing' WHEN place = 7 THEN 'time out-of-range' WHEN place = 8 THEN 'reward overflow' WHEN place = 9 THEN 'propensity underflow' WHEN place = 10 THEN 'w overflow' END AS Nullable(String)), CAST(CASE WHEN place = 0 THEN faults_0 WHEN place = 1 THEN faults_1 WHEN place = 2 THEN faults_2 WHEN place = 3 THEN faults_3 WHEN place = 4 THEN faults_4 WHEN place = 5 THEN faults_5 WHEN place = 6 THEN faults_6 WHEN place = 7 THEN faults_7 WHEN place = 8 THEN faults_8 WHEN place = 9 THEN faults_9 WHEN place = 10 THEN faults_10 END AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM faults CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place) AS fault_places
  UNION ALL
  SELECT CAST('example' AS Nullable(String)), told, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM examples
  UNION ALL
  SELECT CAST('histogram' AS Nullable(String)), CAST(NULL AS Nullable(String)), step, n, total, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM weight_bins
  UNION ALL
  SELECT CAST('largest' AS Nullable(String)), CAST(NULL AS Nullable(String)), x, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM tail
  UNION ALL
  SELECT CAST('group-1' AS Nullable(String)), CAST(NULL AS Nullable(String)), CAST(bucket AS Nullable(Float64)), CAST(place AS Nullable(Float64)), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM each_user
  UNION ALL
  SELECT CAST('group-1' AS Nullable(String)), CAST(NULL AS Nullable(String)), CAST(bucket AS Nullable(Float64)), toFloat64(0), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM buckets_by_user
  UNION ALL
  SELECT CAST('group-2' AS Nullable(String)), CAST(cluster AS Nullable(String)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM by_day WHERE cluster IS NOT NULL
  UNION ALL
  SELECT CAST('group-both' AS Nullable(String)), CAST(NULL AS Nullable(String)), CAST(bucket AS Nullable(Float64)), CAST(place AS Nullable(Float64)), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM each_both
  UNION ALL
  SELECT CAST('group-both' AS Nullable(String)), CAST(NULL AS Nullable(String)), CAST(bucket AS Nullable(Float64)), toFloat64(0), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM buckets_by_both
  UNION ALL
  SELECT CAST('group-both' AS Nullable(String)), CAST(NULL AS Nullable(String)), CAST(bucket AS Nullable(Float64)), toFloat64(0), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM buckets_by_row
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('squared_rows' AS Nullable(String)), sumKahan(n * n), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM by_user
  UNION ALL
  SELECT CAST('activity' AS Nullable(String)), CAST(NULL AS Nullable(String)), power, clicked, user_number, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM activity
  UNION ALL
  SELECT CAST('balance' AS Nullable(String)), CAST(suspects.shown_item AS Nullable(String)), shown, inverses, row_count, judged, bet, squares, gain_0, gain_1, gain_2, gain_3, gain_4, gain_5, gain_6, gain_7, gain_8 FROM suspects JOIN suspect_sums ON suspect_sums.shown_item = suspects.shown_item
  UNION ALL
  SELECT CAST('sample' AS Nullable(String)), CAST(shown_item AS Nullable(String)), user_number, r, b, CAST(NULL AS Nullable(Float64)), shown_at, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM sample_rows
) AS all_parts
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1
