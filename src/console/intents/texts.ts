import type { IntentKind, IntentState } from '../../domain/intents/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const intentTexts = pageTexts({
  requested: ['Desired, not yet applied', 'Gewünscht, noch nicht wirksam'],
  nothingRequested: [
    'Everything desired of this charge point is applied.',
    'Alles Gewünschte ist auf dieser Ladestation wirksam.',
  ],
  verified: [(count: number) => `${count} more are applied.`, (count: number) => `${count} weitere sind wirksam.`],
  others: [
    (count: number) => `${count} more are waiting; the API lists them.`,
    (count: number) => `${count} weitere warten; die API listet sie auf.`,
  ],
  withdraw: ['Withdraw', 'Zurücknehmen'],
  byConfiguration: ['Configuration', 'Konfiguration'],
  kinds: {
    variable: ['variable', 'Variable'],
    configurationKey: ['setting', 'Einstellung'],
    monitor: ['monitor', 'Überwachung'],
    localList: ['local list', 'lokale Liste'],
    limit: ['limit', 'Limit'],
    displayMessage: ['display message', 'Anzeigetext'],
    firmware: ['firmware', 'Firmware'],
    certificate: ['certificate', 'Zertifikat'],
    securityProfile: ['security profile', 'Sicherheitsprofil'],
  } satisfies Names<IntentKind> as Names,
  states: {
    pending: ['waiting to be sent', 'wartet auf Versand'],
    sent: ['sent', 'gesendet'],
    applied: ['accepted', 'angenommen'],
    verified: ['read back', 'zurückgelesen'],
    rebootRequired: ['needs a restart', 'Neustart nötig'],
    rejected: ['rejected', 'abgelehnt'],
    unsupported: ['not supported', 'nicht unterstützt'],
    conflict: ['keeps another value', 'behält anderen Wert'],
    expired: ['expired', 'abgelaufen'],
  } satisfies Names<IntentState>,
})
