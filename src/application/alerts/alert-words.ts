/** What each kind of alert is called and says, for mails, pages and the API (ALERT-K1). */
import type { Alert, AlertFacts, AlertKind } from '../../domain/alerts/records.ts'
import { oneLine } from '../../domain/typed-text.ts'
import { inLanguages, type Language, type TextsIn } from '../words/in-languages.ts'

const wordsOf = inLanguages('alertKinds')

export function kindTitle(kind: AlertKind, reader: { readonly language: Language }): string {
  return wordsOf(reader)[kind].title
}

export function alertText(
  { kind, facts }: Pick<Alert, 'kind' | 'facts'>,
  reader: { readonly language: Language },
): string {
  return REPORTED[kind](wordsOf(reader), facts)
}

type Reported = (words: TextsIn<'alertKinds'>, facts: AlertFacts) => string

const REPORTED: Readonly<Record<AlertKind, Reported>> = {
  offline: ({ offline }, facts) => offline.reported(station(facts)),
  faulted: ({ faulted }, facts) => faulted.reported(station(facts), fault(facts, faulted.connector)),
  errorRate: ({ errorRate }, { percent = 0 }) => errorRate.reported(percent),
  sessionWithoutEnergy: (words, facts) => words.sessionWithoutEnergy.reported(station(facts), named(facts.sessionId)),
  webhookFailing: ({ webhookFailing }, { url }) => webhookFailing.reported(named(url)),
  disk: ({ disk }, { mebibytes = 0, diskHolds }) =>
    diskHolds === 'files' ? disk.ofFiles(mebibytes) : disk.reported(mebibytes),
  clock: ({ clock }, facts) => {
    const seconds = Math.abs(facts.seconds ?? 0)
    return facts.stationId === undefined ? clock.ofServer(seconds) : clock.reported(station(facts), seconds)
  },
  certificateFailed: ({ certificateFailed }, facts) => {
    const reason = facts.reason === undefined ? '' : `: ${oneLine(facts.reason, 200)}`
    return certificateFailed.reported(station(facts), reason)
  },
}

function station({ stationId, stationName }: AlertFacts): string {
  return stationName === undefined ? named(stationId) : `${named(stationId)} (${named(stationName)})`
}

function fault({ connectors = [], errorCode }: AlertFacts, noun: string): string {
  const place = connectors.filter((number) => number > 0).join(', ')
  const parts = [...(place ? [`${noun} ${place}`] : []), ...(errorCode === undefined ? [] : [named(errorCode)])]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function named(text: string | undefined): string {
  return oneLine(text ?? '', 100)
}
