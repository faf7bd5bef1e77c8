import { expect, it } from 'vitest'
import { aChargePoint, aSession } from '../../../test/support/storage-contract/records.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import { legalAt } from './command-page.tsx'

const base: ChargePointView = {
  ...aChargePoint({ securityProfile: 0, createdAt: 0 }),
  status: { protocol: 'ocpp1.6', bootedAt: 1 },
  connectors: [],
}
const running: Session = aSession({ id: 's', createdAt: 0, connectorId: 1 })
const nothing = { start: false, unlock: false, takeOut: false, putBack: false }

// CONSOLE-A9: what may be done at a connector now
it.each<[string, Partial<ChargePointView>, Partial<ConnectorView>, readonly Session[], object]>([
  ['a free one', {}, {}, [], { start: true, unlock: true, takeOut: true, putBack: false }],
  ['one that charges', {}, { status: 'Charging' }, [running], { start: false, session: running, unlock: true }],
  ['one beside it', {}, { connectorId: 2 }, [running], { start: true }],
  ['a faulted one', {}, { status: 'Faulted' }, [], { start: false, unlock: true, takeOut: true }],
  ['one out of service', {}, { status: 'unavailable' }, [], { start: false, takeOut: false, putBack: true }],
  ['the station itself', {}, { connectorId: 0 }, [], { start: false, unlock: false, takeOut: true }],
  ['an EVSE', {}, { evseId: 2 }, [{ ...running, evseId: 2 }], { start: false, session: { ...running, evseId: 2 } }],
  ['another EVSE', {}, { evseId: 1 }, [{ ...running, evseId: 2 }], { start: true }],
  ['one that waits for approval', { registrationStatus: 'Pending' }, {}, [], nothing],
  ['one that never booted', { status: { protocol: 'ocpp1.6' } }, {}, [], nothing],
  ['one that never connected', { status: {} }, {}, [], nothing],
  ['a disabled one', { disabled: true }, {}, [], nothing],
])('%s', (_, station, connector, open, expected) => {
  const place = { connectorId: 1, status: 'Available', updatedAt: 0, ...connector }
  expect(legalAt({ view: { ...base, ...station } }, place, open)).toMatchObject(expected)
})
