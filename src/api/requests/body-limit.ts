/** Node has one time limit for all bodies; firmware images take longer and have limits of their own (FIRMWARE-F5). */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../domain/ports/clock.ts'

/** As Node's own. */
const BODY_MS = 300_000
const FILES = /^\/(?:files\/|2\/firmware(?:$|[?#]))/

export function limitBody(request: IncomingMessage, target: string, after: Clock['after']): void {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody || request.complete || FILES.test(target)) return
  const cancel = after(BODY_MS, () => {
    if (!request.complete) request.socket.destroy()
  })
  request.once('close', cancel)
}
