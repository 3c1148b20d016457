/** A colour of the visual language, by what it means. */
export type ColourName =
  | 'paper'
  | 'ink'
  | 'muted'
  | 'truth'
  | 'dm'
  | 'ips'
  | 'snips'
  | 'dr'
  | 'logged'
  | 'ips-bpr'
  | 'ips-bpr-pr'
  | 'better'
  | 'worse'
  | 'undecided'
  | 'trust'
  | 'caution'
  | 'refuse'

/** Light and dark value of each colour; colour-blind readers can distinguish them in both. */
export const palette: Readonly<Record<ColourName, { readonly light: string; readonly dark: string }>> = {
  paper: { light: '#ffffff', dark: '#15181c' },
  ink: { light: '#1b1f24', dark: '#e6e8eb' },
  muted: { light: '#57606a', dark: '#a3abb5' },
  truth: { light: '#111111', dark: '#eeeeee' },
  dm: { light: '#009e73', dark: '#34c79a' },
  ips: { light: '#d55e00', dark: '#ff8a3d' },
  snips: { light: '#0072b2', dark: '#4fb0e8' },
  dr: { light: '#aa3377', dark: '#d977ad' },
  logged: { light: '#7a7a7a', dark: '#a0a0a0' },
  'ips-bpr': { light: '#e69f00', dark: '#ffc04d' },
  'ips-bpr-pr': { light: '#0072b2', dark: '#4fb0e8' },
  better: { light: '#0b6bb5', dark: '#62b4f0' },
  worse: { light: '#b8560f', dark: '#f0984f' },
  undecided: { light: '#7a7f86', dark: '#9aa1a9' },
  // Ink, with a word and a shape: a loss that is sure is no good news, and green would make it some.
  trust: { light: '#1b1f24', dark: '#e6e8eb' },
  caution: { light: '#1b1f24', dark: '#e6e8eb' },
  refuse: { light: '#b3261e', dark: '#ff8a80' },
}

/** The CSS value of a colour, for a fill or a stroke: light or dark as the reader's screen is set. */
export const colour = (name: ColourName): string => `var(--hindcast-${name})`

/** The media query under which the dark colours hold; paper is always light. */
export const darkQuery = 'screen and (prefers-color-scheme: dark)'

/** CSS that defines every colour as a variable on `selector`, light by default and dark under `darkQuery`. */
export function colourVariables(selector: string): string {
  const variables = (mode: 'light' | 'dark') =>
    Object.entries(palette)
      .map(([name, value]) => `--hindcast-${name}:${value[mode]}`)
      .join(';')
  return `${selector}{${variables('light')}}\n@media ${darkQuery}{${selector}{${variables('dark')}}}`
}

/** Fonts of text and of columns of code; nothing is loaded from anywhere. */
export const fonts = {
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
} as const

/** The four sizes of type, in pixels. */
export const typeSizes = { small: 13, text: 16, large: 20, huge: 28 } as const

/** The room a chart is drawn in, in pixels. Text keeps its size in both, so a phone gets a drawing of its own. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly narrow: boolean
}

export const wideFrame: Frame = { width: 880, height: 440, narrow: false }
export const narrowFrame: Frame = { width: 360, height: 320, narrow: true }

/** Hairlines are ink at this opacity. */
export const hairline = 0.12

/** Paper around the letters of a text, so that it stays legible upon other marks. */
export const halo = { stroke: colour('paper'), strokeWidth: 4 } as const

/** The class of every chart. */
export const chartClass = 'hindcast-chart'

/** The style sheet of charts, which each brings along in its file. */
export const chartStyle = `${colourVariables(`.${chartClass}`)}
.${chartClass}{display:block;height:auto;max-width:100%;background:${colour('paper')};font-family:${fonts.sans}}
.${chartClass} text{white-space:pre;font-variant-numeric:tabular-nums}`
