import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'

const isCall = (frame: unknown[]): boolean => frame[0] === 2
const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1'] as const
const BOOT = {
  'ocpp1.6': { chargePointVendor: 'Acme', chargePointModel: 'One' },
  'ocpp2.0.1': { reason: 'Triggered', chargingStation: { vendorName: 'Acme', model: 'Two' } },
}

const core = coresOfTests()

it.each(PROTOCOLS)('OCPP-DR9, OCPP-DR10: %s: is asked for it when it speaks, and may then talk', async (protocol) => {
  const { house, station } = await core.connect('CP-1', protocol)
  expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 4, 2: 'SecurityError' })
  const trigger = await station.frame(isCall)
  expect(trigger.slice(2)).toEqual(['TriggerMessage', { requestedMessage: 'BootNotification' }])
  station.answer(trigger, { status: 'Accepted' })
  expect(await station.call('BootNotification', BOOT[protocol])).toMatchObject({ 2: { status: 'Accepted' } })
  expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  await house.settled()
  expect(station.frames.filter(isCall)).toHaveLength(1)
  expect(house.logged.filter(({ level }) => level === 'warn')).toEqual([])
})

it.each(PROTOCOLS)('OCPP-DR10: %s: is asked some seconds after it connected and said nothing', async (protocol) => {
  const { house, station } = await core.connect('CP-1', protocol)
  house.clock.advance(9_000)
  await house.settled()
  expect(station.frames).toEqual([])
  house.clock.advance(1_000)
  await house.settled()
  expect(station.frames).toMatchObject([{ 2: 'TriggerMessage', 3: { requestedMessage: 'BootNotification' } }])
})

it('OCPP-DR9: is asked once per connection, however often it is refused', async () => {
  const { house, station } = await core.connect('CP-1')
  for (let count = 0; count < 5; count++) await station.call('Heartbeat', {})
  house.clock.advance(10_000)
  await house.settled()
  expect(station.frames.filter(isCall)).toHaveLength(1)
  const again = await house.connect('CP-1')
  await again.call('Heartbeat', {})
  await again.frame(isCall)
})

it.each([
  ['NotImplemented', '[4,ID,"NotImplemented","",{}]'],
  ['NotSupported', '[4,ID,"NotSupported","no triggers",{}]'],
  ['Rejected', '[3,ID,{"status":"Rejected"}]'],
  ['nonsense', '[3,ID,null]'],
])('OCPP-DR9: answered %s, nothing changes and the log says what to do', async (_name, answer) => {
  const { house, station } = await core.connect('CP-1')
  await station.call('Heartbeat', {})
  const trigger = await station.frame(isCall)
  station.send(answer.replace('ID', JSON.stringify(trigger[1])))
  await house.settled()
  expect(house.logged.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('restart it') })
  expect(await station.call('BootNotification', BOOT['ocpp1.6'])).toMatchObject({ 2: { status: 'Accepted' } })
})

it.each([
  ['it boots', false],
  ['it comes back', true],
])('OCPP 2.1 (1.6 err 3.40): what waits for its turn is not asked any more when %s', async (_name, comesBack) => {
  const house = await core()
  let station = await house.connect('CP-1')
  const order = { method: 'GetConfiguration', request: {}, waitMs: 0, accountId: 'account-1', chargePointId: 'CP-1' }
  await house.core.sendCommand(order)
  const open = await station.frame(isCall)
  await station.call('Heartbeat', {})
  await expect.poll(() => house.commands('CP-1')).toContainEqual(expect.objectContaining({ method: 'TriggerMessage' }))
  if (comesBack) station = await house.connect('CP-1')
  await station.call('BootNotification', BOOT['ocpp1.6'])
  if (!comesBack) station.answer(open, {})
  await house.settled()
  expect(station.frames.filter((frame) => frame[2] === 'TriggerMessage')).toEqual([])
  expect(house.logged.filter(({ level }) => level === 'warn')).toEqual([])
})

it.each(['Pending', 'Rejected'] as const)(
  'OCPP B02.FR.09 (TC_B_30, TC_B_31): approved after its last boot was answered %s, it counts as accepted when it booted again',
  async (registrationStatus) => {
    const house = await core()
    const register = async (status: 'Accepted' | 'Pending' | 'Rejected'): Promise<void> => {
      await house.store.writes.updateChargePoint('account-1', 'CP-1', { registrationStatus: status })
      house.registrationsChanged()
    }
    const station = await house.connect('CP-1', 'ocpp2.0.1')
    const boot = (): Promise<unknown[]> => station.call('BootNotification', BOOT['ocpp2.0.1'])
    expect(await boot()).toMatchObject({ 2: { status: 'Accepted' } })
    await register(registrationStatus)
    expect(await boot()).toMatchObject({ 2: { status: registrationStatus } })
    await register('Accepted')
    const start = { accountId: 'account-1', chargePointId: 'CP-1' }
    expect(await house.core.startSession(start)).toMatchObject({ code: 'charge_point_pending' })
    expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 4, 2: 'SecurityError' })
    expect((await station.frame(isCall)).slice(2)).toEqual(['TriggerMessage', { requestedMessage: 'BootNotification' }])
    expect(await boot()).toMatchObject({ 2: { status: 'Accepted' } })
    expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  },
)
