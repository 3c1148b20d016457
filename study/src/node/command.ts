import type { ListedCommand } from 'hindcast/cli'

/** `hindcast study`, loaded only when it is called. */
export const studyCommand: ListedCommand = {
  name: 'study',
  summary: 'the whole paper in one command, every claim put to the test',
  load: async () => (await import('./study-command.js')).study,
}
