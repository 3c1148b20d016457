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
/** Of what can be pressed or chosen. */
const edge = `color-mix(in srgb, ${colour('ink')} 45%, transparent)`

/** Dials, what they light up, and the values beside the pointer. */
const dialStyle = `
.dial{background:${colour('paper')};padding:8px 0;margin:0 0 8px;max-width:72ch}
.dial[hidden]{display:none}
.dial p{margin:0}
.dial label{font-weight:600}
.dial p:has(.at){display:flex;justify-content:space-between;gap:8px}
.at{white-space:nowrap}
.dial input{display:block;width:100%;height:32px;margin:0;accent-color:${colour('snips')}}
.dial select{font:inherit;color:inherit;background:${colour('paper')};height:32px;max-width:100%;margin:4px 0;padding:0 8px;
  border:1px solid ${edge};border-radius:4px}
.dial .stop{font-size:${text}px;min-height:3em;margin-top:4px}
.told{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.strips .lit{fill:${colour('ink')};fill-opacity:.12}
.pointed{stroke:${colour('snips')};stroke-width:1.5px;stroke-opacity:1}
.tip{position:fixed;z-index:2;pointer-events:none;max-width:min(320px,60vw);padding:4px 8px;border-radius:4px;
  font-size:${small}px;white-space:pre-line;background:${colour('ink')};color:${colour('paper')}}
.tip[hidden]{display:none}
:focus-visible{outline:2px solid ${colour('snips')};outline-offset:2px}
`

/** More rows than a figure has dials. */
const DIALS = 12

/**
 * On a phone a dial stays in sight with the drawing it moves: held upright, above it; of several, the one that moved last.
 * Held sideways, there is room beside it alone.
 */
const phoneDialStyle = `
@media screen and (max-width:680px){
  .dial.held{position:sticky;top:0;z-index:1}
  figure:has(.dial) .tools :is(summary,button){scroll-margin-top:280px}
}
@media screen and (max-height:500px) and (min-width:500px){
  figure:has(.dial){display:grid;grid-template-columns:2fr 3fr;gap:0 24px;align-items:start}
  figure:has(.dial)>*{grid-column:1/-1}
  figure:has(.dial)>.dial{position:static;grid-column:1}
  figure:has(.dial)>.wide{display:none}
  figure:has(.dial)>.narrow{display:block;max-width:none;grid-area:3/2/span ${DIALS}}
  figure:has(.dial)>.narrow svg{width:100%;max-height:100vh}
}
`

/** In a frame on another page, the answer and its picture alone. */
const embedStyle = `
.whole{display:none;max-width:${wideFrame.width + 48}px;margin:0 auto;padding:0 24px 16px;font-size:${small}px}
main:target:not(.whole-report)~.whole{display:block}
main:target:not(.whole-report)~footer,main:target:not(.whole-report)>:not(h1,.badge,.answer,figure:first-of-type){display:none}
main:target:not(.whole-report){padding-bottom:8px}
main:target:not(.whole-report) .answer{margin-bottom:16px;font-size:${text}px}
main:target:not(.whole-report)>figure{margin-top:0}
main:target:not(.whole-report)>figure .narrow{max-width:${narrowFrame.width}px}
main:target:not(.whole-report)>figure .tools,main:target:not(.whole-report)>figure figcaption{display:none}
`

