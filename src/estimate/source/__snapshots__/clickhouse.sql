-- Sums for Hindcast.
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
-- How often each item was shown.
item_rows AS (
  SELECT
    c_item AS shown_item,
    CAST(count(*) AS Nullable(Float64)) AS shown,
    max(c_time) AS latest
  FROM cells
  GROUP BY c_item
),
-- One row: how many rows and items there are, and the latest time.
counts AS (
  SELECT
    coalesce(sumKahan(shown), toFloat64(0)) AS row_count,
    CAST(count(shown_item) AS Nullable(Float64)) AS item_count,
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
-- The rows of the log for what is asked of them; u and i are the buckets of their user and item.
asked_rows AS (
  SELECT
    cluster AS user_key,
    shown_item AS item_key,
    r AS r,
    w AS w,
    b AS b,
    shown_at AS t,
    CAST(CASE WHEN length(CAST(cluster AS Nullable(String))) BETWEEN 1 AND 18 AND translate(CAST(cluster AS Nullable(String)), '0123456789', '') = '' THEN mod(mod(CAST(CAST(cluster AS Nullable(String)) AS BIGINT), 65521) * 40503, 65521) ELSE reinterpretAsUInt16(reverse(substring(MD5(CAST(cluster AS Nullable(String))), 1, 2))) END AS Nullable(Float64)) AS u,
    CAST(CASE WHEN length(CAST(shown_item AS Nullable(String))) BETWEEN 1 AND 18 AND translate(CAST(shown_item AS Nullable(String)), '0123456789', '') = '' THEN mod(mod(CAST(CAST(shown_item AS Nullable(String)) AS BIGINT), 65521) * 40503, 65521) ELSE reinterpretAsUInt16(reverse(substring(MD5(CAST(shown_item AS Nullable(String))), 1, 2))) END AS Nullable(Float64)) AS i,
    CAST(shown_on AS Nullable(Float64)) AS d
  FROM (SELECT * FROM weighed WHERE NOT broken) AS sound_rows
),
-- For each group of rows: logRows, leastPropensity.
asked_x0 AS (
  SELECT
    sumKahan(toFloat64(1)) AS x0,
    min(b) AS x2
  FROM asked_rows
),
-- The rows with logRows, userRows, leastPropensity.
asked_with_x0 AS (
  SELECT
    r,
    w,
    b,
    u,
    d,
    x0,
    sumKahan(toFloat64(1)) OVER (PARTITION BY user_key) AS x1,
    x2,
    item_key
  FROM asked_rows CROSS JOIN asked_x0
),
-- Sums by cell: log.moments by user.
asked_sums_0 AS (
  SELECT
    cell,
    sumKahan(v0) AS s0,
    sumKahan(v1) AS s1,
    sumKahan(v2) AS s2,
    sumKahan(v3) AS s3,
    sumKahan(v4) AS s4,
    sumKahan(v5) AS s5
  FROM (SELECT CASE WHEN l0 >= toFloat64(0) AND l0 < toFloat64(65536) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5 FROM (SELECT u AS l0, toFloat64(1) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.moments by day, log.days.
asked_sums_1 AS (
  SELECT
    cell,
    sumKahan(v0) AS s0,
    sumKahan(v1) AS s1,
    sumKahan(v2) AS s2,
    sumKahan(v3) AS s3,
    sumKahan(v4) AS s4,
    sumKahan(v5) AS s5,
    sumKahan(v6) AS s6
  FROM (SELECT CASE WHEN l0 >= toFloat64(0) AND l0 < toFloat64(65536) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5, v6 FROM (SELECT (d - (floor((d / toFloat64(65536))) * toFloat64(65536))) AS l0, toFloat64(1) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5, toFloat64(1) AS v6 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.moments by user×day.
asked_sums_2 AS (
  SELECT
    cell,
    sumKahan(v0) AS s0,
    sumKahan(v1) AS s1,
    sumKahan(v2) AS s2,
    sumKahan(v3) AS s3,
    sumKahan(v4) AS s4,
    sumKahan(v5) AS s5
  FROM (SELECT CASE WHEN l0 >= toFloat64(0) AND l0 < toFloat64(65536) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5 FROM (SELECT ((u + ((d - (floor((d / toFloat64(65536))) * toFloat64(65536))) * toFloat64(40503))) - (floor(((u + ((d - (floor((d / toFloat64(65536))) * toFloat64(65536))) * toFloat64(40503))) / toFloat64(65536))) * toFloat64(65536))) AS l0, toFloat64(1) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.facts.
asked_sums_3 AS (
  SELECT
    cell,
    sumKahan(v0) AS s0,
    sumKahan(v1) AS s1,
    sumKahan(v2) AS s2,
    sumKahan(v3) AS s3,
    min(v4) AS s4,
    min(v5) AS s5,
    max(v6) AS s6,
    max(v7) AS s7,
    max(v8) AS s8
  FROM (SELECT 0 AS cell, v0, v1, v2, v3, v4, v5, v6, v7, v8 FROM (SELECT (toFloat64(1) / x1) AS v0, w AS v1, (CASE WHEN r = toFloat64(0) THEN toFloat64(0) ELSE toFloat64(1) END * CASE WHEN r = toFloat64(1) THEN toFloat64(0) ELSE toFloat64(1) END) AS v2, CASE WHEN b = x2 THEN toFloat64(1) ELSE toFloat64(0) END AS v3, r AS v4, CASE WHEN w > toFloat64(0) THEN w ELSE toFloat64(inf) END AS v5, r AS v6, w AS v7, w AS v8 FROM asked_with_x0) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.weights.
asked_sums_4 AS (
  SELECT
    cell,
    sumKahan(v0) AS s0,
    sumKahan(v1) AS s1
  FROM (SELECT CASE WHEN l0 >= toFloat64(0) AND l0 < toFloat64(60000) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1 FROM (SELECT CASE WHEN w > toFloat64(0) THEN (floor(((ln(greatest(w, toFloat64(1e-300))) * toFloat64(43.42944819032518)) + toFloat64(1e-9))) + toFloat64(30000)) ELSE toFloat64(-1) END AS l0, toFloat64(1) AS v0, w AS v1 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- The largest numbers: log.weights.
asked_largest_0 AS (
  SELECT
    w AS x,
    (least((x0 * toFloat64(0.2)), (exp(greatest(toFloat64(-345), least(toFloat64(345), (ln(greatest(x0, toFloat64(1e-300))) * toFloat64(0.5))))) * toFloat64(3))) + toFloat64(2)) AS wanted
  FROM asked_with_x0
  ORDER BY x DESC
  LIMIT 65536
)
-- All parts, one below the other; part_rows shows whether the result is whole.
SELECT part, id, CAST(count(*) OVER (PARTITION BY part) AS Nullable(Float64)) AS part_rows,
  x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10
FROM (
  SELECT CAST('setting' AS Nullable(String)) AS part, setting AS id, CAST(NULL AS Nullable(Float64)) AS x0, CAST(NULL AS Nullable(Float64)) AS x1, CAST(NULL AS Nullable(Float64)) AS x2, CAST(NULL AS Nullable(Float64)) AS x3, CAST(NULL AS Nullable(Float64)) AS x4, CAST(NULL AS Nullable(Float64)) AS x5, CAST(NULL AS Nullable(Float64)) AS x6, CAST(NULL AS Nullable(Float64)) AS x7, CAST(NULL AS Nullable(Float64)) AS x8, CAST(NULL AS Nullable(Float64)) AS x9, CAST(NULL AS Nullable(Float64)) AS x10 FROM (SELECT CAST('format=3' AS Nullable(String)) AS setting UNION ALL SELECT CAST('table=shop.impressions' AS Nullable(String)) AS setting UNION ALL SELECT CAST('dialect=clickhouse' AS Nullable(String)) AS setting UNION ALL SELECT CAST('target=uniform' AS Nullable(String)) AS setting UNION ALL SELECT CAST('propensity=logged' AS Nullable(String)) AS setting UNION ALL SELECT CAST('holds=hasTimes' AS Nullable(String)) AS setting UNION ALL SELECT CAST('model=none' AS Nullable(String)) AS setting UNION ALL SELECT CAST('estimators=ips,snips' AS Nullable(String)) AS setting UNION ALL SELECT CAST('cluster=auto' AS Nullable(String)) AS setting UNION ALL SELECT CAST('ways=user+day' AS Nullable(String)) AS setting UNION ALL SELECT CAST('batch=47284bce' AS Nullable(String)) AS setting UNION ALL SELECT CAST('fingerprint=4c941de9' AS Nullable(String)) AS setting) AS settings
  UNION ALL
  SELECT CAST('setting' AS Nullable(String)), CAST('exact' AS Nullable(String)), toFloat64(0.3333333333333333), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64))
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('rows' AS Nullable(String)), row_count, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM counts
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('items' AS Nullable(String)), item_count, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM counts
  UNION ALL
  SELECT CAST('fact' AS Nullable(String)), CAST('broken' AS Nullable(String)), broken_rows, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM faults
  UNION ALL
  SELECT CAST('fault' AS Nullable(String)), CAST(CASE WHEN place = 0 THEN 'user missing' WHEN place = 1 THEN 'item missing' WHEN place = 2 THEN 'reward missing' WHEN place = 3 THEN 'reward out-of-range' WHEN place = 4 THEN 'propensity missing' WHEN place = 5 THEN 'propensity out-of-range' WHEN place = 6 THEN 'time missing' WHEN place = 7 THEN 'time out-of-range' WHEN place = 8 THEN 'reward overflow' WHEN place = 9 THEN 'propensity underflow' WHEN place = 10 THEN 'w overflow' END AS Nullable(String)), CAST(CASE WHEN place = 0 THEN faults_0 WHEN place = 1 THEN faults_1 WHEN place = 2 THEN faults_2 WHEN place = 3 THEN faults_3 WHEN place = 4 THEN faults_4 WHEN place = 5 THEN faults_5 WHEN place = 6 THEN faults_6 WHEN place = 7 THEN faults_7 WHEN place = 8 THEN faults_8 WHEN place = 9 THEN faults_9 WHEN place = 10 THEN faults_10 END AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM faults CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place) AS fault_places
  UNION ALL
  SELECT CAST('example' AS Nullable(String)), told, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM examples
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(0), CAST(cell AS Nullable(Float64)), s0, s1, s2, s3, s4, s5, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM asked_sums_0
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(1), CAST(cell AS Nullable(Float64)), s0, s1, s2, s3, s4, s5, s6, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM asked_sums_1
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(2), CAST(cell AS Nullable(Float64)), s0, s1, s2, s3, s4, s5, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM asked_sums_2
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(3), CAST(cell AS Nullable(Float64)), s0, s1, s2, s3, s4, s5, s6, s7, s8 FROM asked_sums_3
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(4), CAST(cell AS Nullable(Float64)), s0, s1, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM asked_sums_4
  UNION ALL
  SELECT CAST('answer' AS Nullable(String)), CAST('' AS Nullable(String)), toFloat64(7), x, CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)), CAST(NULL AS Nullable(Float64)) FROM (SELECT x, wanted, row_number() OVER (ORDER BY x DESC) AS place FROM asked_largest_0) AS largest_0 WHERE place <= wanted
) AS all_parts
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1, max_ast_elements = 1000000, max_expanded_ast_elements = 1000000, query_plan_max_optimizations_to_apply = 1000000
