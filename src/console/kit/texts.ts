/** The words of the operator's pages: those that many of them use, and with them those of one page. */
import { type InOne, inLanguages, type Language, type Pairs } from '../../web/in-languages.ts'

const SHARED = {
  action: ['Action', 'Aktion'],
  all: ['all', 'alle'],
  answer: ['Answer', 'Antwort'],
  cannotFind: ['This cannot be searched for:', 'Danach kann nicht gesucht werden:'],
  clearFilters: ['Clear filters', 'Filter zurücksetzen'],
  filter: ['Filter', 'Filtern'],
  moreFilters: ['More filters', 'Weitere Filter'],
  bytes: [(count: number) => `${count} bytes`, (count: number) => `${count} Bytes`],
  cancel: ['Cancel', 'Abbrechen'],
  card: ['Card', 'Karte'],
  changed: ['Changed', 'Geändert'],
  chargePoint: ['Charge point', 'Ladestation'],
  component: ['Component', 'Komponente'],
  connector: ['Connector', 'Anschluss'],
  connectors: ['Connectors', 'Anschlüsse'],
  cost: ['Cost', 'Kosten'],
  create: ['Create', 'Anlegen'],
  created: ['Created', 'Angelegt'],
  csv: ['Download CSV', 'CSV herunterladen'],
  currency: ['Currency', 'Währung'],
  delete: ['Delete', 'Löschen'],
  duration: ['Duration', 'Dauer'],
  edit: ['Change', 'Ändern'],
  energy: ['Energy', 'Energie'],
  file: ['File', 'Datei'],
  firmware: ['Firmware', 'Firmware'],
  firmwareVersion: ['Firmware', 'Firmware'],
  first: ['First', 'Anfang'],
  from: ['From', 'Von'],
  model: ['Model', 'Modell'],
  mustBeLater: [
    (later: string, earlier: string) => `“${later}” must be later than “${earlier}”`,
    (later: string, earlier: string) => `„${later}“ muss nach „${earlier}“ liegen`,
  ],
  name: ['Name', 'Name'],
  newest: ['Newest', 'Neueste'],
  next: ['Next', 'Weiter'],
  nextAttempt: ['Next attempt', 'Nächster Versuch'],
  notSaved: ['Nothing was saved.', 'Es wurde nichts gespeichert.'],
  number: ['No.', 'Nr.'],
  older: ['Older', 'Ältere'],
  partOf: [
    (part: string, total: string) => `${part} of ${total}`,
    (part: string, total: string) => `${part} von ${total}`,
  ],
  power: ['Power', 'Leistung'],
  profile: ['Security profile', 'Sicherheitsprofil'],
  reason: ['Reason', 'Grund'],
  refused: ['Not done', 'Nicht ausgeführt'],
  reference: ['Reference', 'Referenz'],
  reported: ['Reported', 'Gemeldet'],
  request: ['Request', 'Anfrage'],
  rowsPerPage: ['Rows per page', 'Zeilen je Seite'],
  save: ['Save', 'Speichern'],
  search: ['Search', 'Suchen'],
  session: ['Session', 'Ladevorgang'],
  show: ['Show', 'Anzeigen'],
  since: ['Since', 'Seit'],
  state: ['State', 'Status'],
  station: ['Charge point', 'Ladestation'],
  time: ['Time', 'Zeit'],
  times: [(count: number) => `${count} times`, (count: number) => `${count}-mal`],
  timeline: ['Timeline', 'Verlauf'],
  timeZone: ['Time zone', 'Zeitzone'],
  to: ['Until', 'Bis'],
  transaction: ['Transaction', 'Transaktion'],
  type: ['Type', 'Art'],
  until: ['until', 'bis'],
  value: ['Value', 'Wert'],
  variable: ['Variable', 'Variable'],
  vendor: ['Vendor', 'Hersteller'],
  version: ['Version', 'Version'],
  what: ['What', 'Was'],
  yes: ['yes', 'ja'],
} as const satisfies Pairs

/** The shared words in the language of whoever reads them; `pageTexts` has them with a page's own. */
export const sharedWords = inLanguages(SHARED)

/** A page's own words count before those that are shared. */
export function pageTexts<Own extends Pairs>(
  own: Own,
): (reader: { readonly language: Language }) => InOne<Omit<typeof SHARED, keyof Own> & Own> {
  return inLanguages<Omit<typeof SHARED, keyof Own> & Own>({ ...SHARED, ...own })
}

export type { Names } from '../../web/in-languages.ts'
