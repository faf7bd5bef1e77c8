/** The few words of ours in a line of summary; the rest are the protocol's own. */
import type { Language } from '../../web/texts.ts'

const en = {
  connector: 'connector',
  station: 'station',
  card: 'card',
  virtualCard: 'single-use tag of a remote start',
  transaction: 'transaction',
  meter: 'meter',
  tooLong: (length: number) => `${length} characters`,
  items: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
}

export type SummaryTexts = typeof en

const de: SummaryTexts = {
  connector: 'Anschluss',
  station: 'Station',
  card: 'Karte',
  virtualCard: 'einmalige Kennung eines Fernstarts',
  transaction: 'Transaktion',
  meter: 'Zähler',
  tooLong: (length) => `${length} Zeichen`,
  items: (count) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
}

export const SUMMARY_TEXTS: Readonly<Record<Language, SummaryTexts>> = { en, de }
