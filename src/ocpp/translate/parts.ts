/** A request with a list that may be longer than a station takes at once: cut into parts, and their answers joined. */
import type { MessageLimits } from '../../domain/ports/blocks.ts'
import type { Payload } from '../payload.ts'
import { chunks, jsonBytes } from './chunks.ts'
import { list } from './payload.ts'

export interface ListInRequest {
  /** The member that is the list. */
  readonly member: string
  /** What the station says of how many it takes, and of how many bytes. */
  readonly most: keyof MessageLimits
  readonly bytes?: keyof MessageLimits | undefined
  /** Lists of the answer that hold a result for each; none: the request is one, and cannot be sent in parts. */
  readonly results: readonly string[]
}

/** The request alone where the station takes it as it is, or did not say what it takes. */
export function inParts(request: Payload, rule: ListInRequest, limits: MessageLimits): readonly Payload[] {
  const { member } = rule
  const most = limits[rule.most]
  const bytes = rule.bytes && limits[rule.bytes]
  const items = list(request[member])
  const known = { most: most === undefined || most < 1 ? Number.POSITIVE_INFINITY : most, bytes }
  const made = chunks(items, jsonBytes, known)
  return made.length < 2 ? [request] : made.map((part) => ({ ...request, [member]: part }))
}

/** As if the station had answered all of it at once. */
export function joinedAnswer(answers: readonly Payload[], { results }: ListInRequest): Payload {
  const all = results.map((name) => [name, answers.flatMap((answer) => list(answer[name]))] as const)
  return { ...answers[0], ...Object.fromEntries(all.filter(([, items]) => items.length > 0)) }
}
