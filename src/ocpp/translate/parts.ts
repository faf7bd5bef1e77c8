/** Cuts a request with a list too long for the station into parts, and joins their answers. */
import type { MessageLimits, NumericLimit } from '../../domain/ports/blocks.ts'
import { chunks, jsonBytes } from './chunks.ts'
import { list, type Payload } from './payload.ts'

export interface ListInRequest {
  /** The list. */
  readonly member: string
  /** The station's limits of items and bytes. */
  readonly most: NumericLimit
  readonly bytes?: NumericLimit | undefined
  /** The answer's lists with a result per item; empty: the request cannot be divided. */
  readonly results: readonly string[]
}

/** The request alone where it fits, or the station stated no limit. */
export function inParts(request: Payload, rule: ListInRequest, limits: MessageLimits): readonly Payload[] {
  const { member } = rule
  const most = limits[rule.most]
  const bytes = rule.bytes && limits[rule.bytes]
  const items = list(request[member])
  const known = { most: most === undefined || most < 1 ? Number.POSITIVE_INFINITY : most, bytes }
  const made = chunks(items, jsonBytes, known)
  return made.length < 2 ? [request] : made.map((part) => ({ ...request, [member]: part }))
}

/** As if the station had answered all at once. */
export function joinedAnswer(answers: readonly Payload[], { results }: ListInRequest): Payload {
  const all = results.map((name) => [name, answers.flatMap((answer) => list(answer[name]))] as const)
  return { ...answers[0], ...Object.fromEntries(all.filter(([, items]) => items.length > 0)) }
}
