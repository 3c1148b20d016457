SELECT nullif(CAST("a text" AS VARCHAR), '') || '|' || CAST("a integer" AS VARCHAR),
CASE WHEN (CAST("a number" AS DOUBLE) IS NOT NULL AND NOT isnan(CAST("a number" AS DOUBLE))) AND abs(CAST("a number" AS DOUBLE)) <= CAST('9007199254740991' AS DOUBLE) AND CAST("a number" AS DOUBLE) = floor(CAST("a number" AS DOUBLE)) THEN CAST(CAST(CAST("a number" AS DOUBLE) AS BIGINT) AS VARCHAR) END,
CASE WHEN lower(CAST("a text" AS VARCHAR)) IN ('true', 'yes', 'y', 't') THEN CAST('1' AS DOUBLE) WHEN lower(CAST("a text" AS VARCHAR)) IN ('false', 'no', 'n', 'f') THEN CAST('0' AS DOUBLE) ELSE TRY_CAST(CAST("a text" AS VARCHAR) AS DOUBLE) END,
CASE WHEN "a boolean" THEN CAST('1' AS DOUBLE) WHEN NOT "a boolean" THEN CAST('0' AS DOUBLE) END,
CAST(epoch_us("a time") AS DOUBLE) / 1000,
CAST(epoch_us("a instant") AS DOUBLE) / 1000,
CAST(epoch_us("a date") AS DOUBLE) / 1000
FROM "impressions"
