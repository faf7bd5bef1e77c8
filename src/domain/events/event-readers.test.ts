import { expect, it } from 'vitest'
import { bodyForApplication, readsEvent } from './registry.ts'

const CHARGERS = ['sessions:read', 'webhooks:manage', 'chargers:read']

it.each([
  ['session.updated', ['sessions:read'], true],
  ['charge-point.status', ['sessions:read'], false],
  ['charge-point.status', CHARGERS, true],
  ['limit-group.exceeded', CHARGERS, false],
  ['limit-group.exceeded', [...CHARGERS, 'chargers:control'], true],
  ['reservation.updated', CHARGERS, false],
  ['alert.raised', [...CHARGERS, 'chargers:control', 'chargers:configure'], false],
  ['alert.raised', undefined, true],
  ['limit-group.unproved', undefined, true],
] as const)('HOOK-E4: %s with %j: %s', (type, scopes, reads) => {
  expect(readsEvent(scopes, type)).toBe(reads)
})

it('HOOK-E4: the card of a reservation was in the events of every application', () => {
  const data = { id: 'r', state: 'active', idToken: 'CARD', idTokenType: 'ISO14443', groupId: 'G', evseId: 1 }
  const body = JSON.stringify({ specversion: '1.0', id: 'e', data, subject: 'CP1' })
  const sent = bodyForApplication('reservation.updated', body)
  expect(JSON.parse(sent)).toEqual({
    specversion: '1.0',
    id: 'e',
    data: { id: 'r', state: 'active', evseId: 1 },
    subject: 'CP1',
  })
  expect(bodyForApplication('reservation.updated', body)).toBe(sent)
  expect(bodyForApplication('session.updated', body)).toBe(body)
})
