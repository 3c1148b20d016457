SELECT nullif(CAST(`a text` AS Nullable(String)), '') || '|' || CAST(`a integer` AS Nullable(String)),
CASE WHEN (CAST(`a number` AS Nullable(Float64)) IS NOT NULL AND NOT isNaN(CAST(`a number` AS Nullable(Float64)))) AND abs(CAST(`a number` AS Nullable(Float64))) <= toFloat64(9007199254740991) AND CAST(`a number` AS Nullable(Float64)) = floor(CAST(`a number` AS Nullable(Float64))) THEN CAST(CAST(CAST(`a number` AS Nullable(Float64)) AS BIGINT) AS Nullable(String)) END,
CASE WHEN lower(CAST(`a text` AS Nullable(String))) IN ('true', 'yes', 'y', 't') THEN toFloat64(1) WHEN lower(CAST(`a text` AS Nullable(String))) IN ('false', 'no', 'n', 'f') THEN toFloat64(0) ELSE CASE WHEN match(CAST(`a text` AS Nullable(String)), '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$') THEN toFloat64OrNull(trim(CAST(`a text` AS Nullable(String)))) END END,
CASE WHEN `a boolean` THEN toFloat64(1) WHEN NOT `a boolean` THEN toFloat64(0) END,
CAST(toUnixTimestamp64Micro(toDateTime64(`a time`, 6, 'UTC')) AS Nullable(Float64)) / 1000,
CAST(toUnixTimestamp64Micro(toDateTime64(`a instant`, 6, 'UTC')) AS Nullable(Float64)) / 1000,
CAST(toUnixTimestamp64Micro(toDateTime64(`a date`, 6, 'UTC')) AS Nullable(Float64)) / 1000
FROM `impressions`
