/** The words of the message log's page that stand nowhere else, in English and German. */
import { type Names, pageTexts } from '../kit/texts.ts'

export const logTexts = pageTexts({
  last: {
    '15m': ['15 minutes', '15 Minuten'],
    '1h': ['1 hour', '1 Stunde'],
    '24h': ['24 hours', '24 Stunden'],
    '7d': ['7 days', '7 Tage'],
  } as Names,
  ever: ['All', 'Alle'],
  pause: ['Pause', 'Anhalten'],
  resume: ['Resume', 'Fortsetzen'],
  link: ['Link to this message', 'Link zu dieser Nachricht'],
  asJson: ['As JSON', 'Als JSON'],
  asCurl: ['As curl', 'Als curl'],
  copy: ['Copy', 'Kopieren'],
  copied: ['Copied.', 'Kopiert.'],
  curlHint: ['The same from the API, with your API credential:', 'Dasselbe über die API, mit Ihrem API-Schlüssel:'],
})

export type LogTexts = ReturnType<typeof logTexts>
