import type { ReportState } from '../../domain/device-model/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const variableTexts = pageTexts({
  variables: ['Variables', 'Variablen'],
  lead: [
    'What the charge point reports about itself: its variables, or its configuration keys in OCPP 1.6.',
    'Was die Ladestation über sich meldet: ihre Variablen, bei OCPP 1.6 ihre Konfigurationsschlüssel.',
  ],
  search: ['Part of a name or value', 'Teil eines Namens oder Werts'],
  which: ['Which', 'Welche'],
  choices: {
    settable: ['that can be set', 'setzbare'],
    gone: ['that are gone', 'nicht mehr vorhandene'],
  },
  mutability: ['Access', 'Zugriff'],
  mutabilities: {
    ReadOnly: ['read only', 'nur lesen'],
    WriteOnly: ['write only', 'nur schreiben'],
    ReadWrite: ['read and write', 'lesen und schreiben'],
  } as Names,
  gone: ['gone', 'nicht mehr vorhanden'],
  set: ['Set', 'Setzen'],
  none: ['Nothing was reported yet.', 'Es wurde noch nichts gemeldet.'],
  noneFound: ['No variable matches.', 'Keine passenden Variablen.'],
  reportNow: ['Ask for a report now', 'Jetzt einen Bericht anfordern'],
  lastReport: ['Newest report', 'Neuester Bericht'],
  reportStates: {
    running: ['coming in', 'wird empfangen'],
    complete: ['complete', 'vollständig'],
    incomplete: ['incomplete', 'unvollständig'],
    rejected: ['rejected', 'abgelehnt'],
  } satisfies Names<ReportState>,
  reportCount: [(count: number) => `${count} values`, (count: number) => `${count} Werte`],
  truncated: [
    'It had more values than are kept per charge point.',
    'Er enthielt mehr Werte, als pro Ladestation gespeichert werden.',
  ],
  readInTens: [
    'Charge points of this model and firmware dropped the connection when asked for all keys, so they are asked for the standard keys, ten at a time.',
    'Ladestationen dieses Modells mit dieser Firmware haben die Verbindung abgebrochen, als alle Schlüssel abgefragt wurden. Deshalb werden nur die Standardschlüssel abgefragt, je zehn auf einmal.',
  ],
  readWhole: ['Ask for all keys again', 'Wieder alle Schlüssel abfragen'],
  setVariable: ['Set a variable', 'Eine Variable setzen'],
  newValue: ['New value', 'Neuer Wert'],
  present: ['Current value', 'Aktueller Wert'],
  unit: ['Unit', 'Einheit'],
  limits: ['Limits', 'Grenzen'],
  atLeast: [(limit: number) => `at least ${limit}`, (limit: number) => `mindestens ${limit}`],
  atMost: [(limit: number) => `at most ${limit}`, (limit: number) => `höchstens ${limit}`],
  values: ['Allowed values', 'Erlaubte Werte'],
  constant: ['Never changes', 'Ändert sich nie'],
  persistent: ['Kept after a restart', 'Bleibt nach einem Neustart erhalten'],
  supportsMonitoring: ['Can be monitored', 'Lässt sich überwachen'],
  no: ['no', 'nein'],
  setHint: [
    'It is sent as soon as the charge point is online, read back, and retried until it applies.',
    'Er wird gesendet, sobald die Ladestation online ist, zurückgelesen und so lange wiederholt, bis er gilt.',
  ],
  secretHint: [
    'It is stored encrypted and shown to nobody.',
    'Er wird verschlüsselt gespeichert und niemandem angezeigt.',
  ],
  save: ['Set it', 'Setzen'],
  cannot: ['It cannot be set', 'Sie lässt sich nicht setzen'],
})

export type VariableTexts = ReturnType<typeof variableTexts>
