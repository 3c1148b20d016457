import {
  colour,
  colourVariables,
  fonts,
  hairline,
  narrowFrame,
  typeSizes,
  wideFrame,
} from '../figures/theme.js'

const { small, text, large, huge } = typeSizes
const line = `color-mix(in srgb, ${colour('ink')} ${hairline * 100}%, transparent)`

/** The style sheet of a report: light and dark, phone to desktop, and paper. */
export const style = `
${colourVariables(':root')}
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:${colour('paper')};color:${colour('ink')};font:${text}px/1.5 ${fonts.sans};
  font-variant-numeric:tabular-nums;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
main,footer{max-width:${wideFrame.width + 48}px;margin:0 auto;padding:24px}
h1{font-size:${small}px;font-weight:600;color:${colour('muted')};margin:0 0 8px}
.answer{font-size:${large}px;line-height:1.4;max-width:72ch;margin:0 0 24px}
h2{font-size:${large}px;line-height:1.3;font-weight:600;margin:0 0 4px;max-width:72ch;text-wrap:pretty}
section>h2{font-size:${huge}px;margin:48px 0 8px}
p,figcaption{max-width:72ch}
.subtitle,figcaption,.note,dt,small,footer,.save{font-size:${small}px;color:${colour('muted')}}
.subtitle{margin:0 0 8px}
abbr{text-decoration:underline dotted;text-underline-offset:3px;cursor:help}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(152px,1fr));gap:16px 24px;margin:0;padding:16px 0;
  border-top:1px solid ${line};border-bottom:1px solid ${line}}
.facts dd{margin:0;font-size:${large}px;line-height:1.3}
.facts small{display:block;line-height:1.4}
figure{margin:48px 0 0}
figcaption{margin:8px 0 0}
.narrow{display:none}
.tools{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:flex-start;gap:0 24px;margin-top:8px}
.tools details{flex:1 1 auto;min-width:0}
.tools details[open]{flex-basis:100%}
details{font-size:${small}px}
summary{cursor:pointer;line-height:32px;color:${colour('muted')}}
.save{margin:0;line-height:32px}
.save[hidden]{display:none}
button{font:inherit;color:inherit;background:none;border:1px solid ${line};border-radius:4px;height:32px;min-width:48px;
  padding:0 12px;cursor:pointer}
button:hover,button:focus-visible{border-color:currentColor;color:${colour('ink')}}
.table{overflow-x:auto;max-height:480px;overflow-y:auto}
table{border-collapse:collapse;font-size:${small}px}
th,td{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid ${line};font-weight:400;vertical-align:top}
thead th{color:${colour('muted')};position:sticky;top:0;background:${colour('paper')};vertical-align:bottom}
tbody th{color:${colour('muted')};white-space:nowrap}
th,.number{overflow-wrap:normal}
td.number{white-space:nowrap}
.number{text-align:right}
.settings{margin-top:48px}
.settings td{font-family:${fonts.mono}}
.words dt{float:left;clear:left;margin-right:8px;color:${colour('ink')}}
.words dd{margin:0 0 4px;color:${colour('muted')}}
footer{padding-top:0}
@media screen and (max-width:680px){
  main,footer{padding:16px}
  footer{padding-top:0}
  .answer{font-size:${text}px}
  h2{font-size:${text}px}
  section>h2{font-size:${large}px}
  .facts{grid-template-columns:repeat(auto-fill,minmax(136px,1fr));gap:16px}
  .wide{display:none}
  .narrow{display:block;max-width:${narrowFrame.width * 1.4}px}
  .narrow svg{width:100%}
  th,td{padding-right:8px}
}
@media print{
  @page{margin:16mm}
  main,footer{padding:0;max-width:none}
  .save,details{display:none}
  figure{break-inside:avoid;margin-top:32px}
  abbr{text-decoration:none}
}
`
