/** Progress notices of jobs (FIRMWARE-D2, FIRMWARE-U3). */
import type { Input } from '../../domain/sessions/decision.ts'
import type { Payload } from '../payload.ts'
import { integer, text } from './payload.ts'

/** Longer than any official one; invented ones are cut. */
const STATUS_CHARACTERS = 100

/** 1.6 names its request only in the messages of its security extension. */
export function progressOf(kind: 'logStatus' | 'firmwareStatus', { status, requestId }: Payload): Input {
  const said = text(status)
  if (said === undefined) return { kind: 'noted' }
  return { kind, status: said.slice(0, STATUS_CHARACTERS), requestId: integer(requestId) }
}
