import { type Names, pageTexts } from '../kit/texts.ts'

export const cardTexts = pageTexts({
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
  previewButton: ['Preview', 'Vorschau'],
  holds: [
    (cards: string, blocked: string) => `The file holds ${cards} cards, ${blocked} of them not accepted.`,
    (cards: string, blocked: string) => `Die Datei enthält ${cards} Karten, davon ${blocked} nicht zugelassen.`,
  ],
  columns: [
    (names: string) => `It sets ${names}; what it does not name stays.`,
    (names: string) => `Sie setzt ${names}; was sie nicht nennt, bleibt.`,
  ],
  faulty: [
    (faults: string, lines: string) => `${faults} faults in ${lines} lines. Nothing is taken until they are mended.`,
    (faults: string, lines: string) =>
      `${faults} Fehler in ${lines} Zeilen. Bis sie behoben sind, wird nichts übernommen.`,
  ],
  noCards: ['No cards found.', 'Keine Karten gefunden.'],
  id: ['ID', 'ID'],
  status: ['Status', 'Status'],
  expires: ['Expires', 'Läuft ab'],
  expiresHint: ['Empty: never.', 'Leer: nie.'],
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
  deleteCardAsk: [
    'Charge points will no longer know the card. To stop a card from charging, block it instead.',
    'Ladestationen kennen die Karte dann nicht mehr. Soll sie nur nicht laden dürfen, sperren Sie sie stattdessen.',
  ],
})
