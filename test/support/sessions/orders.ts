/** For tests: remote starts that somebody orders. */
import type { RemoteStart } from '../../../src/domain/ports/sessions.ts'
import { MINUTE, SETTINGS, ZERO } from './driver.ts'
import type { Facts, Of } from './inputs.ts'

export function remoteStart(minutes: number, facts: Partial<RemoteStart> = {}): RemoteStart {
  const requestedAt = ZERO + minutes * MINUTE
  return {
    virtualIdToken: 'FADE0123456789',
    remoteStartId: 7,
    requestedAt,
    expiresAt: requestedAt + SETTINGS.remoteStartTimeoutMs,
    ...facts,
  }
}

export function remoteStartRequested(
  sessionId: string,
  start: RemoteStart,
  facts: Facts<'remoteStartRequested'> = {},
): Of<'remoteStartRequested'> {
  return { kind: 'remoteStartRequested', sessionId, ...facts, remoteStart: start }
}
