/** The words of the message log's page that stand nowhere else, in English and German. */
import { inLanguages } from '../../web/in-languages.ts'

const en = {
  last: { '15m': '15 minutes', '1h': '1 hour', '24h': '24 hours', '7d': '7 days' } as Readonly<Record<string, string>>,
  ever: 'All',
  pause: 'Pause',
  resume: 'Go on',
  csv: 'Download CSV',
  link: 'This message alone',
  asJson: 'As JSON',
  asCurl: 'As curl',
  copy: 'Copy',
  copied: 'Copied.',
  curlHint: 'The same from the API, with an API credential of yours:',
}

export type LogTexts = typeof en

const de: LogTexts = {
  last: { '15m': '15 Minuten', '1h': '1 Stunde', '24h': '24 Stunden', '7d': '7 Tage' },
  ever: 'Alle',
  pause: 'Anhalten',
  resume: 'Weiterlaufen',
  csv: 'Als CSV laden',
  link: 'Nur diese Nachricht',
  asJson: 'Als JSON',
  asCurl: 'Als curl',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  curlHint: 'Dasselbe von der API, mit einem eigenen API-Schlüssel:',
}

export const logTexts = inLanguages<LogTexts>({ en, de })
