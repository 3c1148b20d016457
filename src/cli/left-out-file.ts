/** Where `doctor --fix` keeps the rows that it leaves out: beside the mended log, which it is named after. */
export const leftOutFile = (out: string): string =>
  out.replace(/(\.(csv|ndjson|jsonl|parquet))?(\.gz)?$/, '.left-out.csv')
