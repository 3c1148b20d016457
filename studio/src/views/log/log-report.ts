import { CANONICAL_NAMES } from '$core/log/columns.js'
import type { ColumnOrigins } from '$core/log/bad-rows.js'
import { canonical } from '$core/log/formats/canonical.js'
import type { LogPage } from '$core/report/log-page.js'
import { logSettings } from '$core/report/log-settings.js'
import type { OpenedLog } from '../../desk/open-log.js'

/** What `hindcast describe --report` makes its page from, for this log in a file of this name. */
export function logReport(
  { source, description, items, users, catalogueKnown, skipped, origins }: OpenedLog,
  file: string,
): LogPage {
  return {
    title: file,
    description,
    items,
    users,
    catalogueKnown,
    settings: logSettings({
      file,
      format: (source.kind === 'file' && source.reading.format) || canonical.name,
      origins: origins ?? WORLD_COLUMNS,
      skipped,
    }),
  }
}

/** The columns of a log that was drawn from a world, once it is in a file. */
const WORLD_COLUMNS: ColumnOrigins = Object.fromEntries(
  (['user', 'item', 'reward', 'propensity'] as const).map((column) => [column, [CANONICAL_NAMES[column]]]),
)
