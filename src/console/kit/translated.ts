/**
 * What a use case or a schema objects to, in the language of whoever reads it (ADMIN-D4). It is said in English in one
 * place, for the API, the command line and the pages; `{}` is what differs, and comes again in the same order unless
 * it has a number.
 */
import { ANSWERED, REASONS, type ReasonCode } from '../../domain/bulk-orders/reasons.ts'
import { AWAY, NEVER_CONNECTED, PENDING, REJECTED } from '../../ocpp/orders/objection.ts'
import type { Language } from '../../web/words/in-languages.ts'

const GERMAN_REASONS: Readonly<Record<ReasonCode, string>> = {
  deleted: 'die Ladestation wurde gelöscht',
  notInTime: 'sie war nicht rechtzeitig verbunden',
  unsent: 'der Befehl konnte nicht rechtzeitig gesendet werden',
  lost: 'die Verbindung endete, bevor die Ladestation antwortete',
  cancelled: 'jemand hat den Auftrag abgebrochen',
  notShared: 'sie ist für die Anwendung nicht mehr freigegeben',
  sealed: 'der Auftrag wurde mit einem anderen geheimen Schlüssel versiegelt',
  tooManyLogs: 'von ihr werden schon zu viele Protokolle erwartet',
  logDeleted: 'das Protokoll wurde gelöscht',
  configurationDeleted: 'die Konfiguration wurde gelöscht',
  configurationElsewhere:
    'Die Konfiguration meint andere Ladestationen und nennt sie nicht einzeln: Ändern Sie ihre Auswahl.',
  userDisabled: 'der Benutzer, der es beauftragt hat, ist gesperrt',
  userMayNot: 'der Benutzer, der es beauftragt hat, darf Ladestationen nicht mehr bedienen',
  credentialRevoked: 'der API-Schlüssel wurde widerrufen',
  credentialExpired: 'der API-Schlüssel ist abgelaufen',
  grantEnded: 'die Anwendung hat keinen Zugriff mehr',
  grantUserDisabled: 'der Benutzer der Anwendung ist gesperrt',
  unknown: 'Diese Ladestation gibt es nicht.',
  notAccepted: 'Die Ladestation ist nicht freigegeben.',
}

