import { pageTexts } from '../kit/texts.ts'

export const jumpTexts = pageTexts({
  title: ['Go to', 'Springen zu'],
  found: ['Matches for', 'Treffer für'],
  none: ['Nothing is called that.', 'Nichts heißt so.'],
  refused: ['Refused, as nobody registered it', 'Abgewiesen, weil nicht registriert'],
  addIt: ['Add it…', 'Anlegen …'],
  recent: ['Opened most recently', 'Zuletzt geöffnet'],
  noneRecent: [
    'What you open by the field above is listed here.',
    'Hier erscheint, was Sie über das Feld oben öffnen.',
  ],
  hint: [
    'An id, a name, a serial number, a transaction, a card, a site, a label as key:value, a page, or an order such as “reset EV-001”.',
    'Eine ID, ein Name, eine Seriennummer, eine Transaktion, eine Karte, ein Standort, ein Label als Schlüssel:Wert, eine Seite oder ein Auftrag wie „neu starten EV-001“.',
  ],
  site: ['site', 'Standort'],
  labels: ['Labels', 'Labels'],
  pages: ['Pages', 'Seiten'],
  actions: ['Orders', 'Aufträge'],
  labelled: [
    (count: number) => (count === 1 ? 'one charge point' : `${count} charge points`),
    (count: number) => (count === 1 ? 'eine Ladestation' : `${count} Ladestationen`),
  ],
  all: ['Show all', 'Alle zeigen'],
  transaction: [(id: string) => `transaction ${id}`, (id: string) => `Transaktion ${id}`],
  also: {
    reset: ['restart', 'neustart'],
    unlock: ['release', 'entsperren'],
  },
})
