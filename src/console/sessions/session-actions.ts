/** A form's token is good for one action on one session. */
import type { PageContext } from '../../web/site.ts'

export const ACTIONS = {
  stop: (sessionId: string) => `stop session ${sessionId}`,
  settle: (sessionId: string) => `settle session ${sessionId}`,
}

export const sessionIdOf = ({ req }: PageContext): string => req.param('sessionId') ?? ''
