import { mount } from 'svelte'
import { colourVariables, fonts } from '$core/figures/theme.js'
import Studio from './Studio.svelte'
import './style.css'

// Colours and fonts stand once, in the theme of the figures.
const sheet = new CSSStyleSheet()
sheet.replaceSync(`${colourVariables(':root')}:root{--sans:${fonts.sans};--mono:${fonts.mono}}`)
document.adoptedStyleSheets = [sheet]

mount(Studio, { target: document.querySelector('#studio')! })
