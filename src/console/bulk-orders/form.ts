/** A bulk order as its form says it: the address of the page has all of it, so it can be counted without script. */

import { bulkWords } from '../../application/bulk-orders/orders.ts'
import type { BulkWhat } from '../../domain/bulk-orders/records.ts'
import type { Frame } from '../../web/entries.tsx'
import { wordsIn } from '../kit/parts.tsx'

export const BULK_KINDS = [
  'reset',
  'unlock',
  'availability',
  'trigger',
  'label',
  'log',
  'configuration',
  'firmware',
] as const

export type BulkKind = (typeof BULK_KINDS)[number]

export const MESSAGES = ['StatusNotification', 'Heartbeat', 'MeterValues'] as const

export function kindOf(form: URLSearchParams): BulkKind {
  return BULK_KINDS.find((kind) => kind === form.get('kind')) ?? 'reset'
}

export function whatOf(form: URLSearchParams): BulkWhat | undefined {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const number = (name: string): number | undefined => (/^\d{1,6}$/.test(text(name)) ? Number(text(name)) : undefined)
  const [evseId, connectorId] = [number('evseId'), number('connectorId')]
  const place = { evseId, connectorId }
  switch (kindOf(form)) {
    case 'reset':
      return { kind: 'reset', type: text('type') === 'hard' ? 'hard' : 'soft' }
    case 'unlock':
      return { kind: 'unlock', ...place, connectorId: connectorId || 1 }
    case 'availability':
      return { kind: 'availability', available: text('available') === 'true', ...place }
    case 'trigger': {
      const requestedMessage = MESSAGES.find((message) => message === text('message')) ?? MESSAGES[0]
      return { kind: 'command', method: 'TriggerMessage', request: { requestedMessage } }
    }
    case 'label': {
      const [key, value] = [text('key'), text('value')]
      return key === '' ? undefined : { kind: 'label', labels: { [key]: value === '' ? null : value } }
    }
    case 'log':
      return { kind: 'log', type: text('log') === 'security' ? 'security' : 'diagnostics' }
    case 'configuration':
      return text('name') === '' ? undefined : { kind: 'configuration', name: text('name') }
    case 'firmware':
      return text('firmwareId') === '' ? undefined : { kind: 'firmware', firmwareId: text('firmwareId') }
  }
}

export const WAIT_MS = 24 * 3600_000

export function ttlOf(form: URLSearchParams): number | undefined {
  return form.get('wait') === null ? undefined : WAIT_MS
}

export function nameOfWhat(frame: Pick<Frame, 'language'>, what: BulkWhat): string {
  const words = wordsIn('bulkOrders', frame)
  if (what.kind === 'command') return bulkWords(what)
  const kind = words.kinds[what.kind]
  if (what.kind === 'reset') return `${kind} (${words.resets[what.type]})`
  if (what.kind === 'availability') return `${kind} (${what.available ? words.yes : words.no})`
  if (what.kind === 'log') return `${kind} (${words[what.type]})`
  if (what.kind === 'label') return `${kind} ${Object.keys(what.labels).join(', ')}`
  return what.kind === 'configuration' ? `${kind} ${what.name}` : kind
}
