import type { Command, CommandStatus } from '../../domain/ports/storage.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const logTexts = pageTexts({
  last: {
    '15m': ['15 minutes', '15 Minuten'],
    '1h': ['1 hour', '1 Stunde'],
    '24h': ['24 hours', '24 Stunden'],
    '7d': ['7 days', '7 Tage'],
  } as Names,
  ever: ['All', 'Alle'],
  pause: ['Pause', 'Anhalten'],
  resume: ['Resume', 'Fortsetzen'],
  link: ['Link to this message', 'Link zu dieser Nachricht'],
  asJson: ['As JSON', 'Als JSON'],
  asCurl: ['As curl', 'Als curl'],
  copy: ['Copy', 'Kopieren'],
  copied: ['Copied.', 'Kopiert.'],
  curlHint: ['The same from the API, with your API credential:', 'Dasselbe über die API, mit Ihrem API-Schlüssel:'],
  messages: ['Messages', 'Nachrichten'],
  inText: ['Text in a message', 'Text in einer Nachricht'],
  direction: ['Direction', 'Richtung'],
  lookedTo: [
    (time: string) => `Searched back to ${time}. “Older” searches on.`,
    (time: string) => `Durchsucht bis ${time}. „Ältere“ sucht weiter.`,
  ],
  toSession: ['To the session', 'Zum Ladevorgang'],
  toStation: ['To the charge point', 'Zur Ladestation'],
  noMessages: ['There are no messages yet.', 'Es gibt noch keine Nachrichten.'],
  noneFound: ['No message matches.', 'Keine passenden Nachrichten.'],
  method: ['Message', 'Nachricht'],
  directions: {
    in: ['from the charge point', 'von der Ladestation'],
    out: ['to the charge point', 'an die Ladestation'],
  } satisfies Names<Command['direction']>,
  commandStatuses: {
    success: ['answered', 'beantwortet'],
    error: ['error', 'Fehler'],
    pending: ['unanswered', 'unbeantwortet'],
    timeout: ['timed out', 'Zeit überschritten'],
    dropped: ['dropped', 'verworfen'],
  } satisfies Names<CommandStatus>,
  answered: ['Answered after', 'Beantwortet nach'],
  afterMs: [(ms: number) => `${ms} ms`, (ms: number) => `${ms} ms`],
  schemaErrors: ['Schema faults', 'Schemafehler'],
  messageId: ['Message ID', 'Nachrichten-ID'],
  shortened: [
    (length: number) => `The first 8,000 of ${length} characters. The API has the whole message.`,
    (length: number) => `Die ersten 8.000 von ${length} Zeichen. Die API hat die ganze Nachricht.`,
  ],
  protocol: ['Protocol', 'Protokoll'],
})
