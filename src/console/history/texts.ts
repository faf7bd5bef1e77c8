/** The words of what happened to a charge point beside its messages, in English and German. */
import { inLanguages } from '../../web/in-languages.ts'

const en = {
  lately: 'What happened',
  nothing: 'Nothing is kept of its connections yet.',
  kinds: {
    connected: 'connected',
    disconnected: 'disconnected',
    refused: 'refused',
    booted: 'booted',
    status: 'status',
    security: 'security',
  } as Readonly<Record<string, string>>,
  connector: 'connector',
  times: (count: number) => `${count} times`,
  until: 'until',
  refusals: 'Refused connections of the last day',
  noRefusals: 'No connection was refused in the last 24 hours.',
  moreRefusals: 'There are more; these are the newest.',
  unregistered: 'not registered',
}

export type HistoryTexts = typeof en

const de: HistoryTexts = {
  lately: 'Was geschah',
  nothing: 'Von ihren Verbindungen ist noch nichts bekannt.',
  kinds: {
    connected: 'verbunden',
    disconnected: 'getrennt',
    refused: 'abgewiesen',
    booted: 'gestartet',
    status: 'Status',
    security: 'Sicherheit',
  },
  connector: 'Anschluss',
  times: (count) => `${count}-mal`,
  until: 'bis',
  refusals: 'Abgewiesene Verbindungen des letzten Tages',
  noRefusals: 'In den letzten 24 Stunden wurde keine Verbindung abgewiesen.',
  moreRefusals: 'Es gibt mehr; dies sind die neuesten.',
  unregistered: 'nicht registriert',
}

export const historyTexts = inLanguages<HistoryTexts>({ en, de })
