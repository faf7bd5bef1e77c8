import { pageTexts } from '../kit/texts.ts'

export const summaryTexts = pageTexts({
  connector: ['connector', 'Anschluss'],
  station: ['charge point', 'Ladestation'],
  card: ['card', 'Karte'],
  virtualCard: ['single-use tag of a remote start', 'einmalige Kennung eines Fernstarts'],
  transaction: ['transaction', 'Transaktion'],
  meter: ['meter', 'Zähler'],
  tooLong: [(length: number) => `${length} characters`, (length: number) => `${length} Zeichen`],
  items: [
    (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
    (count: number) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  ],
})
