import { expect, it } from 'vitest'
import { type Reservation, reserveStatus } from './reservations.ts'

const NOW = 1_000
type Place = Parameters<typeof reserveStatus>[0][number]
const place = (connectorId: number, facts: Partial<Place> = {}): Place => ({
  connectorId,
  operative: true,
  plugged: false,
  ...facts,
})
const order = (facts: Partial<Reservation> = {}): Reservation => ({ id: 1, idToken: 'A', until: NOW + 1, ...facts })
const faulted = { fault: 'GroundFailure' } as const

it.each<[string, readonly Place[], readonly Reservation[], Partial<Reservation>, string]>([
  ['a free connector', [place(1)], [], { connectorId: 1 }, 'Accepted'],
  ['a time that has passed', [place(1)], [], { connectorId: 1, until: NOW }, 'Rejected'],
  ['a connector that there is not', [place(1)], [], { connectorId: 2 }, 'Rejected'],
  ['a plugged connector', [place(1, { plugged: true })], [], { connectorId: 1 }, 'Occupied'],
  ['a faulted one', [place(1, faulted)], [], { connectorId: 1 }, 'Faulted'],
  ['one out of service', [place(1, { operative: false })], [], { connectorId: 1 }, 'Unavailable'],
  ['one that is reserved', [place(1)], [order({ id: 2, connectorId: 1 })], { connectorId: 1 }, 'Occupied'],
  ['the same number again', [place(1)], [order({ connectorId: 1 })], { connectorId: 1 }, 'Accepted'],
  ['the same number elsewhere', [place(1), place(2)], [order({ connectorId: 1 })], { connectorId: 2 }, 'Accepted'],
  ['any connector', [place(1, faulted), place(2)], [], {}, 'Accepted'],
  ['any, where none works', [place(1, faulted), place(2, faulted)], [], {}, 'Faulted'],
  ['any, where none serves', [place(1, { operative: false }), place(2, faulted)], [], {}, 'Unavailable'],
  ['any, where all are taken', [place(1, { plugged: true }), place(2, faulted)], [], {}, 'Occupied'],
  ['the last one, which somebody else needs', [place(1), place(2, faulted)], [order({ id: 2 })], {}, 'Occupied'],
  ['one of two, with one for somebody else', [place(1), place(2)], [order({ id: 2 })], { connectorId: 1 }, 'Accepted'],
])('SIM-A24: %s', (_name, places, reserved, desired, status) => {
  expect(reserveStatus(places, reserved, order(desired), NOW)).toBe(status)
})
