/** The words of the operator's pages, in English and German. A missing translation does not compile. */

import type { SessionState } from '../domain/ports/sessions.ts'
import type { Command, CommandStatus } from '../domain/ports/storage.ts'
import type { DeliveryState, DisabledReason, SubscriptionStatus } from '../domain/ports/storage-webhooks.ts'
import { type Names, pageTexts } from './kit/texts.ts'

/** To the minute, whatever the sign. */
function spanOf(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
}

export const operatorTexts = pageTexts({
  started: ['Started', 'Beginn'],
  stopped: ['Stopped', 'Ende'],
  noSessions: ['There are no sessions yet.', 'Es gibt noch keine Ladevorgänge.'],
  settlements: ['Settlements', 'Abrechnungen'],
  by: ['By', 'Von'],
  event: ['Event', 'Ereignis'],
  causes: ['Caused by', 'Ausgelöst durch'],
  course: ['Power and energy', 'Leistung und Energie'],
  noCurve: [
    'The log has no meter values of this session.',
    'Das Protokoll enthält keine Zählerwerte dieses Ladevorgangs.',
  ],
  cutCurve: [
    (count: number) => `Drawn from the newest ${count} messages.`,
    (count: number) => `Gezeichnet aus den neuesten ${count} Nachrichten.`,
  ],
  courseTable: ['As a table', 'Als Tabelle'],
  chartText: [
    (what: string, most: string, from: string, to: string) =>
      `${what} from ${from} to ${to}, at most ${most}. The table below has the values.`,
    (what: string, most: string, from: string, to: string) =>
      `${what} von ${from} bis ${to}, höchstens ${most}. Die Werte stehen in der Tabelle darunter.`,
  ],
  sessionStates: {
    pending: ['pending', 'wartet'],
    charging: ['charging', 'lädt'],
    suspended: ['suspended', 'pausiert'],
    finishing: ['finishing', 'endet'],
    completed: ['completed', 'beendet'],
    failed: ['failed', 'fehlgeschlagen'],
  } satisfies Names<SessionState>,
  eventKinds: {
    transition: ['state', 'Zustand'],
    settlement: ['settlement', 'Abrechnung'],
    figures: ['figures', 'Werte'],
    test: ['test', 'Test'],
  },
  noWebhooks: ['There are no webhooks yet.', 'Es gibt noch keine Webhooks.'],
  ofApplications: ['Of connected applications', 'Von verbundenen Anwendungen'],
  application: ['Application', 'Anwendung'],
  ofUser: [(email: string) => `connected by ${email}`, (email: string) => `verbunden von ${email}`],
  belongsToApplication: [
    'The application cannot enable what is disabled here. To end its access, disconnect it.',
    'Was hier deaktiviert ist, kann die Anwendung nicht aktivieren. Um ihren Zugriff zu beenden, trennen Sie sie.',
  ],
  answerNotShown: [
    'Only the application sees the text of the answer.',
    'Den Text der Antwort sieht nur die Anwendung.',
  ],
  address: ['Address', 'Adresse'],
  successRate: ['Delivered', 'Zugestellt'],
  successOf: [
    (succeeded: number, finished: number) => `${succeeded} of ${finished}`,
    (succeeded: number, finished: number) => `${succeeded} von ${finished}`,
  ],
  pausedUntil: ['Paused until', 'Pause bis'],
  whyPaused: [
    'The receiver asked for it (Retry-After). A test, or a delivery sent again, leaves at once.',
    'Der Empfänger hat darum gebeten (Retry-After). Ein Test oder eine erneute Zustellung wird sofort gesendet.',
  ],
  lastError: ['Last error', 'Letzter Fehler'],
  signatureScheme: ['Signed as', 'Signiert als'],
  consent: ['Receiver’s consent', 'Zustimmung des Empfängers'],
  consentGiven: ['given', 'erteilt'],
  consentUpTo: [
    (perMinute: number) => `given, for ${perMinute} a minute`,
    (perMinute: number) => `erteilt, für ${perMinute} pro Minute`,
  ],
  lastSuccess: ['Last success', 'Letzter Erfolg'],
  webhook: ['Webhook', 'Webhook'],
  statuses: {
    active: ['active', 'aktiv'],
    disabled: ['disabled', 'deaktiviert'],
    revoked: ['revoked', 'widerrufen'],
  } satisfies Names<SubscriptionStatus>,
  disabledReasons: {
    gone: ['the receiver answered 410', 'der Empfänger antwortete 410'],
    failing: ['it failed for too long', 'zu lange fehlgeschlagen'],
    owner: ['by request', 'auf Wunsch'],
    operator: ['by the operator', 'vom Betreiber'],
  } satisfies Names<DisabledReason>,
  deliveries: ['Deliveries', 'Zustellungen'],
  noDeliveries: ['No deliveries found.', 'Keine Zustellungen gefunden.'],
  allStates: ['all', 'alle'],
  deliveryStates: {
    pending: ['pending', 'wartet'],
    in_flight: ['in flight', 'unterwegs'],
    succeeded: ['succeeded', 'zugestellt'],
    failed: ['failed', 'fehlgeschlagen'],
    held: ['held', 'zurückgehalten'],
    superseded: ['superseded', 'überholt'],
    cancelled: ['canceled', 'abgebrochen'],
  } satisfies Names<DeliveryState>,
  attempts: ['Attempts', 'Versuche'],
  finished: ['Finished', 'Abgeschlossen'],
  delivery: ['Delivery', 'Zustellung'],
  requestHeaders: ['Request', 'Anfrage'],
  body: ['Body', 'Inhalt'],
  noAttempts: ['There was no attempt yet.', 'Es gab noch keinen Versuch.'],
  resend: ['Send again', 'Erneut senden'],
  sendTest: ['Send a test event', 'Test senden'],
  disable: ['Disable', 'Deaktivieren'],
  enableHeld: ['Enable and deliver what was held', 'Aktivieren und Zurückgehaltenes zustellen'],
  enableSkip: ['Enable and skip what was held', 'Aktivieren und Zurückgehaltenes überspringen'],
  replay: ['Deliver again', 'Erneut zustellen'],
  replaySince: ['Everything since (UTC)', 'Alles seit (UTC)'],
  replayed: [
    (count: number) => `Deliveries due now: ${count}`,
    (count: number) => `Jetzt fällige Zustellungen: ${count}`,
  ],
  lastSeen: ['Last seen', 'Zuletzt gesehen'],
  registration: ['Registration', 'Freigabe'],
  registrations: {
    Accepted: ['accepted', 'freigegeben'],
    Pending: ['waits for approval', 'wartet auf Freigabe'],
    Rejected: ['rejected', 'abgewiesen'],
  },
  approve: ['Approve', 'Freigeben'],
  stationPassword: ['Charge point password', 'Passwort der Ladestation'],
  stationPasswordHint: [
    '16 to 40 characters. Enter the same in the charge point: AuthorizationKey (OCPP 1.6) or BasicAuthPassword (2.0.1).',
    '16 bis 40 Zeichen. Tragen Sie dasselbe in der Ladestation ein: AuthorizationKey (OCPP 1.6) oder BasicAuthPassword (2.0.1).',
  ],
  reject: ['Reject', 'Abweisen'],
  refused: ['Not done', 'Nicht ausgeführt'],
  back: ['Back', 'Zurück'],
  itsSessions: ['Sessions of this charge point', 'Ladevorgänge dieser Ladestation'],
  protocol: ['Protocol', 'Protokoll'],
  serialNumber: ['Serial number', 'Seriennummer'],
  securityProfile: ['Security profile', 'Sicherheitsprofil'],
  lastBoot: ['Last boot', 'Letzter Neustart'],
  clock: ['Clock', 'Uhr'],
  clockSkew: [
    (ms: number) => (Math.abs(ms) < 60_000 ? undefined : `${spanOf(ms)} ${ms > 0 ? 'ahead of' : 'behind'} this server`),
    (ms: number) => (Math.abs(ms) < 60_000 ? undefined : `geht ${spanOf(ms)} ${ms > 0 ? 'vor' : 'nach'}`),
  ],
  messages: ['Messages', 'Nachrichten'],
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
})

export type OperatorTexts = ReturnType<typeof operatorTexts>
