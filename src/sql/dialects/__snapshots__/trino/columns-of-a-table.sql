SELECT nullif(CAST("a text" AS VARCHAR), '') || '|' || CAST("a integer" AS VARCHAR),
CASE WHEN (CAST("a number" AS DOUBLE) IS NOT NULL AND NOT is_nan(CAST("a number" AS DOUBLE))) AND abs(CAST("a number" AS DOUBLE)) <= DOUBLE '9007199254740991' AND CAST("a number" AS DOUBLE) = floor(CAST("a number" AS DOUBLE)) THEN CAST(CAST(CAST("a number" AS DOUBLE) AS BIGINT) AS VARCHAR) END,
CASE WHEN lower(CAST("a text" AS VARCHAR)) IN ('true', 'yes', 'y', 't') THEN DOUBLE '1' WHEN lower(CAST("a text" AS VARCHAR)) IN ('false', 'no', 'n', 'f') THEN DOUBLE '0' ELSE CASE WHEN regexp_like(CAST("a text" AS VARCHAR), '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$') THEN TRY_CAST(trim(CAST("a text" AS VARCHAR)) AS DOUBLE) END END,
CASE WHEN "a boolean" THEN DOUBLE '1' WHEN NOT "a boolean" THEN DOUBLE '0' END,
to_unixtime(with_timezone(CAST("a time" AS TIMESTAMP(6)), 'UTC')) * 1000,
to_unixtime("a instant") * 1000,
to_unixtime(with_timezone(CAST("a date" AS TIMESTAMP(6)), 'UTC')) * 1000
FROM "impressions"
