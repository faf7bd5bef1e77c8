/** The words of what happened to a charge point beside its messages, in English and German. */
import { pageTexts } from '../kit/texts.ts'

export const historyTexts = pageTexts({
  lately: ['What happened', 'Was passiert ist'],
  nothing: ['There is no history of its connections yet.', 'Es gibt noch keinen Verlauf der Verbindungen.'],
  connector: ['connector', 'Anschluss'],
  refusals: ['Refused connections in the last 24 hours', 'Abgewiesene Verbindungen in den letzten 24 Stunden'],
  noRefusals: [
    'No connection was refused in the last 24 hours.',
    'In den letzten 24 Stunden wurde keine Verbindung abgewiesen.',
  ],
  moreRefusals: ['These are the newest; there are more.', 'Das sind die neuesten; es gibt weitere.'],
  unregistered: ['not registered', 'nicht registriert'],
})

export type HistoryTexts = ReturnType<typeof historyTexts>
