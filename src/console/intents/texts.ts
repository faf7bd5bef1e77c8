/** The words for what is wanted, in English and German. A missing translation does not compile. */

import type { IntentState } from '../../domain/intents/records.ts'
import { inLanguages } from '../../web/in-languages.ts'

type Named<Key extends string> = Readonly<Record<Key, string>>

const en = {
  wanted: 'Wanted and not yet so',
  nothingWanted: 'Everything that is wanted of this charge point is so.',
  verified: (count: number) => `${count} more are as they are wanted.`,
  others: (count: number) => `${count} more wait; the API lists them.`,
  what: 'What',
  value: 'Value',
  state: 'State',
  reason: 'Reason',
  nextAttempt: 'Next attempt',
  changed: 'Changed',
  withdraw: 'Withdraw',
  byConfiguration: 'Configuration',
  states: {
    pending: 'waits to be sent',
    sent: 'sent',
    applied: 'accepted',
    verified: 'read back',
    rebootRequired: 'needs a restart',
    rejected: 'rejected',
    unsupported: 'not supported',
    conflict: 'keeps another value',
    expired: 'expired',
  } as Named<IntentState>,
}

export type IntentTexts = typeof en

const de: IntentTexts = {
  wanted: 'Gewünscht und noch nicht so',
  nothingWanted: 'Alles, was von dieser Station gewünscht ist, ist so.',
  verified: (count) => `${count} weitere sind, wie sie gewünscht sind.`,
  others: (count) => `${count} weitere warten; die API zählt sie auf.`,
  what: 'Was',
  value: 'Wert',
  state: 'Zustand',
  reason: 'Grund',
  nextAttempt: 'Nächster Versuch',
  changed: 'Geändert',
  withdraw: 'Zurücknehmen',
  byConfiguration: 'Konfiguration',
  states: {
    pending: 'wartet auf das Senden',
    sent: 'gesendet',
    applied: 'angenommen',
    verified: 'zurückgelesen',
    rebootRequired: 'braucht einen Neustart',
    rejected: 'abgelehnt',
    unsupported: 'nicht unterstützt',
    conflict: 'behält einen anderen Wert',
    expired: 'abgelaufen',
  },
}

export const intentTexts = inLanguages<IntentTexts>({ en, de })
