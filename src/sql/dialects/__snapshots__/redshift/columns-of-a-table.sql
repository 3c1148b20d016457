SELECT nullif(CAST("a text" AS varchar(65535)), '') || '|' || CAST("a integer" AS varchar(65535)),
CASE WHEN (CAST("a number" AS double precision) IS NOT NULL AND CAST("a number" AS double precision) <= CAST('Infinity' AS double precision)) AND abs(CAST("a number" AS double precision)) <= CAST('9007199254740991' AS double precision) AND CAST("a number" AS double precision) = floor(CAST("a number" AS double precision)) THEN CAST(CAST(CAST("a number" AS double precision) AS BIGINT) AS varchar(65535)) END,
CASE WHEN lower(CAST("a text" AS varchar(65535))) IN ('true', 'yes', 'y', 't') THEN CAST('1' AS double precision) WHEN lower(CAST("a text" AS varchar(65535))) IN ('false', 'no', 'n', 'f') THEN CAST('0' AS double precision) ELSE CASE WHEN CAST("a text" AS varchar(65535)) ~ '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})? *$' THEN CAST(TRIM(CAST("a text" AS varchar(65535))) AS double precision) END END,
CASE WHEN "a boolean" THEN CAST('1' AS double precision) WHEN NOT "a boolean" THEN CAST('0' AS double precision) END,
CAST(DATEDIFF(microsecond, CAST('1970-01-01' AS timestamp), CAST("a time" AS timestamp)) AS double precision) / 1000,
CAST(DATEDIFF(microsecond, CAST('1970-01-01' AS timestamp), "a instant" AT TIME ZONE 'UTC') AS double precision) / 1000,
CAST(DATEDIFF(microsecond, CAST('1970-01-01' AS timestamp), CAST("a date" AS timestamp)) AS double precision) / 1000
FROM "impressions"