/** The special one stands before the general one. */
export const GERMAN: readonly (readonly [english: string, german: string])[] = [
  // Why what is wanted of a charge point is not so.
  ['not read back yet: {}', 'noch nicht zurückgelesen: {}'],
  ['not read back: {}', 'nicht zurückgelesen: {}'],
  ['the answer does not name it', 'die Antwort nennt es nicht'],
  ['{}, though it was set again {} times today', '{}, obwohl es heute {}-mal neu gesetzt wurde'],
  [
    'the charge point has no smart charging: name a key that limits it (PUT /2/station-models)',
    'die Ladestation kann kein gesteuertes Laden: Nennen Sie einen Schlüssel, der sie begrenzt (PUT /2/station-models)',
  ],
  [
    'the charge point did not say what its key was before: deleting the limit leaves it as it is',
    'die Ladestation hat nicht gesagt, was ihr Schlüssel vorher war: Ohne die Grenze bleibt er, wie er ist',
  ],
  ['the charge point has {}', 'die Ladestation hat {}'],
  ['{} has no message for it', '{} hat dafür keine Nachricht'],
  ['its number is not known yet', 'ihre Nummer ist noch nicht bekannt'],
  // Schemas and texts.
  ['is required', 'muss angegeben werden'],
  ['is missing', 'fehlt'],
  ['does not exist here', 'gibt es hier nicht'],
  ['has the wrong type', 'hat die falsche Form'],
  ['must be one of {}', 'muss eines sein von: {}'],
  ['must be a list of at least {}', 'muss mindestens {} Einträge haben'],
  ['must be a list of at most {}', 'darf höchstens {} Einträge haben'],
  ['must be at least {} characters long', 'muss mindestens {} Zeichen lang sein'],
  ['must be at most {} characters long', 'darf höchstens {} Zeichen lang sein'],
  ['may have at most {} characters', 'darf höchstens {} Zeichen lang sein'],
  ['must be at least {}', 'muss mindestens {} sein'],
  ['must be at most {}', 'darf höchstens {} sein'],
  ['must be more than {}', 'muss mehr als {} sein'],
  ['must be an integer', 'muss eine ganze Zahl sein'],
  ['must be a number', 'muss eine Zahl sein'],
  ['must be a number of a connector', 'muss die Nummer eines Anschlusses sein'],
  ['must be a string', 'muss ein Text sein'],
  ['must be a boolean', 'muss ja oder nein sein'],
  ['must be an array', 'muss eine Liste sein'],
  ['must be an object', 'muss ein Objekt sein'],
  ['must not be empty', 'darf nicht leer sein'],
  ['must not contain control characters ({})', 'darf keine Steuerzeichen enthalten ({})'],
  ['must not contain line separators ({})', 'darf keine Zeilentrenner enthalten ({})'],
  ['must not contain paragraph separators ({})', 'darf keine Absatztrenner enthalten ({})'],
  ['must not contain halves of surrogate pairs ({})', 'darf keine halben Zeichenpaare enthalten ({})'],
  ['must not contain invisible characters ({})', 'darf keine unsichtbaren Zeichen enthalten ({})'],
  [
    'must not contain control or invisible characters',
    'darf keine Steuerzeichen und keine unsichtbaren Zeichen enthalten',
  ],
  ['must be an e-mail address', 'muss eine E-Mail-Adresse sein'],
  ['must be a time of the day such as {}', 'muss eine Uhrzeit wie {} sein'],
  ['must be a time zone such as {}', 'muss eine Zeitzone wie {} sein'],
  ['must be an RFC 3339 time with Z or an offset, such as {}', 'muss eine Zeit wie {} sein'],
  ['must be an RFC 3339 time such as {}', 'muss eine Zeit wie {} sein'],
  ['must be a time such as {}', 'muss eine Zeit wie {} sein'],
  ['must be letters, digits, _ . and -, at most 64', 'darf nur Buchstaben, Ziffern, _ . und - haben, höchstens 64'],
  [
    'must be an address with http, https, ftp, ftps or sftp',
    'muss eine Adresse mit http, https, ftp, ftps oder sftp sein',
  ],
  ['must be a number such as 5 or a share such as 5%', 'muss eine Zahl wie 5 oder ein Anteil wie 5% sein'],
  ['must be 64 hexadecimal digits', 'muss aus 64 hexadezimalen Ziffern bestehen'],
  ['must be an ISO 4217 code such as EUR', 'muss ein Code nach ISO 4217 wie EUR sein'],
  [
    'must be a number from 0 with at most six decimals',
    'muss eine Zahl ab 0 mit höchstens sechs Nachkommastellen sein',
  ],
  [
    'must be https and lead to public addresses only; {}',
    'muss https sein und darf nur zu öffentlichen Adressen führen',
  ],
  ['must have at most six decimals', 'darf höchstens sechs Nachkommastellen haben'],
  [
    'must be a whole number of minutes, and the idle ones are among all of them',
    'muss eine ganze Zahl von Minuten sein; die Standzeit ist darin enthalten',
  ],
  ['must be degrees from -{} to {}', 'muss in Grad von -{} bis {} angegeben werden'],
  ['must be a language such as {}', 'muss eine Sprache wie {} sein'],
  ['must be RST in some order, or one of the three', 'muss RST in einer Reihenfolge oder eines davon sein'],
  [
    'must be idToken, site or label: and the key of a label',
    'muss idToken, site oder label: mit dem Schlüssel eines Labels sein',
  ],
  ['must have mail or webhookId', 'braucht mail oder webhookId'],
  ['must have amps or watts, and not both', 'braucht entweder Ampere oder Watt'],
  ['must name either amps or watts', 'braucht entweder Ampere oder Watt'],
  ['must be either of energy or of cost', 'gilt entweder für Energie oder für Kosten'],
  ['must have the unit of {}', 'braucht dieselbe Einheit wie die übrigen'],
  ['must be later than the one before', 'muss später als der vorige Eintrag sein'],
  [
    'must be an EVSE such as 1, or EVSE and connector such as 1/2',
    'muss eine EVSE wie 1 oder EVSE und Anschluss wie 1/2 sein',
  ],
  ['must be typed: no such secret is kept yet', 'muss eingegeben werden: Dieses Geheimnis ist noch nicht gespeichert'],
  ['must differ from from', 'muss sich vom Beginn unterscheiden'],
  ['must be held or skip', 'muss held oder skip sein'],
  ['must be Accepted or Rejected', 'muss Accepted oder Rejected sein'],
  ['must not be above the limit', 'darf nicht über dem Limit liegen'],
  [
    'is more than the {} A that the limit and the buffer, also of the groups above, leave',
    'ist mehr als die {} A, die Limit und Reserve, auch der Gruppen darüber, übrig lassen',
  ],
  ['cannot be a path segment', 'darf nicht nur aus Punkten bestehen'],
  ['“{}” is not key:value, such as {}', '„{}“ ist nicht Schlüssel:Wert, zum Beispiel {}'],
  ['is not key:value', 'ist nicht Schlüssel:Wert'],
  [
    'has a key other than 1 to 63 of a-z, 0-9, "_", "." and "-"',
    'hat einen Schlüssel, der nicht aus 1 bis 63 von a-z, 0-9, "_", "." und "-" besteht',
  ],
  ['has more than {} labels together with those that are there', 'hat zusammen mit den vorhandenen mehr als {} Labels'],
  ['has more than {}', 'hat mehr als {}'],
  ['does not belong to the kind {}', 'gehört nicht zur Art {}'],
  ['is over already', 'ist schon vorbei'],
  ['has passed: give a time that lies ahead', 'ist vergangen: Geben Sie eine künftige Zeit an'],
  ['needs until: it holds from then on', 'braucht ein Ende: Es gilt von da an'],
  ['is known of the image: leave it out', 'ist von der Firmware-Datei bekannt: Lassen Sie es leer'],
  ['is required, or else location', 'muss angegeben werden, sofern es keine andere Adresse gibt'],
  ['is required together with location', 'muss zu einer anderen Adresse angegeben werden'],
  ['is required with {}', 'muss angegeben werden, zusammen mit {}'],
  ['is needed by security profile {}: {}', 'ist für Sicherheitsprofil {} nötig: {}'],
  ['cannot be set: {}', 'kann nicht gesetzt werden: {}'],
  ['is no JSON object', 'ist kein JSON-Objekt'],
  ['is no list, such as {}', 'ist keine Liste wie {}'],
  ['is no command of {}', 'ist kein Befehl von {}'],
  ['is not a command of {}', 'ist kein Befehl von {}'],
  ['is no configuration of this account', 'ist keine Konfiguration dieses Kontos'],
  ['is no firmware of this account', 'ist keine Firmware-Datei dieses Kontos'],
  ['leads back to this group', 'führt zu dieser Gruppe zurück'],
  ['names a group that is not there: put it first', 'nennt eine Gruppe, die es nicht gibt'],
  ['names an event that does not exist', 'nennt ein Ereignis, das es nicht gibt'],
  ['names {}, which is no charge point of the account', 'nennt {}, keine Ladestation dieses Kontos'],
  ['names a host that cannot be resolved', 'nennt einen Host, der nicht gefunden wird'],
  ['is not the currency of the session', 'ist nicht die Währung des Ladevorgangs'],
  ['needs a tariff of the charge point or of the account', 'braucht einen Tarif der Ladestation oder des Kontos'],
  // Files of cards.
  ['a quote is never closed', 'ein Anführungszeichen wird nie geschlossen'],
  ['is missing: {}', 'fehlt: {}'],
  ['there is no column {}: {}', 'es gibt keine Spalte {}: {}'],
  ['the column id is missing: {}', 'die Spalte id fehlt: {}'],
  ['the column {} stands twice', 'die Spalte {} steht doppelt'],
  ['the first line names the columns, id and any of {}', 'die erste Zeile nennt die Spalten, id und beliebige von {}'],
  ['the id {} stands in line {} with other attributes', 'die ID {} steht in Zeile {} mit anderen Angaben'],
  ['has {} fields, the first line {}', 'hat {} Felder, die erste Zeile {}'],
  // Use cases and orders.
  [AWAY.detail, 'Die Ladestation ist nicht verbunden; lassen Sie auf sie warten.'],
  [NEVER_CONNECTED.detail, 'Die Ladestation war noch nie verbunden; ihre OCPP-Version ist unbekannt.'],
  [
    PENDING.detail,
    'Die Ladestation ist noch nicht freigegeben; nur Einstellungen, Berichte und Anforderungen sind möglich.',
  ],
  [REJECTED.detail, 'Einer abgewiesenen Ladestation wird nichts gesendet.'],
  ...(Object.keys(REASONS) as ReasonCode[]).map((code) => [REASONS[code], GERMAN_REASONS[code]] as const),
  [`${ANSWERED}{}`, 'die Ladestation antwortete {}'],
  ['no answer in {} s', 'keine Antwort in {} s'],
  ['{} has no such command to a charge point. It has: {}', '{} kennt diesen Befehl an eine Ladestation nicht.'],
  ['The request does not fit the {} schema of {}.', 'Die Anfrage passt nicht zum Schema von {2} in {1}.'],
  ['No charge point can be set this: {}.', 'Keine Ladestation kann so eingestellt werden: {}.'],
  ['There is no such {}.', 'Das gibt es nicht (mehr).'],
  ['There are {} faults in all.', 'Insgesamt sind es {} Fehler.'],
  ['There is a user {} already.', 'Den Benutzer {} gibt es schon.'],
  [
    'There is a webhook with this URL already; change that one.',
    'Einen Webhook mit dieser Adresse gibt es schon: Ändern Sie diesen.',
  ],
  [
    'There are {} active webhooks already; delete one first, or use a filter.',
    'Es gibt schon {} aktive Webhooks: Löschen Sie zuerst einen.',
  ],
  ['A charge point {} exists already; change it with PATCH.', 'Die Ladestation {} gibt es schon: Ändern Sie diese.'],
  ['The id token {} exists already; change it with PATCH.', 'Die Karte {} gibt es schon: Ändern Sie diese.'],
  ['{} has a tariff already; change that one.', 'Dafür gibt es schon einen Tarif: Ändern Sie diesen.'],
  [
    'An account has at most {} {}: {}.',
    'Mehr als {} davon kann ein Konto nicht haben: Löschen oder beenden Sie zuerst einen.',
  ],
  [
    'An account has at most {} {}; delete one.',
    'Mehr als {} davon kann ein Konto nicht haben: Löschen Sie zuerst einen.',
  ],
  ['An account has at most {} sites with coordinates.', 'Ein Konto hat höchstens {} Standorte mit Koordinaten.'],
  [
    'A charge point has at most {} {}: delete one.',
    'Mehr als {} davon kann eine Ladestation nicht haben: Löschen Sie zuerst eines.',
  ],
  [
    'The charge point has at most {} {}: delete one.',
    'Mehr als {} davon kann die Ladestation nicht haben: Löschen Sie zuerst eines.',
  ],
  [
    'An account keeps at least one enabled administrator: make another one first.',
    'Ein Konto behält mindestens einen aktiven Administrator: Ernennen Sie zuerst einen anderen.',
  ],
  ['The charge point did not do it: {}.', 'Die Ladestation hat es nicht ausgeführt: {}.'],
  ['It has never connected, so its version is not known.', 'Sie war noch nie verbunden; ihre Version ist unbekannt.'],
  [
    'The charge point is not connected, so it can keep nothing now.',
    'Die Ladestation ist nicht verbunden und kann jetzt nichts speichern.',
  ],
  ['The charge point is not accepted yet; {}.', 'Die Ladestation ist noch nicht freigegeben.'],
  ['The charge point cannot show this: {}', 'Die Ladestation kann das nicht anzeigen: {}'],
  ['The charge point cannot be asked this: {}', 'Darum kann die Ladestation nicht gebeten werden: {}'],
  [
    'The charge point speaks OCPP 1.6, which has no messages for a display.',
    'Die Ladestation spricht OCPP 1.6, das keine Anzeigetexte kennt.',
  ],
  [
    'The charge point takes at most {} in one {}, as its device model says: send it {}.',
    'Die Ladestation nimmt höchstens {} in einer Nachricht an.',
  ],
  [
    'The charge point’s OCPP version cannot express this {}.',
    'Die OCPP-Version der Ladestation kann das nicht ausdrücken.',
  ],
  [
    'Too many {} wait for this charge point; try again when some are done.',
    'Für diese Ladestation warten zu viele Befehle; versuchen Sie es später erneut.',
  ],
  [
    'Too many reports of this charge point are running; {}.',
    'Von dieser Ladestation laufen zu viele Berichte; warten Sie auf einen davon.',
  ],
  ['The id token is {}.', 'Die Karte ist {}.'],
  ['The session is {} already.', 'Der Ladevorgang ist schon {}.'],
  [
    'Only a completed session can be settled; wait for its end.',
    'Nur ein beendeter Ladevorgang kann abgerechnet werden.',
  ],
  ['The session has another currency already; {}.', 'Der Ladevorgang hat schon eine andere Währung.'],
  [
    'The session has no currency yet; send one with the cost.',
    'Der Ladevorgang hat noch keine Währung: Geben Sie eine an.',
  ],
  [
    'No tariff says what the session costs, so its cost cannot be limited: set one.',
    'Kein Tarif sagt, was der Ladevorgang kostet; seine Kosten lassen sich nicht begrenzen.',
  ],
  ['{} could not be stored{} Try again later.', 'Es konnte nichts gespeichert werden. Versuchen Sie es später erneut.'],
  ['{} could not be read. {}', 'Es konnte nicht gelesen werden. Sehen Sie bei der Ladestation nach.'],
  ['{} is over already.', 'Das ist schon vorbei.'],
  ['This alert is over.', 'Dieser Alarm ist vorbei.'],
  [
    'A campaign that is {} uses this firmware; cancel it first.',
    'Eine Kampagne verwendet diese Firmware: Beenden Sie diese zuerst.',
  ],
  [
    'The limit group {} is fed by it: delete that, or give it another.',
    'Die Gruppe {} wird daraus gespeist: Löschen oder ändern Sie diese zuerst.',
  ],
  ['The delivery is being sent just now.', 'Die Zustellung wird gerade gesendet.'],
  ['The webhook is {}; enable it first.', 'Der Webhook ist nicht aktiv: Aktivieren Sie ihn zuerst.'],
  [
    'It is the application that enables this webhook again.',
    'Diesen Webhook kann nur die Anwendung wieder aktivieren.',
  ],
  [
    'The receiver is asked for its consent first: change this address over the API.',
    'Der Empfänger muss erst zustimmen: Ändern Sie diese Adresse über die API.',
  ],
]

