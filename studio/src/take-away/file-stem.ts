/** The name of a file without its extensions: `clicks.csv.gz` gives `clicks`. */
export const fileStem = (name: string): string =>
  name.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '') || name
