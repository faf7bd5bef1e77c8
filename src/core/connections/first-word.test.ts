import { expect, it } from 'vitest'
import { BOOT, coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'

const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1'] as const

const methods = ({ frames }: TestStation): unknown[] =>
  frames.filter(([type]) => type === 2).map(([, , method]) => method)

const core = coresOfTests()

const send = async ({ core: { sendCommand } }: TestCore): Promise<void> => {
  const order = { accountId: 'account-1', chargePointId: 'CP-1', method: 'ClearCache', request: {}, waitMs: 0 }
  expect(await sendCommand(order)).toMatchObject({ status: 'pending' })
}
/** It is connected again, and one command waited for that. */
const back = async (protocol: (typeof PROTOCOLS)[number]): Promise<{ house: TestCore; station: TestStation }> => {
  const house = await core()
  const before = await (protocol === 'ocpp1.6' ? house.boot16('CP-1') : house.boot201('CP-1'))
  house.core.closed(before.connection)
  await send(house)
  const station = await house.connect('CP-1', protocol)
  await house.settled()
  return { house, station }
}

it.each(PROTOCOLS)('SESSION-O5, 2.0.1 B01: %s: does not come before the answer to its boot', async (protocol) => {
  const { house, station } = await back(protocol)
  expect(methods(station)).toEqual([])
  await station.call('BootNotification', BOOT[protocol])
  await house.settled()
  expect(station.frames.map(([type]) => type)).toEqual([3, 2])
})

it('OCPP-DR10: comes after the first message of one that only lost its connection', async () => {
  const { house, station } = await back('ocpp1.6')
  await station.call('Heartbeat', {})
  await house.settled()
  expect(methods(station)).toEqual(['ClearCache'])
})

it('OCPP-DR10: comes after some seconds to one that says nothing, and what follows does not overtake it', async () => {
  const { house, station } = await back('ocpp2.0.1')
  await send(house)
  house.clock.advance(4_000)
  await house.settled()
  expect(methods(station)).toEqual([])
  house.clock.advance(1_000)
  await house.settled()
  expect(methods(station)).toEqual(['ClearCache'])
})

it('OCPP-CN1: waits for the first message of a connection that took the place of another', async () => {
  const { house, station } = await back('ocpp2.0.1')
  house.clock.advance(3_000)
  const next = await house.connect('CP-1', 'ocpp2.0.1')
  await station.call('Heartbeat', {})
  house.clock.advance(2_000)
  await house.settled()
  expect([methods(station), methods(next)]).toEqual([[], []])
  await next.call('BootNotification', BOOT['ocpp2.0.1'])
  await house.settled()
  expect(methods(next)).toEqual(['ClearCache'])
})
