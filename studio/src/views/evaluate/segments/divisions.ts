import { segmentByText } from '$core/estimate/segments/choose-segments.js'
import type { OpenedLog } from '../../../desk/open-log.js'

/** Something that rows can be divided by. */
export interface Division {
  /** As `hindcast evaluate --by` takes it. */
  readonly value: string
  readonly label: string
}

/** What the rows of the open log can be divided by: where and when they were shown, and its further columns. */
export const divisionsOf = ({ origins, labels }: Pick<OpenedLog, 'origins' | 'labels'>): Division[] => [
  ...(origins?.position ? [{ value: 'position', label: 'position' }] : []),
  ...(origins?.time
    ? [
        { value: 'week', label: 'week' },
        { value: 'day', label: 'day' },
      ]
    : []),
  ...(labels?.names ?? []).map((name) => ({
    value: segmentByText({ kind: 'label', name }),
    label: `column ${name}`,
  })),
]

/** The columns that cannot be chosen, in a sentence; empty where all can. */
export function leftOutText({ labels }: Pick<OpenedLog, 'labels'>): string {
  const reasons = new Map<string, string[]>()
  for (const { name, why } of labels?.leftOut ?? []) reasons.set(why, [...(reasons.get(why) ?? []), name])
  return [...reasons].map(([why, names]) => `Not offered: ${names.join(', ')} (${why}).`).join(' ')
}
