import { linked } from '../../linked.svelte.js'
import { FORM_DEFAULTS, type Form } from './form-defaults.js'

/** What the form says, as links keep it. */
export const form: Form = linked('train', FORM_DEFAULTS)
