import { expect, it } from 'vitest'
import { doorOpened } from '../../test/support/domain/events/testing.ts'
import { defaultEvents, event, eventRegistry, eventSet, namesOf } from './event-declaration.ts'
import { EVENTS } from './events/registry.ts'
import { SESSION_EVENTS, sessionUpdated } from './events/session-events.ts'

const registry = eventRegistry(...SESSION_EVENTS, doorOpened)

it('HOOK-E1: an event says what it is about, in which order it comes and what it takes the place of', () => {
  expect(doorOpened.of({ chargePointId: 'CP1', door: 2 })).toEqual({
    type: 'door.opened',
    subject: 'CP1',
    orderKey: 'door 2 of CP1',
    coalesceKey: '2',
    data: { door: 2 },
  })
})

it('HOOK-E1: without keys of its own it comes in the order of its subject and takes the place of nothing', () => {
  const said = event('door.shut', {
    about: 'chargePoint',
    subject: (id: string) => id,
    coalesceKey: undefined,
    data: (z) => z.strictObject({ id: z.string() }),
    represent: (id) => ({ id }),
    sample: ({ chargePointId }) => chargePointId,
    documentation: { component: 'DoorShutEvent', summary: 'A door was shut', description: 'Sent at once.' },
  }).of('CP1')
  expect(said).toEqual({ type: 'door.shut', subject: 'CP1', orderKey: 'CP1', data: { id: 'CP1' } })
})

it('HOOK-E1: a name declared twice or spelled so that it needs escaping is refused at the start', () => {
  expect(() => eventRegistry(sessionUpdated, sessionUpdated)).toThrow('session.updated')
  for (const type of ['door', 'door."opened"', 'Door.opened', 'door.%', 'door.opened.']) {
    expect(() => eventRegistry({ ...doorOpened, type })).toThrow('spelled wrongly')
  }
})

it('HOOK-E2: a subscription keeps a set: each name once, in the order of the registry, the first one by default', () => {
  expect(eventSet(registry, undefined)).toEqual(['session.updated'])
  expect(eventSet(registry, ['door.opened', 'session.updated', 'door.opened'])).toEqual([
    'session.updated',
    'door.opened',
  ])
  expect(eventSet(registry, ['door.opened'])).toEqual(['door.opened'])
})

it('HOOK-E2: what a subscription of an older version has is what it always got', () => {
  expect(defaultEvents(EVENTS)).toEqual(['session.updated'])
  expect(namesOf(EVENTS)).toContain('session.updated')
})
