SELECT nullif(CAST("a text" AS text) COLLATE "C", '') || '|' || CAST("a integer" AS text) COLLATE "C",
CASE WHEN (CAST("a number" AS double precision) IS NOT NULL AND CAST("a number" AS double precision) <> 'NaN') AND abs(CAST("a number" AS double precision)) <= CAST('9007199254740991' AS double precision) AND CAST("a number" AS double precision) = floor(CAST("a number" AS double precision)) THEN CAST(CAST(CAST("a number" AS double precision) AS BIGINT) AS text) COLLATE "C" END,
CASE WHEN "a text" ~ '^[ \t\n\r]*[+-]?([0-9]{1,100}\.?[0-9]{0,100}|\.[0-9]{1,100})([eE][+-]?[0-9]{1,2})?[ \t\n\r]*$' THEN CAST("a text" AS double precision) WHEN "a text" ~ '^[ \t\n\r]*[+-]?([0-9]{1,100}\.?[0-9]{0,100}|\.[0-9]{1,100})([eE][+-]?[0-9]{1,3})?[ \t\n\r]*$' THEN CASE WHEN abs(CAST("a text" AS numeric)) >= 1.797693134862315808e308 THEN sign(CAST("a text" AS numeric)) * CAST('Infinity' AS double precision) WHEN abs(CAST("a text" AS numeric)) < 5e-324 THEN 0 ELSE CAST(CAST("a text" AS numeric) AS double precision) END WHEN lower("a text") ~ '^[ \t\n\r]*[+-]?inf(inity)?[ \t\n\r]*$' THEN CAST("a text" AS double precision) END,
CASE WHEN "a boolean" THEN CAST('1' AS double precision) WHEN NOT "a boolean" THEN CAST('0' AS double precision) END,
CAST(extract(epoch FROM CAST("a time" AS timestamp)) * 1000 AS double precision),
CAST(extract(epoch FROM "a instant") * 1000 AS double precision),
CAST(extract(epoch FROM CAST("a date" AS timestamp)) * 1000 AS double precision)
FROM "impressions"
