/** SecurityEventNotification of both versions (TIMELINE-A5). */

import type { Input } from '../../domain/sessions/decision.ts'
import { maskPart } from '../mask.ts'
import type { Payload } from '../payload.ts'
import { text } from './payload.ts'

export function securityEvent({ type, techInfo }: Payload): Input {
  const named = text(type)
  return named === undefined
    ? { kind: 'noted' }
    : { kind: 'securityEventSeen', type: named, detail: text(maskPart(techInfo)) }
}
