import type { LogState, LogType } from '../../domain/logs/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const logTexts = pageTexts({
  logs: ['Logs', 'Protokolle'],
  lead: [
    'The charge point uploads them here. The newest 50 are kept.',
    'Die Ladestation lädt sie hier hoch. Die neuesten 50 werden gespeichert.',
  ],
  none: ['No log was requested yet.', 'Es wurde noch kein Protokoll angefordert.'],
  ask: ['Request a log', 'Protokoll anfordern'],
  type: ['Kind', 'Art'],
  types: {
    diagnostics: ['diagnostics', 'Diagnose'],
    security: ['security log', 'Sicherheitsprotokoll'],
  } satisfies Names<LogType>,
  from: ['Entries since', 'Einträge ab'],
  to: ['Entries before', 'Einträge bis'],
  badTime: ['must be a time such as 2026-08-01T12:00', 'muss eine Zeit wie 2026-08-01T12:00 sein'],
  badType: ['must be one of the kinds', 'muss eine der Arten sein'],
  badWindow: ['must be after the start', 'muss nach dem Beginn liegen'],
  button: ['Request', 'Anfordern'],
  states: {
    requested: ['requested', 'angefordert'],
    uploading: ['uploading', 'wird hochgeladen'],
    uploaded: ['uploaded', 'hochgeladen'],
    failed: ['failed', 'fehlgeschlagen'],
    rejected: ['rejected', 'abgelehnt'],
  } satisfies Names<LogState>,
  asked: ['Requested', 'Angefordert'],
  span: ['Entries', 'Einträge'],
})
