import { expect, it } from 'vitest'
import type { PartnerExchange } from '../../domain/partners/records.ts'
import { canReplay } from './orders.ts'

const SENT = { direction: 'out', method: 'POST', url: 'https://p/ocpi/creds' } as PartnerExchange

it.each([
  ['credentials, wherever the partner has them', { request: '{"token":"…","url":"https://us"}' }, false],
  ['what came from the partner', { direction: 'in' }, false],
  ['a result', { request: '{"result":"ACCEPTED"}' }, true],
  ['a question', { method: 'GET' }, true],
] as const)('OCPI-A8: may be sent again: %s', (_, more, may) => {
  expect(canReplay({ ...SENT, ...more })).toBe(may)
})
