/** The words of the logs' page, in English and German. A missing translation does not compile. */

import type { LogState, LogType } from '../../domain/logs/records.ts'
import { inLanguages } from '../../web/in-languages.ts'

type Named<Key extends string> = Readonly<Record<Key, string>>

const en = {
  logs: 'Logs',
  lead: 'The charge point uploads them here. The newest 50 are kept.',
  none: 'No log was asked for yet.',
  ask: 'Ask for a log',
  type: 'Kind',
  types: { diagnostics: 'diagnostics', security: 'security log' } as Named<LogType>,
  from: 'Entries since (UTC)',
  to: 'Entries before (UTC)',
  badTime: 'must be a time such as 2026-08-01T12:00',
  badType: 'must be one of the kinds',
  badWindow: 'must be after the start',
  button: 'Ask for it',
  state: 'State',
  states: {
    requested: 'asked for',
    uploading: 'is coming in',
    uploaded: 'here',
    failed: 'failed',
    rejected: 'rejected',
  } as Named<LogState>,
  reported: 'Reported',
  reason: 'Reason',
  asked: 'Asked for',
  span: 'Entries',
  file: 'File',
  bytes: (count: number) => `${count} bytes`,
}

export type LogTexts = typeof en

const de: LogTexts = {
  logs: 'Protokolle',
  lead: 'Die Station lädt sie hier hoch. Die neuesten 50 werden aufbewahrt.',
  none: 'Es wurde noch kein Protokoll angefordert.',
  ask: 'Ein Protokoll anfordern',
  type: 'Art',
  types: { diagnostics: 'Diagnose', security: 'Sicherheitsprotokoll' },
  from: 'Einträge seit (UTC)',
  to: 'Einträge vor (UTC)',
  badTime: 'muss eine Zeit sein wie 2026-08-01T12:00',
  badType: 'muss eine der Arten sein',
  badWindow: 'muss nach dem Beginn liegen',
  button: 'Anfordern',
  state: 'Zustand',
  states: {
    requested: 'angefordert',
    uploading: 'kommt herein',
    uploaded: 'ist da',
    failed: 'gescheitert',
    rejected: 'abgelehnt',
  },
  reported: 'Gemeldet',
  reason: 'Grund',
  asked: 'Angefordert',
  span: 'Einträge',
  file: 'Datei',
  bytes: (count) => `${count} Bytes`,
}

export const logTexts = inLanguages<LogTexts>({ en, de })
