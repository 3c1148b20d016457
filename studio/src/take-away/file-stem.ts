/** The name of a file without what says how it is written: `clicks.csv.gz` gives `clicks`. */
export const fileStem = (name: string): string =>
  name.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '') || name
