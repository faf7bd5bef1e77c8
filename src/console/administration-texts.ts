/** The words of the pages on which an account is run, in English and German. A missing translation does not compile. */

import type { Role } from '../domain/ports/storage.ts'
import type { AuditOutcome } from '../domain/ports/storage-oidc.ts'
import { type Names, pageTexts } from './kit/texts.ts'

export const administrationTexts = pageTexts({
  cards: ['Cards and tokens', 'Karten und Token'],
  newCard: ['New card', 'Neue Karte'],
  importCards: ['Import from CSV', 'CSV importieren'],
  importHint: [
    'The first line names the columns: id and any of type, status, expiresAt, groupId. A file with a fault changes nothing.',
    'Die erste Zeile nennt die Spalten: id und beliebige von type, status, expiresAt, groupId. Eine fehlerhafte Datei ändert nichts.',
  ],
  csv: ['Or paste its text', 'Oder den Text einfügen'],
  csvFile: ['CSV file', 'CSV-Datei'],
  notUtf8: [
    'This is not UTF-8 text. Save it as “CSV UTF-8”.',
    'Das ist kein UTF-8-Text. Speichern Sie die Datei als „CSV UTF-8“.',
  ],
  tooManyCards: [
    (count: number, most: number) =>
      `The file has ${count} cards; at most ${most} are allowed. Split it, or use pilotwire id-token import.`,
    (count: number, most: number) =>
      `Die Datei enthält ${count} Karten; erlaubt sind ${most}. Teilen Sie sie auf, oder verwenden Sie pilotwire id-token import.`,
  ],
  importButton: ['Import', 'Importieren'],
  imported: [
    (created: string, changed: string, unchanged: string) =>
      `${created} new, ${changed} changed, ${unchanged} unchanged.`,
    (created: string, changed: string, unchanged: string) =>
      `${created} neu, ${changed} geändert, ${unchanged} unverändert.`,
  ],
  line: [
    (line: number, message: string) => `Line ${line}: ${message}.`,
    (line: number, message: string) => `Zeile ${line}: ${message}.`,
  ],
  noCards: ['No cards found.', 'Keine Karten gefunden.'],
  id: ['ID', 'ID'],
  status: ['Status', 'Status'],
  expires: ['Expires', 'Läuft ab'],
  expiresHint: ['For example 2027-01-01T00:00:00Z; empty: never.', 'Zum Beispiel 2027-01-01T00:00:00Z; leer: nie.'],
  group: ['Group', 'Gruppe'],
  block: ['Block', 'Sperren'],
  accept: ['Accept', 'Zulassen'],
  statuses: {
    Accepted: ['accepted', 'zugelassen'],
    Blocked: ['blocked', 'gesperrt'],
    Expired: ['expired', 'abgelaufen'],
    Invalid: ['invalid', 'ungültig'],
    NoCredit: ['no credit', 'kein Guthaben'],
  } as Names,
  exists: ['There is already a card with this ID.', 'Es gibt bereits eine Karte mit dieser ID.'],
  newUser: ['New user', 'Neuer Benutzer'],
  user: ['User', 'Benutzer'],
  role: ['Role', 'Rolle'],
  roles: {
    administrator: ['administrator: everything', 'Administrator: alles'],
    operator: [
      'operator: controls charge points, sessions and cards',
      'Betreiber: steuert Ladestationen, Ladevorgänge und Karten',
    ],
    viewer: ['viewer: sees everything, changes nothing', 'Betrachter: sieht alles, ändert nichts'],
    member: ['member: signs in to applications only', 'Mitglied: meldet sich nur bei Anwendungen an'],
  } satisfies Names<Role>,
  invite: ['Create and show the link', 'Anlegen und Link anzeigen'],
  linkFor: [
    (email: string) => `Send this link to ${email}. It works once, is valid for a week, and is shown only now:`,
    (email: string) =>
      `Senden Sie diesen Link an ${email}. Er funktioniert einmal, gilt eine Woche und wird nur jetzt angezeigt:`,
  ],
  newLink: ['New password by link', 'Neues Passwort per Link'],
  noPassword: ['has not chosen a password yet', 'hat noch kein Passwort gewählt'],
  resetSecondFactor: ['Remove the second factor', 'Zweiten Faktor entfernen'],
  withSecondFactor: ['with a second factor', 'mit zweitem Faktor'],
  disabled: ['disabled', 'deaktiviert'],
  signedIn: ['Signed in', 'Angemeldet'],
  endSignIn: ['End', 'Beenden'],
  noSignIns: ['Not signed in anywhere.', 'Nirgends angemeldet.'],
  noEntries: ['No entries found.', 'Keine Einträge gefunden.'],
  actor: ['Who', 'Wer'],
  action: ['What', 'Was'],
  subject: ['Object', 'Objekt'],
  outcome: ['Result', 'Ergebnis'],
  outcomes: {
    done: ['done', 'ausgeführt'],
    refused: ['refused', 'abgelehnt'],
    forbidden: ['forbidden', 'nicht erlaubt'],
    failed: ['failed', 'fehlgeschlagen'],
    ordered: ['ordered, in progress', 'beauftragt, läuft'],
    unknown: ['unknown: the server stopped before it ended', 'unbekannt: der Server wurde vorher beendet'],
  } satisfies Names<AuditOutcome>,
  badTime: ['Enter times like 2026-08-01T12:00, in UTC.', 'Geben Sie Zeiten wie 2026-08-01T12:00 ein, in UTC.'],
  newTariff: ['New tariff', 'Neuer Tarif'],
  tariff: ['Tariff', 'Tarif'],
  ofAccount: ['All charge points without a tariff of their own', 'Alle Ladestationen ohne eigenen Tarif'],
  chargePointHint: [
    'Empty: all charge points without a tariff of their own.',
    'Leer: alle Ladestationen ohne eigenen Tarif.',
  ],
  perKwh: ['Per kWh', 'Je kWh'],
  perMinute: ['Per minute', 'Je Minute'],
  perSession: ['Per session', 'Je Ladevorgang'],
  idlePerMinute: ['Per idle minute, added', 'Je Minute Standzeit, zusätzlich'],
  noTariffs: [
    'There are no tariffs yet, so sessions have no cost.',
    'Es gibt noch keine Tarife, daher haben Ladevorgänge keine Kosten.',
  ],
  preview: ['What a charge would cost', 'Was ein Ladevorgang kosten würde'],
  previewEnergy: ['Energy in kWh', 'Energie in kWh'],
  previewMinutes: ['Minutes from start to stop', 'Minuten von Start bis Ende'],
  previewIdle: ['Of these, minutes idle after charging', 'Davon Minuten Standzeit nach dem Laden'],
  previewButton: ['Calculate', 'Berechnen'],
  previewTotal: ['Total, without VAT', 'Summe ohne Umsatzsteuer'],
  versionHint: [
    'A change creates a new version, for sessions that start from now on.',
    'Eine Änderung erzeugt eine neue Version für Ladevorgänge, die ab jetzt beginnen.',
  ],
  newWebhook: ['New webhook', 'Neuer Webhook'],
  events: ['Events', 'Ereignisse'],
  description: ['Description', 'Beschreibung'],
  onlyChargePoints: [
    'Only these charge points, one per line (empty: all)',
    'Nur diese Ladestationen, eine pro Zeile (leer: alle)',
  ],
  updates: ['Session events', 'Ereignisse der Ladevorgänge'],
  updatesAll: ['all', 'alle'],
  updatesTransitions: ['without those that only report new figures', 'ohne solche, die nur neue Werte melden'],
  rotate: ['New secret', 'Neues Geheimnis'],
  rotateHint: [
    'For one day, deliveries are signed with both.',
    'Einen Tag lang werden Zustellungen mit beiden signiert.',
  ],
  secretOnce: ['The signing secret, shown only once:', 'Das Signaturgeheimnis, nur einmal angezeigt:'],
  failing: ['failing', 'schlägt fehl'],
  change: ['Change', 'Ändern'],
  deleteCardAsk: [
    'Charge points will no longer know the card. To stop a card from charging, block it instead.',
    'Ladestationen kennen die Karte dann nicht mehr. Soll sie nur nicht laden dürfen, sperren Sie sie stattdessen.',
  ],
  deleteTariffAsk: [
    'Sessions that start afterwards are not priced by it; sessions that have started keep their price.',
    'Ladevorgänge, die danach beginnen, werden nicht mehr danach berechnet; begonnene behalten ihren Preis.',
  ],
  deleteWebhookAsk: [
    'Nothing more is sent to it, not even waiting deliveries.',
    'Es wird nichts mehr gesendet, auch keine wartenden Zustellungen.',
  ],
  disableWebhookAsk: [
    'Nothing is sent to it until it is enabled again.',
    'Es wird nichts gesendet, bis er wieder aktiviert wird.',
  ],
  disableUserAsk: [
    'The user is signed out everywhere at once, and applications lose their access. Once enabled again, the user signs in as before.',
    'Der Benutzer wird überall sofort abgemeldet, und Anwendungen verlieren den Zugriff. Nach dem Aktivieren muss er sich neu anmelden.',
  ],
  resetSecondFactorAsk: [
    'The password alone is then enough to sign in, until the user adds a new second factor.',
    'Zur Anmeldung genügt dann das Passwort, bis der Benutzer wieder einen zweiten Faktor einrichtet.',
  ],
  endSignInsAsk: ['The user is signed out everywhere at once.', 'Der Benutzer wird überall sofort abgemeldet.'],
})

export type AdministrationTexts = ReturnType<typeof administrationTexts>
