import { bulkWords } from '../../application/bulk-orders/words.ts'
import type { BulkWhat } from '../../domain/bulk-orders/records.ts'
import type { Frame } from '../../web/layout.tsx'
import { bulkTexts } from '../kit/texts.ts'

export function nameOfWhat(frame: Pick<Frame, 'language'>, what: BulkWhat): string {
  const words = bulkTexts(frame)
  switch (what.kind) {
    case 'reset':
      return `${words.kinds.reset} (${words.resets[what.type]})`
    case 'availability':
      return `${words.kinds.availability} (${what.available ? words.yes : words.no})`
    case 'command':
      return bulkWords(what)
    case 'label':
      return `${words.kinds.label} ${Object.keys(what.labels).join(', ')}`
    case 'log':
      return `${words.kinds.log} (${words[what.type]})`
    case 'configuration':
      return `${words.kinds.configuration} ${what.name}`
    case 'unlock':
    case 'firmware':
      return words.kinds[what.kind]
  }
}
