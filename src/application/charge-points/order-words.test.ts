import { expect, it } from 'vitest'
import { orderWords } from './order-words.ts'

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['Reset', { type: 'Hard' }, 'Reset (hard)'],
  ['Reset', { type: 'OnIdle', evseId: 2 }, 'Reset (soft, EVSE 2)'],
  ['UnlockConnector', { connectorId: 1 }, 'UnlockConnector (connector 1)'],
  ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }, 'ChangeAvailability (Inoperative, connector 0)'],
  [
    'ChangeAvailability',
    { evse: { id: 1, connectorId: 2 }, operationalStatus: 'Operative' },
    'ChangeAvailability (Operative, EVSE 1 connector 2)',
  ],
  ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '9' }, 'ChangeConfiguration (HeartbeatInterval)'],
  ['ClearCache', {}, 'ClearCache'],
  ['Reset', { type: 7, evse: null, connectorId: 'x' }, 'Reset'],
  ['DataTransfer', { vendorId: `a\n${'b'.repeat(60)}` }, `DataTransfer (a ${'b'.repeat(47)}…)`],
  ['DataTransfer', { vendorId: '🔌'.repeat(60) }, `DataTransfer (${'🔌'.repeat(49)}…)`],
])('ADMIN-C7: %s %j is %s', (method, request, words) => {
  expect(orderWords(method, request)).toBe(words)
})
