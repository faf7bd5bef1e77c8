/**
 * Signed data in a DataTransfer (SIGNED-F3). Vendors have their own forms, so the whole payload is searched
 * for texts that begin as signed data does, and for the objects of OCPP 2.0.1, also within JSON that was written as
 * text. The first transaction, place and time in it are those of the values.
 */

import { parsedJson } from '../../../domain/parsed-json.ts'
import type { SignedData, StationTime } from '../../../domain/ports/sessions.ts'
import type { SignedValuesSent } from '../../../domain/sessions/decision.ts'
import { envelopeOf } from '../../../domain/signed-values/container/json-envelope.ts'
import { stationTime } from '../../station-time.ts'
import { isObject, knownTransaction, type Payload, placeNumber, text, transactionIdText } from '../payload.ts'
import { DEFAULT_CONTEXT } from '../samples.ts'
import { looksSigned, signedText } from './signed-data.ts'

/** No vendor's form has more parts, or deeper nested JSON. */
const PARTS_READ = 10_000
const TEXTS_WITHIN = 3

interface Found {
  readonly values: { readonly signed: SignedData; readonly context: string }[]
  transactionId?: string | undefined
  connectorId?: number | undefined
  evseId?: number | undefined
  timestamp?: unknown
  parts: number
}

/** @param numbers for this version's transaction numbers @returns undefined without signed data */
export function transferredValues(
  request: Payload,
  receivedAt: number,
  numbers: 'ours' | 'stations',
): SignedValuesSent | undefined {
  const found: Found = { values: [], parts: 0 }
  const isCalledSo = /sign(?:ed|ature)|ocmf/i.test(text(request.messageId)?.slice(0, 255) ?? '')
  look(request.data, found, DEFAULT_CONTEXT, TEXTS_WITHIN)
  const { data } = request
  if (found.values.length === 0 && isCalledSo && typeof data === 'string' && data.trim() !== '') {
    found.values.push({ signed: signedText(data, DEFAULT_CONTEXT), context: DEFAULT_CONTEXT })
  }
  if (found.values.length === 0) return undefined
  const { transactionId, evseId, connectorId, timestamp } = found
  const at: StationTime = stationTime(timestamp, receivedAt)
  return {
    transactionId: knownTransaction(transactionId),
    mention: numbers === 'ours' ? { ours: true } : { at: at.occurredAt },
    evseId,
    connectorId,
    values: found.values.map(({ signed, context }) => ({ signed, context, at })),
  }
}

/** Depth first, with an explicit stack: deep nesting cannot overflow. */
function look(value: unknown, found: Found, inherited: string, textsWithin: number): void {
  const left: { readonly part: unknown; readonly context: string }[] = [{ part: value, context: inherited }]
  for (let next = left.pop(); next && found.parts < PARTS_READ; next = left.pop()) {
    found.parts++
    const { part } = next
    if (typeof part === 'string') lookInText(part, found, next.context, textsWithin)
    else if (Array.isArray(part)) for (const one of part.toReversed()) left.push({ part: one, context: next.context })
    else if (isObject(part)) {
      const context = text(part.context) ?? next.context
      notice(part, found)
      if (envelopeOf(part)) {
        found.values.push({ signed: signedText(JSON.stringify(part), context), context })
      } else {
        for (const one of Object.values(part).toReversed()) left.push({ part: one, context })
      }
    }
  }
}

function lookInText(part: string, found: Found, context: string, textsWithin: number): void {
  if (looksSigned(part)) {
    // An object within a text may name its transaction.
    const object = parsedJson(part)
    if (isObject(object)) notice(object, found)
    found.values.push({ signed: signedText(part, context), context })
  } else if (textsWithin > 0 && /^\s*[[{]/.test(part)) {
    look(parsedJson(part), found, context, textsWithin - 1)
  }
}

function notice(part: Payload, found: Found): void {
  found.transactionId ??= transactionIdText(part.transactionId, undefined)
  found.connectorId ??= placeNumber(part.connectorId)
  found.evseId ??= placeNumber(part.evseId)
  found.timestamp ??= part.timestamp
}
