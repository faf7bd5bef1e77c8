import { CloudEvent, HTTP } from 'cloudevents'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import type { SessionState } from '../ports/sessions.ts'
import { envelopeOf, envelopeText } from './emission.ts'
import { sessionUpdated } from './session-events.ts'

const states: readonly SessionState[] = ['pending', 'charging', 'suspended', 'finishing', 'completed', 'failed']

const anySession = fc
  .record({
    state: fc.constantFrom(...states),
    energyMilliWh: fc.integer({ min: 0, max: 10 ** 12 }),
    externalReference: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    startedAt: fc.option(fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2089, 0, 1) }), { nil: undefined }),
  })
  .map(({ externalReference, startedAt, ...rest }) => aSession({ ...rest, externalReference, startedAt }))

const ID = '0197f3c2-5a10-7abc-8def-0123456789ab'
const TIME = Date.UTC(2026, 10, 21)

it('HOOK-W5: its bytes around what an event says never change', () => {
  const said = '{"evseControllerId":"CP1","at":"2026-11-21T00:00:00.000Z","connectorId":1,"status":"Available"}'
  const event = { id: ID, time: TIME, type: 'charge-point.status' }
  const body =
    '{"specversion":"1.0","id":"0197f3c2-5a10-7abc-8def-0123456789ab","type":"charge-point.status",' +
    '"source":"service/api","time":"2026-11-21T00:00:00.000Z","datacontenttype":"application/json","data":' +
    `${said}}`
  expect(envelopeOf({ ...event, body: said })).toBe(body)
  expect(envelopeOf({ ...event, body })).toBe(body)
})

it('HOOK-W5, HOOK-F9: what is made of the data that was stored is what would have been stored and sent', () => {
  forAll(anySession, fc.nat({ max: 4e12 }), fc.constantFrom(ID, 'an "id"'), (session, time, id) => {
    const { type, data } = sessionUpdated.of(session)
    const whole = { specversion: '1.0', id, type, source: 'service/api', time: new Date(time).toISOString() }
    const sent = JSON.stringify({ ...whole, datacontenttype: 'application/json', data })
    expect(envelopeOf({ id, time, type, body: JSON.stringify(data) })).toBe(sent)
    expect(envelopeOf({ id, time, type, body: sent })).toBe(sent)
  })
})

it('HOOK-W1: a CloudEvents SDK accepts every envelope', () => {
  forAll(anySession, (session) => {
    const body = envelopeText(ID, TIME, sessionUpdated.of(session))
    const event = new CloudEvent(JSON.parse(body) as Partial<CloudEvent>, true)
    expect(event.validate()).toBe(true)
    const received = HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body })
    expect(received).toMatchObject({ id: ID, type: 'session.updated', source: 'service/api', specversion: '1.0' })
  })
})

it('HOOK-W1: exactly seven members, no extension', () => {
  expect(Object.keys(JSON.parse(envelopeText(ID, TIME, sessionUpdated.of(aSession()))) as object)).toEqual([
    'specversion',
    'id',
    'type',
    'source',
    'time',
    'datacontenttype',
    'data',
  ])
})