/** The style sheet of a report: light and dark, phone to desktop, and paper. */
export const style = `
${colourVariables(':root')}
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:${colour('paper')};color:${colour('ink')};font:${text}px/1.5 ${fonts.sans};
  font-variant-numeric:tabular-nums;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
main,footer{max-width:${wideFrame.width + 48}px;margin:0 auto;padding:24px}
h1{font-size:${small}px;font-weight:600;color:${colour('muted')};margin:0 0 8px}
.badge{display:inline-block;margin:0 0 8px;padding:2px 12px;border:1px solid currentColor;border-radius:4px;font-weight:600}
.questions{list-style:none;margin:0 0 16px;padding:0;max-width:72ch}
.questions li{display:grid;grid-template-columns:1em 9em 1fr;gap:0 8px;padding:4px 0;border-bottom:1px solid ${line}}
.questions b{font-weight:600}
.questions .refuse>:first-child{color:${colour('refuse')}}
.questions .refuse{color:inherit}
@media(max-width:480px){.questions li{grid-template-columns:1em 1fr}.questions li>:last-child{grid-column:2}}
.reasons{margin:0 0 16px;padding-left:20px;max-width:72ch}
.answer{font-size:${large}px;line-height:1.4;max-width:72ch;margin:0 0 24px}
h2,h3,h4{font-size:${large}px;line-height:1.3;font-weight:600;margin:0 0 4px;max-width:72ch;text-wrap:pretty}
section>h2,section>h3{margin:48px 0 8px}
section:has(>figure,>section)>h2{font-size:${huge}px}
p,figcaption{max-width:72ch}
.subtitle,figcaption,.note,dt,small,footer,.save{font-size:${small}px;color:${colour('muted')}}
.subtitle{margin:0 0 8px}
abbr{text-decoration:underline dotted;text-underline-offset:3px;cursor:help}
abbr,.range{white-space:nowrap}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(184px,1fr));gap:16px 24px;margin:0;padding:16px 0;
  border-top:1px solid ${line};border-bottom:1px solid ${line}}
.facts dd{margin:0;font-size:${large}px;line-height:1.3}
.facts small{display:block;line-height:1.4}
a{color:inherit;text-underline-offset:3px}
a:hover{text-decoration:underline}
section,.fold{scroll-margin-top:8px}
.table+p,.table+.note{margin-top:8px}
figure{margin:48px 0 0}
figcaption{margin:8px 0 0}
.remark{margin:8px 0 0;padding-left:12px;border-left:2px solid ${colour('muted')};white-space:pre-line}
.narrow{display:none}
.tools{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:flex-start;gap:0 24px;margin-top:8px}
.tools details{flex:1 1 auto;min-width:0}
.tools details[open]{flex-basis:100%}
details{font-size:${small}px}
summary{cursor:pointer;line-height:32px;color:${colour('muted')}}
.save{margin:0;line-height:32px}
.save[hidden]{display:none}
.fold{margin-top:16px;font-size:${text}px}
.fold>summary{color:${colour('ink')};line-height:1.3;padding:4px 0}
.fold>summary>*{display:inline;margin:0}
main>.fold{margin-top:24px;padding-top:16px;border-top:1px solid ${line}}
.fold .fold>summary>*{font-size:${text}px}
.fold>figure:first-of-type{margin-top:24px}
button{font:inherit;color:inherit;background:none;border:1px solid ${edge};border-radius:4px;height:32px;min-width:48px;
  padding:0 12px;cursor:pointer}
button:hover,button:focus-visible{border-color:currentColor;color:${colour('ink')}}
.table{overflow-x:auto;max-height:480px;overflow-y:auto}
.table:not(.prose){--more:color-mix(in srgb, ${colour('ink')} 24%, transparent);--cover:${colour('paper')} 50%,transparent;
  background:linear-gradient(to right,var(--cover)) left/48px 100% no-repeat local,
  linear-gradient(to left,var(--cover)) right/48px 100% no-repeat local,
  linear-gradient(to top,var(--cover)) bottom/100% 48px no-repeat local,
  linear-gradient(to right,var(--more),transparent) left/16px 100% no-repeat,
  linear-gradient(to left,var(--more),transparent) right/16px 100% no-repeat,
  linear-gradient(to top,var(--more),transparent) bottom/100% 16px no-repeat}
.table.prose{max-height:none}
.prose td{padding-top:8px;padding-bottom:8px}
table{border-collapse:collapse;font-size:${small}px}
th,td{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid ${line};font-weight:400;vertical-align:top}
thead th{color:${colour('muted')};position:sticky;top:0;background:${colour('paper')};vertical-align:bottom}
tbody th{color:${colour('muted')};white-space:nowrap}
th,.number,td:first-child{overflow-wrap:normal}
td{overflow-wrap:break-word}
td.number,.verdict{white-space:nowrap}
.trust{color:${colour('trust')}}
.caution{color:${colour('caution')}}
.refuse{color:${colour('refuse')}}
thead button{border:0;border-radius:0;padding:0;height:auto;min-width:0;min-height:24px;text-align:inherit;color:inherit}
thead button::after{content:'↕';content:'↕' / '';opacity:.35;margin-left:4px}
[aria-sort=ascending] button::after{content:'↑';content:'↑' / '';opacity:1}
[aria-sort=descending] button::after{content:'↓';content:'↓' / '';opacity:1}
th[aria-sort=ascending],th[aria-sort=descending]{color:${colour('ink')}}
.number{text-align:right}
.settings{margin-top:48px}
.files{margin:48px 0 0}
.files~.settings{margin-top:16px}
.settings td{font-family:${fonts.mono};overflow-wrap:anywhere}
.words dt{float:left;clear:left;margin-right:8px;color:${colour('ink')}}
.words dd{margin:0 0 4px;color:${colour('muted')}}
footer{padding-top:0}
${dialStyle}${embedStyle}@media screen and (max-width:680px){
  main,footer{padding:16px}
  footer{padding-top:0}
  .answer{font-size:${text}px}
  h2,h3,h4{font-size:${text}px}
  section:has(>figure,>section)>h2{font-size:${large}px}
  .facts{grid-template-columns:repeat(auto-fill,minmax(136px,1fr));gap:16px}
  .wide{display:none}
  .narrow{display:block;max-width:${narrowFrame.width * 1.4}px}
  .narrow svg{width:100%}
  .whole{padding:0 16px 16px}
  th,td{padding-right:8px}
  .prose table,.prose thead,.prose tbody,.prose tr,.prose td{display:block}
  .prose:not(:has(tbody tr:nth-child(16))) thead{display:none}
  .prose thead tr{display:flex;flex-wrap:wrap;gap:0 16px}
  .prose thead th{border:0;position:static}
  .prose tbody tr{padding:8px 0;border-bottom:1px solid ${line}}
  .prose td{border:0;padding:2px 0;text-align:left;white-space:normal}
  .prose td:first-child{font-weight:600}
  .prose td:empty{display:none}
  .prose td:not(:first-child)::before{content:attr(data-label) ': ';color:${colour('muted')}}
}
/* Fingers need 44 pixels. */
@media screen and (max-width:680px),screen and (pointer:coarse){
  button,.dial input,.dial select{height:44px}
  .dial input{margin:-6px 0;outline-offset:-8px}
  .dial select{font-size:${text}px}
  summary,.save{line-height:44px}
  .fold>summary{padding:12px 0}
  .whole a{display:inline-block;margin:-12px 0;padding:12px 0}
  thead button{min-height:44px}
}
/* Drawings for phones have type of 13 pixels at a width of 360. */
@media screen and (max-width:363px){
  .narrow,.dial{margin-inline:-10px}
  .dial{padding-inline:10px}
}
${phoneDialStyle}@media screen and (min-width:681px){
  .table:not(.prose) td:first-child{white-space:nowrap}
}
@media print{
  @page{margin:16mm}
  main,footer{padding:0;max-width:none}
  .save,.tip,details:not(.fold),thead button::after{display:none}
  .dial :is(input,select),.told,.dial:has(option:first-child:checked){display:none}
  .stop{min-height:0}
  .answer,.facts dd,h2,h3,h4,section:has(>figure,>section)>h2{font-size:${text}px}
  h1,h2,h3,h4,.subtitle,.dial{break-after:avoid}
  .facts{grid-template-columns:repeat(4,minmax(0,1fr));gap:8px 16px}
  .fold::details-content{content-visibility:visible;block-size:auto}
  .fold>summary{list-style:none;break-after:avoid}
  .table{max-height:none;overflow:visible;break-inside:avoid}
  thead th{position:static}
  tr{break-inside:avoid}
  th,td{padding-right:6px}
  td.number{white-space:normal}
  figure{break-inside:avoid;margin-top:24px}
  abbr{text-decoration:none}
}
`
