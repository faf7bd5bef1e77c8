/** Decides a row of the log again, from its charge point's documents before it (STORE-J6). Pure. */

import { hash } from 'node:crypto'
import { decide } from '../domain/blocks/decide.ts'
import { createEmission, followingEventId } from '../domain/events/emission.ts'
import { logIdTime } from '../domain/message-log/log-id.ts'
import { parsedJson } from '../domain/parsed-json.ts'
import type { ChargePointState } from '../domain/ports/sessions.ts'
import type { Command, DecidedBy } from '../domain/ports/storage-records.ts'
import type { NewEvent } from '../domain/ports/storage-webhooks.ts'
import type { Changes, Input } from '../domain/sessions/decision.ts'
import type { Payload } from './payload.ts'
import type { FromChargePoint } from './version.ts'
import { versions } from './versions.ts'

export type RowDecided = Pick<Command, 'id' | 'method' | 'messageId' | 'protocol' | 'request'>

/** For a row stored as received and valid: its changes, as `followsFromRow` says, and its events. */
export function decideAgain(
  state: ChargePointState,
  { id, method, messageId, protocol, request }: RowDecided,
  { receivedAt, settings }: Pick<DecidedBy, 'receivedAt' | 'settings'>,
): Changes & { readonly happened: readonly NewEvent[] } {
  const handler = versions[protocol as keyof typeof versions].fromChargePoint[method]
  if (!handler) throw new Error(`The log holds a ${method} that this version does not know.`)
  const input = inputOf(handler, parsedJson(request) as Payload, { messageId, payloadText: request, receivedAt })
  const now = logIdTime(id)
  const { changes } = decide(state, input, { ...NOTHING_ELSE, now, commandId: id, settings: settings.sessions })
  const emission = createEmission(settings, followingEventId)
  const emitted = changes.sessions?.map((after) => emission.ofSession(state.sessions.get(after.id), after, now, id))
  const said = changes.events?.map((event) => emission.ofDecision(event, state, now, id)) ?? []
  const ofSessions = emitted?.flatMap(({ event, suspect }) => [event, suspect]) ?? []
  return {
    ...changes,
    sessions: emitted?.map(({ session }) => session),
    happened: [...ofSessions, ...said].filter((event) => event !== undefined),
  }
}

/** Not needed for what follows. */
const NOTHING_ELSE = {
  nextTransactionId: () => '',
  newSessionId: () => '',
  idTokens: new Map(),
  unknownIdTokens: 'reject',
} as const

// The input of a valid call, live or read again from the log (HOOK-B3).

/** 96 bits: no accidental collisions within a charge point. */
const DIGEST_DIGITS = 24

export function inputOf(
  handler: FromChargePoint,
  payload: Payload,
  sent: { readonly messageId: string; readonly payloadText: string; readonly receivedAt: number },
): Input {
  return handler.input(payload, {
    receivedAt: sent.receivedAt,
    raw: sent.payloadText,
    digest: (facts = sent.payloadText) => hash('sha256', facts).slice(0, DIGEST_DIGITS),
    messageId: sent.messageId,
  })
}
