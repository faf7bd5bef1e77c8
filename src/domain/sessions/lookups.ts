/** What must be in memory before `decide` may run on an input. */

import type { IdTokenRef } from '../ports/id-tokens.ts'
import type { RemoteStartSign } from '../ports/sessions.ts'
import type { BlockInput } from '../records/records.ts'
import type { Input, Lookups, Mention } from './decision.ts'
import { isVirtualIdToken } from './orders/virtual-id-token.ts'
import { mentionOf } from './transactions/samples.ts'
import { inferredTransactionId } from './transactions/stop.ts'

const OURS: Mention = { ours: true }

const NOTHING: Lookups = {
  transactionIds: [],
  mention: undefined,
  otherwise: [],
  newestAt: undefined,
  remoteStart: undefined,
  startKeys: [],
  sessionIds: [],
  idTokens: [],
  begunAt: undefined,
  vendorId: undefined,
}

/** What a message needs that is not in memory: asked of the database before it is decided. */
export function lookups(input: Input): Lookups {
  switch (input.kind) {
    case 'authorise':
      return { ...NOTHING, idTokens: idsOf(input.idToken) }
    case 'started':
      return {
        ...NOTHING,
        startKeys: [input.startKey],
        begunAt: input.at,
        idTokens: idsOf(input.idToken),
        remoteStart: remoteStartOf(undefined, input.idToken),
      }
    case 'sampled':
      return { ...NOTHING, transactionIds: listed(input.transactionId), mention: OURS }
    case 'dataTransferReceived':
      return {
        ...NOTHING,
        transactionIds: listed(input.signed?.transactionId),
        mention: input.signed?.mention,
        vendorId: input.vendorId,
      }
    case 'stopped':
      return {
        ...NOTHING,
        transactionIds: listed(input.transactionId),
        mention: OURS,
        otherwise: [inferredTransactionId(input.stopKey)],
        newestAt: input.at.occurredAt,
        begunAt: input.at,
        idTokens: idsOf(input.idToken),
      }
    case 'transactionEvent':
      return {
        ...NOTHING,
        transactionIds: [input.transactionId],
        mention: mentionOf(input),
        begunAt: input.at,
        idTokens: idsOf(input.idToken),
        remoteStart: remoteStartOf(input.remoteStartId, input.idToken),
      }
    case 'remoteStartAnswered':
      return { ...NOTHING, sessionIds: [input.sessionId], transactionIds: listed(input.transactionId) }
    case 'transactionStatusAnswered':
      return { ...NOTHING, transactionIds: [input.transactionId] }
    case 'remoteStartRequested':
    case 'remoteStopRequested':
    case 'remoteStopAnswered':
    case 'settled':
    case 'budgetUsedUp':
    case 'sessionLimitsChanged':
      return { ...NOTHING, sessionIds: [input.sessionId] }
    case 'paymentSettled':
      return { ...NOTHING, transactionIds: listed(input.transactionId), mention: {} }
    case 'costAnswered':
      return { ...NOTHING, sessionIds: [input.told.sessionId] }
    case 'booted':
    case 'noted':
    case 'vatNumberChecked':
    case 'connectorStatus':
    case 'connectorStatuses':
    case 'tick':
    case 'removed':
      return NOTHING
    default:
      return ofBlock(input)
  }
}

/** Their rules read what is loaded with the charge point. */
function ofBlock(_input: BlockInput): Lookups {
  return NOTHING
}

/** Tokens of people name no remote start: they start sessions of their own as well. */
function remoteStartOf(
  remoteStartId: number | undefined,
  idToken: IdTokenRef | undefined,
): RemoteStartSign | undefined {
  if (remoteStartId !== undefined) return { remoteStartId }
  if (!idToken || !isVirtualIdToken(idToken.id)) return undefined
  return { virtualIdToken: idToken.id }
}

function idsOf(idToken: IdTokenRef | undefined): readonly string[] {
  return idToken && idToken.id !== '' ? [idToken.id] : []
}

function listed(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [id]
}
