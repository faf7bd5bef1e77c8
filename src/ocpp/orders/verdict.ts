/** The meaning of a command's answer: accepted or not, and its wording (CONSOLE-A12). */

import { parsedJson } from '../../domain/parsed-json.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { oneLine } from '../../domain/typed-text.ts'

const GOOD: ReadonlySet<string> = new Set(['Accepted', 'AcceptedCanceled', 'Scheduled', 'RebootRequired', 'Unlocked'])

export interface Verdict {
  readonly tone: 'good' | 'bad' | ''
  /** As sent by the station. */
  readonly status?: string | undefined
  /** The station's reason. */
  readonly said?: string | undefined
}

/** An answer without a status, such as a list of values, is a good one. */
export function verdictOf({ status, response, error }: Pick<Command, 'status' | 'response' | 'error'>): Verdict {
  if (status === 'pending') return { tone: '', status }
  if (status === 'error') return { tone: 'bad', status: error?.code ?? status, said: error?.description ?? '' }
  if (status !== 'success') return { tone: 'bad', status }
  const { status: said, statusInfo } = payloadOf(response)
  if (typeof said !== 'string') return { tone: 'good' }
  const { reasonCode, additionalInfo } = payloadOf(statusInfo)
  const why = [reasonCode, additionalInfo].filter((part) => typeof part === 'string').join(': ')
  return { tone: GOOD.has(said) ? 'good' : 'bad', status: said, ...(why !== '' && { said: why }) }
}

function payloadOf(value: unknown): Readonly<Record<string, unknown>> {
  const payload = typeof value === 'string' ? parsedJson(value) : value
  return typeof payload === 'object' && payload !== null ? (payload as Readonly<Record<string, unknown>>) : {}
}

/** In a word or two, for the audit log (ADMIN-C7). */
export function answerWords(command: Parameters<typeof verdictOf>[0]): string {
  return oneLine(verdictOf(command).status ?? 'answered', MAX_STATUS_LENGTH)
}

/** A missing answer is not a refusal. */
export function answerOutcome(command: Parameters<typeof verdictOf>[0]): 'done' | 'refused' | 'failed' {
  if (verdictOf(command).tone !== 'bad') return 'done'
  return command.status === 'success' || command.status === 'error' ? 'refused' : 'failed'
}

const MAX_STATUS_LENGTH = 50
const MAX_ANSWER_LENGTH = 200

/** With the charge point's reason; undefined without status and reason. */
export function wholeAnswer({ status = '', said = '' }: Verdict): string | undefined {
  return oneLine([status, said].filter(Boolean).join(': '), MAX_ANSWER_LENGTH) || undefined
}
