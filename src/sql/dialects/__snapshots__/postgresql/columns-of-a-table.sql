SELECT nullif(CAST("a text" AS text), '') || '|' || CAST("a integer" AS text),
CASE WHEN (CAST("a number" AS double precision) IS NOT NULL AND CAST("a number" AS double precision) <> 'NaN') AND abs(CAST("a number" AS double precision)) <= CAST('9007199254740991' AS double precision) AND CAST("a number" AS double precision) = floor(CAST("a number" AS double precision)) THEN CAST(CAST(CAST("a number" AS double precision) AS BIGINT) AS text) END,
CASE WHEN "a text" ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?\s*$' THEN CAST("a text" AS double precision) END,
CASE WHEN "a boolean" THEN CAST('1' AS double precision) WHEN NOT "a boolean" THEN CAST('0' AS double precision) END,
CAST(extract(epoch FROM CAST("a time" AS timestamp)) AS double precision) * 1000,
CAST(extract(epoch FROM "a instant") AS double precision) * 1000,
CAST(extract(epoch FROM CAST("a date" AS timestamp)) AS double precision) * 1000
FROM "impressions"
