import { expect, it } from 'vitest'
import { RECEIVED_AT } from '../../../test/support/ocpp/testing.ts'
import { requests } from '../../../test/support/ocpp/v201/testing.ts'
import { answer, translate } from '../../../test/support/ocpp/v201/translated.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Payload } from '../translate/payload.ts'
import { inbound } from './inbound.ts'

const event = requests.TransactionEvent

it('OCPP 4.3: carries everything the station said', () => {
  expect(translate('TransactionEvent', event)).toEqual({
    kind: 'transactionEvent',
    event: 'ended',
    transactionId: 'a1b2-c3',
    sequenceNumber: 7,
    trigger: 'StopAuthorized',
    at: {
      occurredAt: Date.parse('2026-03-01T11:00:00Z'),
      receivedAt: RECEIVED_AT,
      original: '2026-03-01T11:00:00Z',
      isQueued: true,
    },
    activity: 'connected',
    evseId: 1,
    connectorId: 2,
    idToken: { id: '04A2B3C4D5E680', type: 'ISO14443' },
    remoteStartId: 99,
    reservationId: 4,
    stoppedReason: 'Local',
    samples: [
      {
        at: expect.objectContaining({ occurredAt: Date.parse('2026-03-01T11:00:00Z') }),
        value: '12.345',
        measurand: 'Energy.Active.Import.Register',
        context: 'Transaction.End',
        location: 'Outlet',
        unit: 'Wh',
        multiplier: 3,
        signed: {
          data: 'T0NNRnw=',
          digest: expect.any(String),
          encodingMethod: 'OCMF',
          signingMethod: 'ECDSA-secp256r1-SHA256',
          publicKey: { text: 'b2NhOmJhc2UxNg==', bytes: expect.any(String) },
        },
      },
    ],
    digest: expect.any(String),
  })
})

it('SESSION-B6: what an event does not say is absent', () => {
  const bare = {
    eventType: 'Updated',
    timestamp: '2026-03-01T10:00:00Z',
    triggerReason: 'MeterValuePeriodic',
    seqNo: 3,
    transactionInfo: { transactionId: 't' },
  }
  expect(translate('TransactionEvent', bare)).toEqual({
    kind: 'transactionEvent',
    event: 'updated',
    transactionId: 't',
    sequenceNumber: 3,
    trigger: 'MeterValuePeriodic',
    at: expect.anything(),
    samples: [],
    digest: expect.any(String),
  })
})

it.each([
  ['Charging', 'charging'],
  ['EVConnected', 'connected'],
  ['SuspendedEV', 'suspendedEv'],
  ['SuspendedEVSE', 'suspendedEvse'],
  ['Idle', 'idle'],
  ['idle', 'idle'],
  ['Paused', undefined],
])('SESSION-S2: chargingState %s is %s', (chargingState, activity) => {
  const input = translate('TransactionEvent', { transactionInfo: { transactionId: 't', chargingState } })
  expect(input).toMatchObject({ activity })
})

it('SESSION-B7: unknown triggers are kept, a missing one is a change of the charging state', () => {
  const info = { transactionInfo: { transactionId: 't' } }
  expect(translate('TransactionEvent', { ...info, triggerReason: 'TxResumed' })).toMatchObject({ trigger: 'TxResumed' })
  expect(translate('TransactionEvent', info)).toMatchObject({ trigger: 'ChargingStateChanged', event: 'updated' })
})

it('OCPP-DR3: a numeric transaction id is its digits', () => {
  const raw = '{"transactionInfo":{"transactionId":9223372036854775807}}'
  const request = JSON.parse(raw) as Payload
  expect(translate('TransactionEvent', request, raw)).toMatchObject({ transactionId: '9223372036854775807' })
  expect(inbound.TransactionEvent?.columns(request, {}, raw)).toEqual({ transactionId: '9223372036854775807' })
})

it('OCPP-DR4: without a transaction id its token still gets a verdict, its samples still count', () => {
  expect(translate('TransactionEvent', { idToken: { idToken: 'A', type: 'Central' } })).toEqual({
    kind: 'authorise',
    idToken: { id: 'A', type: 'Central' },
  })
  expect(translate('TransactionEvent', { evse: { id: 2 }, meterValue: event.meterValue })).toMatchObject({
    kind: 'sampled',
    evseId: 2,
    connectorId: 0,
    samples: [{ value: '12.345' }],
  })
})

it('SESSION-B8: an event with a token is answered with idTokenInfo, one without is not', () => {
  const outcome: Outcome = { authorisation: { status: 'Accepted', groupId: 'G' } }
  expect(answer('TransactionEvent', { ...event, eventType: 'Updated' }, outcome)).toEqual({
    idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: 'G', type: 'Central' } },
  })
  expect(answer('TransactionEvent', { ...event, idToken: undefined }, outcome)).toEqual({})
})

it('SESSION-B8: NoAuthorization has an empty id', () => {
  const idToken = { idToken: '', type: 'NoAuthorization' }
  expect(translate('TransactionEvent', { ...event, idToken })).toMatchObject({
    idToken: { id: '', type: 'NoAuthorization' },
  })
})

it('OCPP-DR12 COST-CO2: the total is told only at the end and only when known; 0 is free', () => {
  const bare = { ...event, idToken: undefined }
  expect(answer('TransactionEvent', bare, { totalCost: 4.56 })).toEqual({ totalCost: 4.56 })
  expect(answer('TransactionEvent', bare, { totalCost: 0 })).toEqual({ totalCost: 0 })
  expect(answer('TransactionEvent', bare, {})).toEqual({})
  expect(answer('TransactionEvent', { ...bare, eventType: 'Updated' }, { totalCost: 4.56 })).toEqual({})
})

it('OCPP-LG3: its columns are EVSE, connector and transaction', () => {
  expect(inbound.TransactionEvent?.columns(event, {})).toEqual({ evseId: 1, connectorId: 2, transactionId: 'a1b2-c3' })
})
