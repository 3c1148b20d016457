-- Sums for Hindcast.
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
-- How often each item was shown.
item_rows AS (
  SELECT
    c_item AS shown_item,
    CAST(count(*) AS DOUBLE) AS shown,
    max(c_time) AS latest
  FROM cells
  GROUP BY c_item
),
-- One row: how many rows and items there are, and the latest time.
counts AS (
  SELECT
    coalesce(sum(shown), CAST('0' AS DOUBLE)) AS row_count,
    CAST(count(shown_item) AS DOUBLE) AS item_count,
    max(latest) AS latest,
    CASE WHEN max(latest) >= CAST('100000000000000000' AS DOUBLE) THEN CAST('86400000000000' AS DOUBLE) WHEN max(latest) >= CAST('100000000000000' AS DOUBLE) THEN CAST('86400000000' AS DOUBLE) WHEN max(latest) >= CAST('100000000000' AS DOUBLE) THEN CAST('86400000' AS DOUBLE) WHEN max(latest) >= CAST('100000000' AS DOUBLE) THEN CAST('86400' AS DOUBLE) END AS day_length
  FROM item_rows
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
  FROM (SELECT grouped_by AS cluster, CAST('1' AS DOUBLE) AS number_of, in_reward AS r, (CAST('1' AS DOUBLE) / of_items) / in_propensity AS w, CAST(NULL AS DOUBLE) AS q, CAST(NULL AS DOUBLE) AS v, in_propensity AS b, in_time AS shown_at, CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND NOT isnan(in_reward) AND in_reward >= CAST('-1e+50' AS DOUBLE) AND in_reward <= CAST('1e+50' AS DOUBLE) AND NOT isnan(in_propensity) AND in_propensity >= CAST('1e-50' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND NOT isnan(in_time) AND in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE) AND (CAST('1' AS DOUBLE) / of_items) <= in_propensity * CAST('1e+50' AS DOUBLE) THEN 1 = 0 ELSE 1 = 1 END AS broken, 1 = 0 AS unpredicted, (in_user IS NULL) AS fault_0, (in_item IS NULL) AS fault_1, (NOT (in_reward IS NOT NULL AND NOT isnan(in_reward))) AS fault_2, ((in_reward IS NOT NULL AND NOT isnan(in_reward)) AND NOT (in_reward >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_reward <= CAST('1.7976931348623157e+308' AS DOUBLE))) AS fault_3, (NOT (in_propensity IS NOT NULL AND NOT isnan(in_propensity))) AS fault_4, ((in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND NOT (in_propensity >= CAST('5e-324' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE))) AS fault_5, (NOT (in_time IS NOT NULL AND NOT isnan(in_time))) AS fault_6, ((in_time IS NOT NULL AND NOT isnan(in_time)) AND NOT (in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE))) AS fault_7, ((in_reward IS NOT NULL AND NOT isnan(in_reward)) AND in_reward >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_reward <= CAST('1.7976931348623157e+308' AS DOUBLE) AND abs(in_reward) > CAST('1e+50' AS DOUBLE)) AS fault_8, ((in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND in_propensity >= CAST('5e-324' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND in_propensity < CAST('1e-50' AS DOUBLE)) AS fault_9, (((CAST('1' AS DOUBLE) / of_items) IS NOT NULL AND NOT isnan((CAST('1' AS DOUBLE) / of_items))) AND (in_propensity IS NOT NULL AND NOT isnan(in_propensity)) AND in_propensity > CAST('0' AS DOUBLE) AND NOT ((CAST('1' AS DOUBLE) / of_items) <= in_propensity * CAST('1e+50' AS DOUBLE))) AS fault_10, log_rows.in_user, log_rows.in_item, log_rows.in_reward, log_rows.in_propensity, log_rows.in_time, log_rows.of_items, log_rows.shown_item, log_rows.place_shown, log_rows.shown_on, log_rows.other_cluster FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS DOUBLE) AS place_shown, CASE WHEN NOT isnan(cells.c_time) AND abs(cells.c_time) < CAST('10000000000000000000' AS DOUBLE) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS VARCHAR) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows ) AS every_row
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
weighed AS NOT MATERIALIZED (
  SELECT
    grouped_by AS cluster,
    CAST('1' AS DOUBLE) AS number_of,
    in_reward AS r,
    (CAST('1' AS DOUBLE) / of_items) / in_propensity AS w,
    CAST(NULL AS DOUBLE) AS q,
    CAST(NULL AS DOUBLE) AS v,
    in_propensity AS b,
    in_time AS shown_at,
    CASE WHEN in_user IS NOT NULL AND in_item IS NOT NULL AND NOT isnan(in_reward) AND in_reward >= CAST('-1e+50' AS DOUBLE) AND in_reward <= CAST('1e+50' AS DOUBLE) AND NOT isnan(in_propensity) AND in_propensity >= CAST('1e-50' AS DOUBLE) AND in_propensity <= CAST('1' AS DOUBLE) AND NOT isnan(in_time) AND in_time >= CAST('-1.7976931348623157e+308' AS DOUBLE) AND in_time <= CAST('1.7976931348623157e+308' AS DOUBLE) AND (CAST('1' AS DOUBLE) / of_items) <= in_propensity * CAST('1e+50' AS DOUBLE) THEN 1 = 0 ELSE 1 = 1 END AS broken,
    1 = 0 AS unpredicted,
    log_rows.of_items,
    log_rows.shown_item,
    log_rows.place_shown,
    log_rows.shown_on,
    log_rows.other_cluster
  FROM (SELECT cells.c_user AS grouped_by, cells.c_user AS in_user, cells.c_item AS in_item, cells.c_reward AS in_reward, cells.c_propensity AS in_propensity, cells.c_time AS in_time, counts.item_count AS of_items, cells.c_item AS shown_item, CAST(NULL AS DOUBLE) AS place_shown, CASE WHEN NOT isnan(cells.c_time) AND abs(cells.c_time) < CAST('10000000000000000000' AS DOUBLE) THEN CAST(floor(cells.c_time / counts.day_length) AS BIGINT) END AS shown_on, CAST(NULL AS VARCHAR) AS other_cluster FROM cells CROSS JOIN counts) AS log_rows 
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
    CAST(CASE WHEN length(CAST(cluster AS VARCHAR)) BETWEEN 1 AND 18 AND translate(CAST(cluster AS VARCHAR), '0123456789', '') = '' THEN mod(mod(CAST(CAST(cluster AS VARCHAR) AS BIGINT), 65521) * 40503, 65521) ELSE CAST('0x' || substr(md5(CAST(cluster AS VARCHAR)), 1, 4) AS INTEGER) END AS DOUBLE) AS u,
    CAST(CASE WHEN length(CAST(shown_item AS VARCHAR)) BETWEEN 1 AND 18 AND translate(CAST(shown_item AS VARCHAR), '0123456789', '') = '' THEN mod(mod(CAST(CAST(shown_item AS VARCHAR) AS BIGINT), 65521) * 40503, 65521) ELSE CAST('0x' || substr(md5(CAST(shown_item AS VARCHAR)), 1, 4) AS INTEGER) END AS DOUBLE) AS i,
    CAST(shown_on AS DOUBLE) AS d
  FROM (SELECT * FROM weighed WHERE NOT broken) AS sound_rows
),
-- For each group of rows: logRows, leastPropensity.
asked_x0 AS (
  SELECT
    sum(CAST('1' AS DOUBLE)) AS x0,
    min(b) AS x2
  FROM asked_rows
),
-- For each group of rows: userRows.
asked_x1 AS (
  SELECT
    user_key AS key_0,
    sum(CAST('1' AS DOUBLE)) AS x1
  FROM asked_rows
  GROUP BY user_key
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
    x1,
    x2,
    item_key
  FROM asked_rows CROSS JOIN asked_x0 LEFT JOIN asked_x1 ON asked_x1.key_0 = user_key
),
-- Sums by cell: log.moments by user.
asked_sums_0 AS (
  SELECT
    cell,
    sum(v0) AS s0,
    sum(v1) AS s1,
    sum(v2) AS s2,
    sum(v3) AS s3,
    sum(v4) AS s4,
    sum(v5) AS s5
  FROM (SELECT CASE WHEN l0 >= CAST('0' AS DOUBLE) AND l0 < CAST('65536' AS DOUBLE) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5 FROM (SELECT u AS l0, CAST('1' AS DOUBLE) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.moments by day, log.days.
asked_sums_1 AS (
  SELECT
    cell,
    sum(v0) AS s0,
    sum(v1) AS s1,
    sum(v2) AS s2,
    sum(v3) AS s3,
    sum(v4) AS s4,
    sum(v5) AS s5,
    sum(v6) AS s6
  FROM (SELECT CASE WHEN l0 >= CAST('0' AS DOUBLE) AND l0 < CAST('65536' AS DOUBLE) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5, v6 FROM (SELECT (d - (floor((d / CAST('65536' AS DOUBLE))) * CAST('65536' AS DOUBLE))) AS l0, CAST('1' AS DOUBLE) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5, CAST('1' AS DOUBLE) AS v6 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.moments by user×day.
asked_sums_2 AS (
  SELECT
    cell,
    sum(v0) AS s0,
    sum(v1) AS s1,
    sum(v2) AS s2,
    sum(v3) AS s3,
    sum(v4) AS s4,
    sum(v5) AS s5
  FROM (SELECT CASE WHEN l0 >= CAST('0' AS DOUBLE) AND l0 < CAST('65536' AS DOUBLE) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1, v2, v3, v4, v5 FROM (SELECT ((u + ((d - (floor((d / CAST('65536' AS DOUBLE))) * CAST('65536' AS DOUBLE))) * CAST('40503' AS DOUBLE))) - (floor(((u + ((d - (floor((d / CAST('65536' AS DOUBLE))) * CAST('65536' AS DOUBLE))) * CAST('40503' AS DOUBLE))) / CAST('65536' AS DOUBLE))) * CAST('65536' AS DOUBLE))) AS l0, CAST('1' AS DOUBLE) AS v0, (w * r) AS v1, w AS v2, r AS v3, (w * w) AS v4, ((w * r) * (w * r)) AS v5 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.facts.
asked_sums_3 AS (
  SELECT
    cell,
    sum(v0) AS s0,
    sum(v1) AS s1,
    sum(v2) AS s2,
    sum(v3) AS s3,
    min(v4) AS s4,
    min(v5) AS s5,
    max(v6) AS s6,
    max(v7) AS s7,
    max(v8) AS s8
  FROM (SELECT 0 AS cell, v0, v1, v2, v3, v4, v5, v6, v7, v8 FROM (SELECT (CAST('1' AS DOUBLE) / x1) AS v0, w AS v1, (CASE WHEN r = CAST('0' AS DOUBLE) THEN CAST('0' AS DOUBLE) ELSE CAST('1' AS DOUBLE) END * CASE WHEN r = CAST('1' AS DOUBLE) THEN CAST('0' AS DOUBLE) ELSE CAST('1' AS DOUBLE) END) AS v2, CASE WHEN b = x2 THEN CAST('1' AS DOUBLE) ELSE CAST('0' AS DOUBLE) END AS v3, r AS v4, CASE WHEN w > CAST('0' AS DOUBLE) THEN w ELSE CAST('inf' AS DOUBLE) END AS v5, r AS v6, w AS v7, w AS v8 FROM asked_with_x0) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- Sums by cell: log.weights.
asked_sums_4 AS (
  SELECT
    cell,
    sum(v0) AS s0,
    sum(v1) AS s1
  FROM (SELECT CASE WHEN l0 >= CAST('0' AS DOUBLE) AND l0 < CAST('60000' AS DOUBLE) THEN CAST(l0 AS BIGINT) END AS cell, v0, v1 FROM (SELECT CASE WHEN w > CAST('0' AS DOUBLE) THEN (floor(((ln(greatest(w, CAST('1e-300' AS DOUBLE))) * CAST('43.42944819032518' AS DOUBLE)) + CAST('1e-9' AS DOUBLE))) + CAST('30000' AS DOUBLE)) ELSE CAST('-1' AS DOUBLE) END AS l0, CAST('1' AS DOUBLE) AS v0, w AS v1 FROM asked_rows) AS numbered_rows) AS celled_rows
  WHERE cell IS NOT NULL
  GROUP BY cell
),
-- The largest numbers: log.weights.
asked_largest_0 AS (
  SELECT
    w AS x,
    (least((x0 * CAST('0.2' AS DOUBLE)), (exp(greatest(CAST('-345' AS DOUBLE), least(CAST('345' AS DOUBLE), (ln(greatest(x0, CAST('1e-300' AS DOUBLE))) * CAST('0.5' AS DOUBLE))))) * CAST('3' AS DOUBLE))) + CAST('2' AS DOUBLE)) AS wanted
  FROM asked_with_x0
  ORDER BY x DESC
  LIMIT 65536
)
-- All parts, one below the other; part_rows shows whether the result is whole.
SELECT part, id, CAST(count(*) OVER (PARTITION BY part) AS DOUBLE) AS part_rows,
  x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10
FROM (
  SELECT CAST('setting' AS VARCHAR) AS part, setting AS id, CAST(NULL AS DOUBLE) AS x0, CAST(NULL AS DOUBLE) AS x1, CAST(NULL AS DOUBLE) AS x2, CAST(NULL AS DOUBLE) AS x3, CAST(NULL AS DOUBLE) AS x4, CAST(NULL AS DOUBLE) AS x5, CAST(NULL AS DOUBLE) AS x6, CAST(NULL AS DOUBLE) AS x7, CAST(NULL AS DOUBLE) AS x8, CAST(NULL AS DOUBLE) AS x9, CAST(NULL AS DOUBLE) AS x10 FROM (SELECT CAST('format=3' AS VARCHAR) AS setting UNION ALL SELECT CAST('table=shop.impressions' AS VARCHAR) AS setting UNION ALL SELECT CAST('dialect=duckdb' AS VARCHAR) AS setting UNION ALL SELECT CAST('target=uniform' AS VARCHAR) AS setting UNION ALL SELECT CAST('propensity=logged' AS VARCHAR) AS setting UNION ALL SELECT CAST('holds=hasTimes' AS VARCHAR) AS setting UNION ALL SELECT CAST('model=none' AS VARCHAR) AS setting UNION ALL SELECT CAST('estimators=ips,snips' AS VARCHAR) AS setting UNION ALL SELECT CAST('cluster=auto' AS VARCHAR) AS setting UNION ALL SELECT CAST('ways=user+day' AS VARCHAR) AS setting UNION ALL SELECT CAST('batch=47284bce' AS VARCHAR) AS setting UNION ALL SELECT CAST('fingerprint=9960a5d8' AS VARCHAR) AS setting) AS settings
  UNION ALL
  SELECT CAST('setting' AS VARCHAR), CAST('exact' AS VARCHAR), CAST('0.3333333333333333' AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('rows' AS VARCHAR), row_count, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM counts
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('items' AS VARCHAR), item_count, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM counts
  UNION ALL
  SELECT CAST('fact' AS VARCHAR), CAST('broken' AS VARCHAR), broken_rows, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM faults
  UNION ALL
  SELECT CAST('fault' AS VARCHAR), CAST(CASE WHEN place = 0 THEN 'user missing' WHEN place = 1 THEN 'item missing' WHEN place = 2 THEN 'reward missing' WHEN place = 3 THEN 'reward out-of-range' WHEN place = 4 THEN 'propensity missing' WHEN place = 5 THEN 'propensity out-of-range' WHEN place = 6 THEN 'time missing' WHEN place = 7 THEN 'time out-of-range' WHEN place = 8 THEN 'reward overflow' WHEN place = 9 THEN 'propensity underflow' WHEN place = 10 THEN 'w overflow' END AS VARCHAR), CAST(CASE WHEN place = 0 THEN faults_0 WHEN place = 1 THEN faults_1 WHEN place = 2 THEN faults_2 WHEN place = 3 THEN faults_3 WHEN place = 4 THEN faults_4 WHEN place = 5 THEN faults_5 WHEN place = 6 THEN faults_6 WHEN place = 7 THEN faults_7 WHEN place = 8 THEN faults_8 WHEN place = 9 THEN faults_9 WHEN place = 10 THEN faults_10 END AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM faults CROSS JOIN (SELECT 0 AS place UNION ALL SELECT 1 AS place UNION ALL SELECT 2 AS place UNION ALL SELECT 3 AS place UNION ALL SELECT 4 AS place UNION ALL SELECT 5 AS place UNION ALL SELECT 6 AS place UNION ALL SELECT 7 AS place UNION ALL SELECT 8 AS place UNION ALL SELECT 9 AS place UNION ALL SELECT 10 AS place) AS fault_places
  UNION ALL
  SELECT CAST('example' AS VARCHAR), told, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM examples
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('0' AS DOUBLE), CAST(cell AS DOUBLE), s0, s1, s2, s3, s4, s5, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM asked_sums_0
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('1' AS DOUBLE), CAST(cell AS DOUBLE), s0, s1, s2, s3, s4, s5, s6, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM asked_sums_1
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('2' AS DOUBLE), CAST(cell AS DOUBLE), s0, s1, s2, s3, s4, s5, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM asked_sums_2
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('3' AS DOUBLE), CAST(cell AS DOUBLE), s0, s1, s2, s3, s4, s5, s6, s7, s8 FROM asked_sums_3
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('4' AS DOUBLE), CAST(cell AS DOUBLE), s0, s1, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM asked_sums_4
  UNION ALL
  SELECT CAST('answer' AS VARCHAR), CAST('' AS VARCHAR), CAST('7' AS DOUBLE), x, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE) FROM (SELECT x, wanted, row_number() OVER (ORDER BY x DESC) AS place FROM asked_largest_0) AS largest_0 WHERE place <= wanted
) AS all_parts
