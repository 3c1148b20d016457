SELECT nullif(CAST(`a text` AS STRING), '') || '|' || CAST(`a integer` AS STRING),
CASE WHEN (CAST(`a number` AS DOUBLE) IS NOT NULL AND NOT isnan(CAST(`a number` AS DOUBLE))) AND abs(CAST(`a number` AS DOUBLE)) <= CAST('9007199254740991' AS DOUBLE) AND CAST(`a number` AS DOUBLE) = CASE WHEN abs(CAST(`a number` AS DOUBLE)) < CAST('9007199254740992' AS DOUBLE) THEN CAST(floor(CAST(`a number` AS DOUBLE)) AS DOUBLE) ELSE CAST(`a number` AS DOUBLE) END THEN CAST(CAST(CAST(`a number` AS DOUBLE) AS BIGINT) AS STRING) END,
CASE WHEN lower(CAST(`a text` AS STRING)) IN ('true', 'yes', 'y', 't') THEN CAST('1' AS DOUBLE) WHEN lower(CAST(`a text` AS STRING)) IN ('false', 'no', 'n', 'f') THEN CAST('0' AS DOUBLE) ELSE CASE WHEN CAST(`a text` AS STRING) RLIKE '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$' THEN try_cast(trim(CAST(`a text` AS STRING)) AS DOUBLE) END END,
CASE WHEN `a boolean` THEN CAST('1' AS DOUBLE) WHEN NOT `a boolean` THEN CAST('0' AS DOUBLE) END,
(datediff(`a time`, DATE '1970-01-01') * CAST(86400000 AS DOUBLE) + extract(HOUR FROM `a time`) * CAST(3600000 AS DOUBLE) + extract(MINUTE FROM `a time`) * CAST(60000 AS DOUBLE) + CAST(extract(SECOND FROM `a time`) AS DOUBLE) * 1000),
CAST(unix_micros(`a instant`) AS DOUBLE) / 1000,
(datediff(`a date`, DATE '1970-01-01') * CAST(86400000 AS DOUBLE))
FROM `impressions`
