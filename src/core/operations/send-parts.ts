/** Sends a command too long for its charge point in parts, each with its log row (SESSION-O11). */

import type { SentCommand } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Command } from '../../domain/ports/storage.ts'
import { refuse } from '../../domain/refuse.ts'
import type { OutgoingCall, Payload } from '../../ocpp/payload.ts'
import { inParts, joinedAnswer, type ListInRequest } from '../../ocpp/translate/parts.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { Station } from '../memory/station.ts'
import { OUTGOING_LIMIT } from '../outbound/outgoing-queue.ts'
import { QUEUE_FULL } from './core-refusals.ts'

/** Longer orders are for reports or configurations. */
const MAX_PARTS = 20

export function partsOf(
  { id: chargePointId, state, outgoing }: Station,
  { method, request }: OutgoingCall,
  rule: ListInRequest | undefined,
): readonly OutgoingCall[] | Refusal {
  if (!rule) return [{ method, request }]
  const limits = state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const parts = inParts(request, rule, limits)
  const [most, bytes] = [limits[rule.most], rule.bytes && limits[rule.bytes]]
  const isTooLong = parts.length > (rule.results.length > 0 ? MAX_PARTS : 1)
  if (isTooLong) {
    const size = [most && `${most} items`, bytes && `${bytes} bytes`].filter(Boolean).join(' and ')
    const way = rule.results.length > 0 ? 'in several commands, or as a configuration' : 'in several commands'
    return refuse(
      422,
      'too_many',
      `The charge point takes at most ${size} in one ${method}, as its device model says: send it ${way}.`,
      [{ pointer: `/request/${rule.member}`, message: `has more than the ${size} that the charge point takes` }],
    )
  }
  if (parts.length > 1 && outgoing.size + parts.length > OUTGOING_LIMIT) {
    return QUEUE_FULL
  }
  return parts.map((part) => ({ method, request: part }))
}

/** One command with the answers of all parts, answered with the last. */
export function joined(rows: readonly Command[], rule: ListInRequest | undefined): SentCommand {
  const [first] = rows
  if (!first) throw new Error('A command has at least one part.')
  if (rows.length === 1 || !rule) return first
  const { member } = rule
  const requests = rows.map(({ request }) => read(request))
  const request = JSON.stringify({ ...requests[0], [member]: requests.flatMap((each) => each[member]) })
  const reported = rows.find(({ status }) => status === 'pending') ?? rows.find(({ status }) => status !== 'success')
  const parts = rows.map(({ id }) => id)
  if (reported) {
    const { status, error, answeredAt } = reported
    const failure = { ...(error && { error }), ...(answeredAt !== undefined && { answeredAt }) }
    return { ...bare(first), request, status, ...failure, parts }
  }
  const answers = rows.map(({ response = '{}' }) => read(response))
  const schemaErrors = rows.find((row) => row.schemaErrors !== undefined)?.schemaErrors
  return {
    ...bare(first),
    request,
    status: 'success',
    response: JSON.stringify(joinedAnswer(answers, rule)),
    answeredAt: Math.max(...rows.map(({ answeredAt = 0 }) => answeredAt)),
    schemaErrors,
    parts,
  }
}

function bare({ response: _, error: _e, answeredAt: _a, schemaErrors: _s, ...row }: Command): Command {
  return row
}

function read(text: string): Payload {
  return object(JSON.parse(text))
}
