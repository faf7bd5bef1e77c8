/** The log of one charge point as a trace: JSON lines of its frames in the order they crossed the wire. */
import { isoTime } from '../../../domain/iso-time.ts'
import { logIdTime } from '../../../domain/message-log/log-id.ts'
import { type FrozenSearch, searchAll } from '../../../domain/message-log/search.ts'
import type { Command, Reads } from '../../../domain/ports/storage.ts'

const PAGE_ROWS = 500

export interface Trace {
  readonly lines: readonly string[]
  readonly frames: number
}

/** Payloads are the text that crossed the wire, to the byte. */
export async function traceOf(reads: Reads, search: FrozenSearch): Promise<Trace> {
  const frames: { readonly at: number; readonly text: string }[] = []
  let protocol: string | undefined
  for await (const rows of searchAll(reads, search, PAGE_ROWS)) {
    for (const row of rows) {
      protocol ??= row.protocol
      frames.push(...framesOf(row))
    }
  }
  // Rows came newest first; of frames of one instant the earlier row's stand first.
  frames.reverse()
  frames.sort((a, b) => a.at - b.at)
  const head = JSON.stringify({ protocol, chargePointId: search.chargePointId })
  return { lines: [head, ...frames.map(({ text }) => text)], frames: frames.length }
}

/** The answer before its CALL, as the order is turned round afterwards. */
function framesOf(row: Command): readonly { readonly at: number; readonly text: string }[] {
  const id = JSON.stringify(row.messageId)
  const calledAt = logIdTime(row.id)
  const call = `[2,${id},${JSON.stringify(row.method)},${row.request}]`
  const answerFrom = row.direction === 'in' ? 'out' : 'in'
  const answer = answerFrame(row, id)
  return [
    ...(answer === undefined ? [] : [line(Math.max(calledAt, row.answeredAt ?? calledAt), answerFrom, answer)]),
    line(calledAt, row.direction, call),
  ]
}

function answerFrame({ status, response, error }: Command, id: string): string | undefined {
  if (status === 'success' && response !== undefined) return `[3,${id},${response}]`
  if (status !== 'error' || !error) return undefined
  return `[4,${id},${JSON.stringify(error.code)},${JSON.stringify(error.description)},${JSON.stringify(error.details ?? {})}]`
}

function line(at: number, direction: 'in' | 'out', frame: string): { readonly at: number; readonly text: string } {
  return { at, text: `{"at":"${isoTime(at)}","direction":"${direction}","frame":${frame}}` }
}
