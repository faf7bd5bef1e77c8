import { expect, it } from 'vitest'
import { AskedFor } from './outgoing-queue.ts'

function asked(method: string, request: Readonly<Record<string, unknown>>): AskedFor {
  const askedFor = new AskedFor()
  askedFor.add({ method, request })
  return askedFor
}

it('OCPP-DR9: a triggered message may come once, each trigger for itself', () => {
  const askedFor = asked('TriggerMessage', { requestedMessage: 'Heartbeat' })
  askedFor.add({ method: 'TriggerMessage', request: { requestedMessage: 'StatusNotification', connectorId: 1 } })
  askedFor.add({ method: 'TriggerMessage', request: { requestedMessage: 'StatusNotification', connectorId: 2 } })
  for (const action of ['Heartbeat', 'StatusNotification', 'StatusNotification']) {
    expect(askedFor.includes(action)).toBe(true)
    askedFor.arrived(action, {})
  }
  expect(askedFor.includes('Heartbeat')).toBe(false)
  expect(askedFor.includes('StatusNotification')).toBe(false)
})

it.each(['StatusNotification', 'MeterValues', 'TransactionEvent'])(
  'OCPP-DR9: %s comes for each connector',
  (requestedMessage) => {
    const askedFor = asked('TriggerMessage', { requestedMessage })
    for (let connector = 0; connector < 50; connector++) askedFor.arrived(requestedMessage, {})
    expect(askedFor.includes(requestedMessage)).toBe(true)
  },
)

it.each([
  ['TriggerMessage', 'SignChargingStationCertificate', 'SignCertificate'],
  ['TriggerMessage', 'SignV2GCertificate', 'SignCertificate'],
  ['ExtendedTriggerMessage', 'SignChargePointCertificate', 'SignCertificate'],
  ['ExtendedTriggerMessage', 'FirmwareStatusNotification', 'SignedFirmwareStatusNotification'],
  ['ExtendedTriggerMessage', 'LogStatusNotification', 'LogStatusNotification'],
])('OCPP-DR9: %s of %s is followed by %s', (method, requestedMessage, action) => {
  expect(asked(method, { requestedMessage }).includes(action)).toBe(true)
})

it('OCPP 2.2 B02: pages of two reports may mix and overtake each other; the end of one is not the end of the other', () => {
  const askedFor = asked('GetBaseReport', { requestId: 1 })
  askedFor.add({ method: 'GetReport', request: { requestId: 2 } })
  const pages = [
    { requestId: 2, seqNo: 0 },
    { requestId: 1, seqNo: 2, tbc: false },
    { requestId: 1, seqNo: 0, tbc: true },
    { requestId: 1, seqNo: 0, tbc: true },
    { requestId: 1, seqNo: 1, tbc: true },
  ]
  for (const page of pages) {
    expect(askedFor.includes('NotifyReport')).toBe(true)
    askedFor.arrived('NotifyReport', page)
  }
  expect(askedFor.includes('NotifyReport')).toBe(false)
})

it('OCPP-DR9: other commands allow nothing, and what was not asked for is not noted', () => {
  const askedFor = asked('ChangeConfiguration', { requestedMessage: 'Heartbeat' })
  askedFor.arrived('Heartbeat', {})
  expect(askedFor.includes('Heartbeat')).toBe(false)
})

it('OCPP-SZ1: reports that never came were remembered for ever', () => {
  const askedFor = new AskedFor()
  for (let requestId = 0; requestId < 100; requestId++) askedFor.add({ method: 'GetReport', request: { requestId } })
  for (let requestId = 84; requestId < 100; requestId++) {
    expect(askedFor.includes('NotifyReport')).toBe(true)
    askedFor.arrived('NotifyReport', { requestId, seqNo: 0 })
  }
  expect(askedFor.includes('NotifyReport')).toBe(false)
})

it('OCPP-SZ1: a report without an end was remembered page by page', () => {
  const askedFor = asked('GetReport', { requestId: 1 })
  for (let page = 0; page < 10_000; page++) {
    expect(askedFor.includes('NotifyReport')).toBe(true)
    askedFor.arrived('NotifyReport', { requestId: 1, seqNo: page, tbc: true })
    askedFor.arrived('NotifyReport', { requestId: 1, seqNo: `page ${page}`, tbc: true })
  }
  expect(askedFor.includes('NotifyReport')).toBe(false)
})
