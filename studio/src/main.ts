import { mount } from 'svelte'
import { chartStyle, colourVariables, fonts } from '$core/figures/theme.js'
import Studio from './Studio.svelte'
import './style.css'

// Colours and fonts stand once, in the theme of the figures; a style sheet in each of them would be one more for the whole page.
const sheet = new CSSStyleSheet()
sheet.replaceSync(`${colourVariables(':root')}:root{--sans:${fonts.sans};--mono:${fonts.mono}}${chartStyle}`)
document.adoptedStyleSheets = [sheet]

mount(Studio, { target: document.querySelector('#studio')! })
