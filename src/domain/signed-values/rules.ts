/** What is kept of signed values and of the keys of their meters (SIGNED-F1, SIGNED-K3). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Sample, Session, SignedData } from '../ports/sessions.ts'
import { noteSecurity } from '../timeline/rules.ts'
import type { MeterInput, PublicKeyText } from './records.ts'

export type SignedSample = Pick<Sample, 'at' | 'context'> & { readonly signed: SignedData }

interface ValuePosition {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

export function keepSignedValue(
  draft: BlockDraft,
  { signed, at, context }: SignedSample,
  place: ValuePosition,
  session: Session | undefined,
): void {
  const meter = meterAt(session ?? {}) ?? meterAt(place) ?? 0
  const { data, digest, encodingMethod, signingMethod, publicKey } = signed
  const { id: sessionId = '', transactionId } = session ?? {}
  const value = { at: at.occurredAt, digest, context, encodingMethod, signingMethod, data, publicKey: publicKey?.text }
  const origin = { station: draft.state.chargePointId, place: meter, commandId: draft.commandId ?? 0 }
  const put = { sessionId, transactionId, ...origin, ...value, storedAt: draft.now }
  draft.changeRecord({ kind: 'signed_values', put })
  if (publicKey) learn(draft, meter, publicKey, Math.min(at.occurredAt, draft.now))
}

export function onMeterKeysSeen(draft: BlockDraft, { keys }: MeterInput): void {
  for (const { place, publicKey } of keys) learn(draft, place, publicKey, draft.now)
}

/** No station has more; invented numbers fill no memory. */
const PLACE_LIMIT = 999

/** Connector 0 may be any connector: only EVSE 0 is the station's own meter. */
function meterAt({ evseId, connectorId }: ValuePosition): number | undefined {
  const place = evseId ?? (connectorId === 0 ? undefined : connectorId)
  return place !== undefined && place >= 0 && place <= PLACE_LIMIT ? place : undefined
}

/**
 * A late queue says nothing about a new meter. Another key than the `known` one is shown in the history (TIMELINE-A5).
 */
function learn(draft: BlockDraft, place: number, { text: publicKey, bytes }: PublicKeyText, at: number): void {
  const { chargePointId, accountId } = draft.state
  const known = draft.record('meters', { chargePointId, place })
  if (known && (known.keyBytes === bytes || at < known.seenAt)) return
  if (known) noteSecurity(draft, { type: 'MeterPublicKeyChanged', detail: meterName(place) }, METER_PART + place)
  draft.changeRecord({ kind: 'meters', put: { chargePointId, place, publicKey, keyBytes: bytes, seenAt: at } })
  const put = { accountId, station: chargePointId, place, at, publicKey, commandId: draft.commandId }
  draft.changeRecord({ kind: 'meter_keys', put })
}

/** Behind the parts of statuses (timeline/rules.ts). */
const METER_PART = 1000

function meterName(place: number): string {
  return place === 0 ? 'The meter of the charge point.' : `The meter of connector or EVSE ${place}.`
}
