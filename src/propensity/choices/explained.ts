import type { StandIn } from './stand-in.js'

/** What a stand-in means, with what is typed after the colon. */
export const explained = ({ meaning, argument }: StandIn): string =>
  argument === undefined ? meaning : `${meaning} ${argument}`