let patterns: readonly (readonly [RegExp, string])[] | undefined
/** Whoever sends more wants to keep the server busy. */
const MAX_CHARACTERS = 4000
const MAX_PIECES = 25

/** A sentence that nobody translated stays as it is, and so does what a charge point said. */
export function translated({ language }: { readonly language: Language }, sentence: string): string {
  if (language !== 'de' || sentence.length > MAX_CHARACTERS) return sentence
  return germanOf(sentence, MAX_PIECES) ?? sentence
}

const SEVERAL = /^(.+?)(\. )(?=[a-z])(.+)$/s
const BEHIND_A_NAME = /^(.+?)(\. |: |\u201D | (?=(?:must|may|is|has|needs|names|cannot|does) ))(.+)$/s

function germanOf(sentence: string, left: number): string | undefined {
  patterns ??= GERMAN.map(([english, german]) => {
    const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return [new RegExp(`^${parts.join('(.*?)')}$`, 's'), german]
  })
  const several = SEVERAL.exec(sentence)
  for (const [pattern, german] of several ? [] : patterns) {
    const [whole, ...reported] = pattern.exec(sentence) ?? []
    if (whole !== undefined) return filledWith(german, reported, left)
  }
  const [, first = '', between = '', rest = ''] = several ?? BEHIND_A_NAME.exec(sentence) ?? []
  if (rest === '' || left <= 0) return undefined
  const [one, other] = [germanOf(first, 0), germanOf(rest, left - 1)]
  return one === undefined && other === undefined ? undefined : (one ?? first) + between + (other ?? rest)
}

function filledWith(german: string, reported: readonly string[], left: number): string {
  let at = 0
  return german.replaceAll(/\{(\d?)\}/g, (_, number: string) => {
    const one = reported[number === '' ? at++ : Number(number) - 1] ?? ''
    return germanOf(one, left - 1) ?? one
  })
}
