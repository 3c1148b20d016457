// The command line, and the parts to build further commands from.
export type { Arguments, Command, Context, ListedCommand, Option } from './command.js'
export { COMMANDS } from './commands.js'
export { columns, duration, wrap } from './format.js'
export { main } from './main.js'
export { onlyPositional, text, wholeNumber } from './parse.js'
export type { Terminal } from './terminal.js'
