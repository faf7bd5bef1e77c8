/** The words of the device model's pages, in English and German. A missing translation does not compile. */
import type { Language } from '../../../web/texts.ts'
import type { ReportState } from '../records.ts'

const en = {
  variables: 'Variables',
  lead: 'What the charge point tells of itself: its variables, or its configuration keys in OCPP 1.6.',
  search: 'Part of a name or value',
  component: 'Component',
  show: 'Show',
  which: 'Which',
  choices: { '': 'all', settable: 'that can be set', gone: 'that are gone' },
  badChoice: 'That is none of the choices.',
  variable: 'Variable',
  value: 'Value',
  mutability: 'May be set',
  mutabilities: { ReadOnly: 'read only', WriteOnly: 'write only', ReadWrite: 'read and write' } as Readonly<
    Record<string, string>
  >,
  reported: 'Reported',
  gone: 'gone',
  set: 'Set',
  none: 'Nothing was reported yet.',
  noneFound: 'No variable matches.',
  reportNow: 'Ask for a report now',
  lastReport: 'Newest report',
  reportStates: {
    running: 'is coming in',
    complete: 'complete',
    incomplete: 'incomplete',
    rejected: 'rejected',
  } as Record<ReportState, string>,
  reportCount: (count: number) => `${count} values`,
  truncated: 'It had more than is kept of one charge point.',
  setVariable: 'Set a variable',
  newValue: 'New value',
  present: 'Present value',
  type: 'Type',
  unit: 'Unit',
  limits: 'Limits',
  atLeast: (limit: number) => `at least ${limit}`,
  atMost: (limit: number) => `at most ${limit}`,
  values: 'Allowed values',
  setHint: 'It is sent as soon as the charge point can be reached, read back, and tried again until it is so.',
  secretHint: 'It is kept sealed and shown to nobody.',
  save: 'Set it',
  cannot: 'It cannot be set',
  back: 'All variables',
}

export type VariableTexts = typeof en

const de: VariableTexts = {
  variables: 'Variablen',
  lead: 'Was die Station von sich sagt: ihre Variablen, oder bei OCPP 1.6 ihre Konfigurationsschlüssel.',
  search: 'Teil eines Namens oder Wertes',
  component: 'Komponente',
  show: 'Anzeigen',
  which: 'Welche',
  choices: { '': 'alle', settable: 'die sich setzen lassen', gone: 'die es nicht mehr gibt' },
  badChoice: 'Das steht nicht zur Wahl.',
  variable: 'Variable',
  value: 'Wert',
  mutability: 'Setzbar',
  mutabilities: { ReadOnly: 'nur lesen', WriteOnly: 'nur schreiben', ReadWrite: 'lesen und schreiben' },
  reported: 'Gemeldet',
  gone: 'nicht mehr da',
  set: 'Setzen',
  none: 'Es wurde noch nichts gemeldet.',
  noneFound: 'Keine Variable passt.',
  reportNow: 'Jetzt einen Bericht anfordern',
  lastReport: 'Neuester Bericht',
  reportStates: {
    running: 'kommt herein',
    complete: 'vollständig',
    incomplete: 'unvollständig',
    rejected: 'abgelehnt',
  },
  reportCount: (count) => `${count} Werte`,
  truncated: 'Er hatte mehr, als von einer Station aufbewahrt wird.',
  setVariable: 'Eine Variable setzen',
  newValue: 'Neuer Wert',
  present: 'Jetziger Wert',
  type: 'Art',
  unit: 'Einheit',
  limits: 'Grenzen',
  atLeast: (limit) => `mindestens ${limit}`,
  atMost: (limit) => `höchstens ${limit}`,
  values: 'Erlaubte Werte',
  setHint: 'Er wird gesendet, sobald die Station erreichbar ist, zurückgelesen und so lange wiederholt, bis er gilt.',
  secretHint: 'Er wird verschlossen aufbewahrt und niemandem gezeigt.',
  save: 'Setzen',
  cannot: 'Sie lässt sich nicht setzen',
  back: 'Alle Variablen',
}

const LANGUAGES: Readonly<Record<Language, VariableTexts>> = { en, de }

export function variableTexts({ language }: { readonly language: Language }): VariableTexts {
  return LANGUAGES[language]
}
