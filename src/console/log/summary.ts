/** One line of a message, in words (CONSOLE-C10): where, what, and what the answer was. */
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Language } from '../../web/texts.ts'
import { FROM_STATION, type Summary } from './from-station.ts'
import { summaryWords } from './sample-figures.ts'
import { inside, list, type Payload, payloadOf, word } from './shown-payload.ts'
import { TO_STATION } from './to-station.ts'

interface MessageSummary {
  readonly parts: readonly string[]
  readonly answer?: string
  /** It was refused, or nobody answered as asked. */
  readonly isRefused: boolean
  readonly isFault: boolean
}

type Said = Pick<Command, 'direction' | 'method' | 'request' | 'response' | 'error' | 'status'>

export function summaryOf(message: Said, language: Language): MessageSummary {
  const words = summaryWords(language)
  const { direction, method, request, response, error } = message
  const payload = payloadOf(request)
  const table = direction === 'in' ? FROM_STATION : TO_STATION
  const summary = Object.hasOwn(table, method) ? table[method] : undefined
  const said = payload ? (summary ?? plain)(payload, words) : [words.tooLong(request.length)]
  const answer = error ? word({ ...error }, 'code') : answerOf(payloadOf(response))
  return {
    parts: said.filter((part): part is string => part !== undefined && part !== ''),
    answer,
    isRefused: error !== undefined || (answer !== undefined && isRefusal(answer)),
    isFault: payload !== undefined && method === 'StatusNotification' && isFaulted(payload),
  }
}

const MAX_MEMBERS = 3

const plain: Summary = (payload) =>
  Object.keys(payload)
    .slice(0, MAX_MEMBERS)
    .map((name) => {
      const value = word(payload, name)
      return value === undefined ? undefined : `${word({ name }, 'name') ?? ''}=${value}`
    })

function answerOf(answer: Payload | undefined): string | undefined {
  if (!answer) return undefined
  const card = word(inside(answer, 'idTagInfo'), 'status') ?? word(inside(answer, 'idTokenInfo'), 'status')
  const results = ['setVariableResult', 'getVariableResult', 'setMonitoringResult'].flatMap((name) =>
    list(answer, name).flatMap((result) => word(result, 'attributeStatus') ?? word(result, 'status') ?? []),
  )
  return word(answer, 'status') ?? card ?? results.find(isRefusal) ?? results[0]
}

const REFUSALS = new Set(
  `rejected blocked invalid expired concurrenttx unknown nocredit notallowedtypeevse notatthislocation notatthistime
  notsupported notimplemented failed faulted occupied unavailable unlockfailed ongoingauthorizedtransaction
  unknownconnector unknownmessageid unknownvendorid unknowncomponent unknownvariable notsupportedattributetype
  versionmismatch emptyresultset notfound invalidcertificate revokedcertificate idmismatch duplicate
  error signatureerror notsupportedmessageformat languagenotsupported`.split(/\s+/),
)

function isRefusal(status: string): boolean {
  return REFUSALS.has(status.toLowerCase())
}

function isFaulted(payload: Payload): boolean {
  const status = word(payload, 'status') ?? word(payload, 'connectorStatus')
  return status?.toLowerCase() === 'faulted'
}
