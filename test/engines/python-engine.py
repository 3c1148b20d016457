"""Answers SQL, one query a line: {"sql": …} in, {"rows": […]} or {"error": …} out. The first argument is the engine."""
import json
import os
import sys

# Answers alone go to standard output: whatever an engine prints there, also from a process of its own, goes to standard error.
out = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def cell(value):
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else ("Infinity" if value > 0 else "-Infinity")
    return value


def clickhouse():
    from chdb.session import Session

    session = Session()
    names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    session.query("SET output_format_json_quote_denormals = 1")
    session.query("SET output_format_json_quote_64bit_integers = 1")

    def ask(sql):
        lines = str(session.query(sql, "JSONCompactEachRow")).splitlines()
        return [[names.get(value, value) if isinstance(value, str) else value for value in json.loads(line)] for line in lines]

    return ask


def spark():
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        # Not that of any test: a time must not depend on it.
        "spark.sql.session.timeZone": "America/New_York",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": sys.argv[2],
        # Tables are small and statements large: nothing is compiled, planned again or run beside each other.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.default.parallelism": "1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return lambda sql: [list(row) for row in session.sql(sql).collect()]


ask = {"clickhouse": clickhouse, "spark": spark}[sys.argv[1]]()
print(json.dumps({"ready": True}), file=out, flush=True)
for line in sys.stdin:
    try:
        rows = ask(json.loads(line)["sql"])
        answer = {"rows": [[cell(value) for value in row] for row in rows]}
    except Exception as error:  # The error is the answer.
        answer = {"error": str(error)}
    print(json.dumps(answer, default=str), file=out, flush=True)
