/** Why a charge point did not do what was ordered, in the language of whoever reads it (BULK-B8). */
import { ANSWERED, REASONS, type ReasonCode } from '../../domain/bulk-orders/reasons.ts'
import { AWAY, NEVER_CONNECTED, PENDING, REJECTED } from '../../ocpp/orders/objection.ts'
import type { Frame } from '../../web/layout.tsx'
import { type Names, pageTexts } from '../kit/texts.ts'

type Refused = 'away' | 'neverConnected' | 'pending' | 'rejected'

const reasons: Names<ReasonCode | Refused> = {
  deleted: [REASONS.deleted, 'die Ladestation wurde gelöscht'],
  notInTime: [REASONS.notInTime, 'sie war nicht rechtzeitig verbunden'],
  unsent: [REASONS.unsent, 'der Befehl konnte nicht rechtzeitig gesendet werden'],
  noAnswer: [REASONS.noAnswer, 'die Ladestation hat nicht geantwortet'],
  lost: [REASONS.lost, 'die Verbindung endete, bevor die Ladestation antwortete'],
  cancelled: [REASONS.cancelled, 'jemand hat den Auftrag abgebrochen'],
  notShared: [REASONS.notShared, 'sie ist für die Anwendung nicht mehr freigegeben'],
  sealed: [REASONS.sealed, 'der Auftrag wurde mit einem anderen geheimen Schlüssel versiegelt'],
  tooManyLogs: [REASONS.tooManyLogs, 'von ihr werden schon zu viele Protokolle erwartet'],
  logDeleted: [REASONS.logDeleted, 'das Protokoll wurde gelöscht'],
  configurationDeleted: [REASONS.configurationDeleted, 'die Konfiguration wurde gelöscht'],
  configurationElsewhere: [
    REASONS.configurationElsewhere,
    'Die Konfiguration meint andere Ladestationen und nennt sie nicht einzeln: Ändern Sie ihre Auswahl.',
  ],
  userDisabled: [REASONS.userDisabled, 'der Benutzer, der es beauftragt hat, ist gesperrt'],
  userMayNot: [REASONS.userMayNot, 'der Benutzer, der es beauftragt hat, darf Ladestationen nicht mehr bedienen'],
  credentialRevoked: [REASONS.credentialRevoked, 'der API-Schlüssel wurde widerrufen'],
  credentialExpired: [REASONS.credentialExpired, 'der API-Schlüssel ist abgelaufen'],
  grantEnded: [REASONS.grantEnded, 'die Anwendung hat keinen Zugriff mehr'],
  grantUserDisabled: [REASONS.grantUserDisabled, 'der Benutzer der Anwendung ist gesperrt'],
  unknown: [REASONS.unknown, 'Diese Ladestation gibt es nicht.'],
  notAccepted: [REASONS.notAccepted, 'Die Ladestation ist nicht freigegeben.'],
  away: [AWAY.detail, 'Die Ladestation ist nicht verbunden; lassen Sie auf sie warten.'],
  neverConnected: [NEVER_CONNECTED.detail, 'Die Ladestation war noch nie verbunden; ihre OCPP-Version ist unbekannt.'],
  pending: [
    PENDING.detail,
    'Die Ladestation ist noch nicht freigegeben; nur Einstellungen, Berichte und Anforderungen sind möglich.',
  ],
  rejected: [REJECTED.detail, 'Einer abgewiesenen Ladestation wird nichts gesendet.'],
}

const reasonTexts = pageTexts({
  reasons,
  answered: [(said: string) => ANSWERED + said, (said: string) => `die Ladestation antwortete ${said}`],
  noCommand: [
    (protocol: string, rest: string) => `${protocol} ${rest}`,
    (protocol: string) => `${protocol} kennt diesen Befehl an eine Ladestation nicht.`,
  ],
})

const CODES = new Map(Object.entries(reasons).map(([code, [sentence]]) => [sentence, code as ReasonCode | Refused]))

/** As it is stored: what a charge point or another room said has no code and stays as it is. */
export function shownReason(frame: Pick<Frame, 'language'>, reason: string): string {
  const words = reasonTexts(frame)
  const code = CODES.get(reason)
  if (code !== undefined) return words.reasons[code]
  if (reason.startsWith(ANSWERED)) return words.answered(reason.slice(ANSWERED.length))
  const [, protocol, rest] = /^(ocpp\S+) (has no such command .*)$/s.exec(reason) ?? []
  return protocol === undefined || rest === undefined ? reason : words.noCommand(protocol, rest)
}
