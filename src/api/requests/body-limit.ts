/**
 * How long a request's body may take. Node has one limit for all of them, and a firmware image over a slow line takes
 * longer than anything else may; those bodies have limits of their own (FIRMWARE-F5).
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../domain/ports/clock.ts'

/** As Node's own. */
const BODY_MS = 300_000
const FILES = /^\/(?:files\/|2\/firmware(?:$|[?#]))/

/** @param target the request's, below the base path */
export function limitBody(request: IncomingMessage, target: string, after: Clock['after']): void {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody || request.complete || FILES.test(target)) return
  const cancel = after(BODY_MS, () => {
    if (!request.complete) request.socket.destroy()
  })
  request.once('close', cancel)
}
