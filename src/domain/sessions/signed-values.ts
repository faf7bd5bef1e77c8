/** Which session signed meter values belong to (SIGNED-F1). */

import { type EvsePosition, samePlace } from '../energy/place.ts'
import type { Sample } from '../ports/sessions.ts'
import { keepSignedValue, type SignedSample } from '../signed-values/rules.ts'
import type { Input, SignedValuesSent } from './decision.ts'
import { type Draft, hasOwnTime, type MeteredTransaction } from './draft.ts'
import { keyOf, sampledTransaction } from './transactions/samples.ts'

/** Signed samples of a message that was just decided upon. @param sessionId of its transaction */
export function keepSignedSamples(
  draft: Draft,
  samples: readonly Sample[],
  place: EvsePosition,
  sessionId?: string,
): void {
  for (const sample of signedOf(samples)) keep(draft, sample, place, sessionId)
}

/** SIGNED-F7: with 2 kB each that is more than a frame holds; only who sends rubbish has more. */
const MAX_PER_MESSAGE = 1000

function signedOf(samples: readonly Sample[]): readonly SignedSample[] {
  const found: SignedSample[] = []
  for (const { signed, at, context } of samples) {
    if (signed && found.length < MAX_PER_MESSAGE) found.push({ signed, at, context })
  }
  return found
}

/** 1.6 and 2.0.1 MeterValues, which may name no transaction. */
export function keepSampled(draft: Draft, input: Extract<Input, { kind: 'sampled' }>): void {
  const values = signedOf(input.samples)
  if (values.length === 0) return
  const transaction = sampledTransaction(draft, input)
  for (const value of values) {
    keep(draft, value, input, (transaction ?? during(draft, input, value.at.occurredAt))?.sessionId)
  }
}

export function onSignedValuesSent(draft: Draft, input: SignedValuesSent): void {
  const { transactionId, mention } = input
  const key = transactionId && keyOf(draft.state.transactions, transactionId, mention)
  const named = key ? draft.transaction(key) : undefined
  for (const value of input.values.slice(0, MAX_PER_MESSAGE)) {
    keep(draft, value, input, (named ?? during(draft, input, value.at.occurredAt))?.sessionId)
  }
}

function keep(draft: Draft, sample: SignedSample, place: EvsePosition, sessionId?: string): void {
  keepSignedValue(draft, sample, place, sessionId === undefined ? undefined : draft.session(sessionId))
}

/** A station may send them after the stop, or without a number: the one charge that the time lies within. */
function during(draft: Draft, place: EvsePosition, at: number): MeteredTransaction | undefined {
  const candidates = draft
    .transactions()
    .filter((one) => isAt(one, place) && isDuring(one, at))
    .filter((one, index, all) => all.findIndex(({ sessionId }) => sessionId === one.sessionId) === index)
  return candidates.length === 1 ? candidates[0] : undefined
}

function isAt(transaction: MeteredTransaction, { evseId, connectorId }: EvsePosition): boolean {
  if (evseId === undefined && (connectorId === undefined || connectorId === 0)) return true
  return samePlace(transaction, evseId === undefined ? { connectorId } : { evseId })
}

/** The meter's clock is not the station's. */
const CLOCKS_APART_MS = 5 * 60_000

function isDuring({ startedAt, stoppedAt, open }: MeteredTransaction, at: number): boolean {
  if (hasOwnTime(startedAt) && at < startedAt.occurredAt - CLOCKS_APART_MS) return false
  return open || (stoppedAt !== undefined && at <= stoppedAt.occurredAt + CLOCKS_APART_MS)
}
