/** What a charge point's answer to an order for a log or an update says; the same in both versions. */
import type { Payload } from '../version.ts'
import { text } from './payload.ts'

export interface ReadAnswer {
  readonly outcome: 'accepted' | 'rejected'
  readonly status?: string
  readonly reason?: string
}

/**
 * `AcceptedCanceled` takes this order and ends an older one. 1.6's UpdateFirmware has no status, and GetDiagnostics
 * names a file where there is something to upload.
 */
export function readJobAnswer(method: string, response: Payload): ReadAnswer {
  const status = text(response.status)
  if (status === undefined) {
    return method !== 'GetDiagnostics' || text(response.fileName) !== undefined
      ? { outcome: 'accepted' }
      : { outcome: 'rejected', reason: 'The charge point has nothing to upload.' }
  }
  const said = status.toLowerCase()
  if (said === 'accepted' || said === 'acceptedcanceled') return { outcome: 'accepted', status }
  return { outcome: 'rejected', status, reason: `The charge point answered ${status.slice(0, 50)}.` }
}
