/** An outgoing call as stored (OCPP-RP15), sealed if it holds a secret: backups have readers (OCPP-RP16). */

import type { Priority, Purpose, StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { Protocol } from '../../domain/ports/core.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { Decision } from '../../domain/sessions/decision.ts'
import { mask } from '../../ocpp/mask.ts'
import type { OutgoingCall, Payload } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versions } from '../../ocpp/versions.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'

interface Ordered {
  readonly call: OutgoingCall
  readonly purpose: Purpose
  readonly priority: Priority
  readonly expiresAt: number
}

export function storedCall(box: SealedBox, row: Command, { call, purpose, priority, expiresAt }: Ordered): StoredCall {
  const { chargePointId, id, messageId, protocol } = row
  const request = JSON.stringify(call.request)
  const isSealed = mask(request, call.request) !== request
  return {
    chargePointId,
    id,
    messageId,
    method: call.method,
    request: isSealed ? box.seal(request, messageId) : request,
    isSealed,
    protocol,
    priority,
    expiresAt,
    purpose,
  }
}

/** Undefined: sealed under a key that is gone. */
export function callOf(box: SealedBox, { method, request, isSealed, messageId }: StoredCall): OutgoingCall | undefined {
  const text = isSealed ? box.open(request, messageId) : request
  return text === undefined ? undefined : { method, request: JSON.parse(text) as Payload }
}

/** The version that it was written for. */
export function versionOf({ protocol }: StoredCall): OcppVersion {
  return versions[protocol as Protocol]
}

export const puts = (put: StoredCall): RecordChange => ({ kind: 'outgoing_calls', put })
export const removes = ({ chargePointId, id }: StoredCall): RecordChange => ({
  kind: 'outgoing_calls',
  remove: { chargePointId, id },
})

export function withRecord(decision: Decision, change: RecordChange): Decision {
  const { changes } = decision
  return { ...decision, changes: { ...changes, records: [...(changes.records ?? []), change] } }
}
