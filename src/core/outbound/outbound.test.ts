import { expect, it } from 'vitest'
import { coresOfTests, testCore } from '../../../test/support/core/testing.ts'
import { loadChargePoint } from '../../../test/support/storage/testing.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { hashPassword } from '../../ocpp/credentials.ts'

const isCall = (frame: unknown[]): boolean => frame[0] === 2

const core = coresOfTests()
const order = (method: string, request: Record<string, unknown>, more: { waitMs?: number; ttlMs?: number } = {}) => ({
  accountId: 'account-1',
  chargePointId: 'CP-1',
  method,
  request,
  waitMs: 0,
  ...more,
})

it('OCPP-RP3: message ids of ours are UUIDs and differ over connections and restarts', async () => {
  const first = await testCore()
  const ids = new Set<string>()
  for (const running of [first, undefined]) {
    const test = running ?? (await core({ path: first.path }))
    const station = await test.boot16('CP-1')
    for (let count = 0; count < 20; count++) {
      const row = (await test.core.sendCommand(order('ClearCache', {}))) as Command
      expect(row.messageId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      ids.add(row.messageId)
    }
    test.core.closed(station.connection)
    if (running) await running.close()
  }
  expect(ids.size).toBe(40)
})

it('OCPP-RP7, OCPP-RP8: a time-out frees the line, and a late answer still counts', async () => {
  const { core: running, clock, commands, station } = await core.boot16('CP-1')
  const first = (await running.sendCommand(order('ClearCache', {}))) as Command
  const second = (await running.sendCommand(order('GetConfiguration', {}))) as Command
  await station.frame(isCall)
  expect(station.frames.filter(isCall)).toHaveLength(1)
  clock.advance(30_000)
  await station.frame((frame) => frame[1] === second.messageId)
  await station.call('Heartbeat', {})
  expect((await commands('CP-1')).find((row) => row.id === first.id)).toMatchObject({ status: 'timeout' })
  station.send(JSON.stringify([3, first.messageId, { status: 'Accepted' }]))
  await station.call('Heartbeat', {})
  expect((await commands('CP-1')).find((row) => row.id === first.id)).toMatchObject({ status: 'success' })
})

it('OCPP-RP9: when the connection ends the open command is dropped and waiting ones stay queued', async () => {
  const { core: running, connect, commands, station } = await core.boot16('CP-1')
  const first = (await running.sendCommand(order('ClearCache', {}))) as Command
  const second = (await running.sendCommand(order('GetConfiguration', {}))) as Command
  await station.frame(isCall)
  running.closed(station.connection)
  const again = await connect('CP-1')
  await again.call('Heartbeat', {})
  expect((await again.frame(isCall))[1]).toBe(second.messageId)
  expect((await commands('CP-1')).find((row) => row.id === first.id)).toMatchObject({ status: 'dropped' })
})

it('OCPP-RP13: what waited for a 1.6 station is dropped when it comes back with 2.0.1', async () => {
  const { core: running, connect, commands, station } = await core.boot16('CP-1')
  running.closed(station.connection)
  const old = (await running.sendCommand(order('ChangeConfiguration', { key: 'K', value: 'V' }))) as Command
  const again = await connect('CP-1', 'ocpp2.0.1')
  await again.call('Heartbeat', {})
  const fresh = (await running.sendCommand(order('ClearCache', {}))) as Command
  expect((await again.frame(isCall))[1]).toBe(fresh.messageId)
  expect((await commands('CP-1')).find((row) => row.id === old.id)).toMatchObject({ status: 'dropped' })
})

it.each(['Pending', 'Rejected'] as const)(
  'SESSION-O4: what waited for a charge point that was made %s meanwhile is not sent before it is accepted again',
  async (registrationStatus) => {
    const { core: running, connect, store, registrationsChanged, station } = await core.boot16('CP-1')
    running.closed(station.connection)
    const row = (await running.sendCommand(order('ClearCache', {}))) as Command
    const configuration = (await running.sendCommand(order('GetConfiguration', {}))) as Command
    await store.writes.updateChargePoint('account-1', 'CP-1', { registrationStatus })
    registrationsChanged()
    const again = await connect('CP-1')
    await again.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
    await again.call('Heartbeat', {})
    expect(again.frames.filter(isCall).map(([, id]) => id)).toEqual(
      registrationStatus === 'Pending' ? [configuration.messageId] : [],
    )
    for (const [, id] of again.frames.filter(isCall)) again.send(JSON.stringify([3, id, {}]))
    await store.writes.updateChargePoint('account-1', 'CP-1', { registrationStatus: 'Accepted' })
    registrationsChanged()
    await again.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
    await again.frame((frame) => frame[1] === row.messageId)
  },
)

it('OCPP-RP13: what does not fit the schema is refused with pointers and never sent', async () => {
  const { core: running, station } = await core.boot16('CP-1')
  const refusal = await running.sendCommand(order('Reset', { type: 'Gently' }))
  expect(refusal).toMatchObject({ refused: true, status: 400, code: 'invalid_request' })
  await station.call('Heartbeat', {})
  expect(station.frames.filter(isCall)).toEqual([])
})

it('SESSION-O9: a reset for a charge point that is away is refused, with a ttl it waits', async () => {
  const { core: running, connect, station } = await core.boot16('CP-1')
  running.closed(station.connection)
  expect(await running.sendCommand(order('Reset', { type: 'Soft' }))).toMatchObject({
    status: 409,
    code: 'charge_point_offline',
  })
  const row = await running.sendCommand(order('Reset', { type: 'Soft' }, { ttlMs: 60_000 }))
  expect(row).toMatchObject({ status: 'pending' })
  const again = await connect('CP-1')
  await again.call('Heartbeat', {})
  expect((await again.frame(isCall))[2]).toBe('Reset')
})

it('OCPP-AU6: a password command that was refused before it was sent leaves only the old password', async () => {
  const { core: running, store, station } = await core.boot16('CP-1')
  for (let count = 0; count < 100; count++) await running.sendCommand(order('ClearCache', {}))
  const value = '30313233343536373839414243444546'
  const refused = await running.sendCommand(order('ChangeConfiguration', { key: 'AuthorizationKey', value }))
  expect(refused).toMatchObject({ code: 'queue_full' })
  await station.call('Heartbeat', {})
  expect((await loadChargePoint(store.core, 'CP-1'))?.chargePoint.passwordHash).toBeUndefined()
})

it.each(['x', 'fifteen-letters', 'y'.repeat(41), 'sixteen-letters\n!'])(
  'OCPP-AU6 A00.FR.205: the password %j was sent by a command, with which no charge point may log in',
  async (password) => {
    const { core: running, boot16, boot201 } = await core()
    const stations = [await boot16('CP-1'), await boot201('CP-2')] as const
    const entry = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
    const refused = {
      status: 400,
      code: 'invalid_request',
      detail: expect.stringContaining('16 to 40 characters'),
      errors: [expect.objectContaining({ code: 'password_rule' })],
    }
    const key = order('ChangeConfiguration', { key: 'AuthorizationKey', value: password })
    expect(await running.sendCommand(key)).toMatchObject(refused)
    const request = { setVariableData: [{ ...entry, attributeValue: password }] }
    expect(await running.sendCommand({ ...order('SetVariables', request), chargePointId: 'CP-2' })).toMatchObject(
      refused,
    )
    for (const station of stations) expect(station.frames.filter(isCall)).toEqual([])
  },
)

const NEW_PASSWORD = '30313233343536373839414243444546'
const change = order('ChangeConfiguration', { key: 'AuthorizationKey', value: NEW_PASSWORD }, { ttlMs: 5000 })
const OLD_HASH = hashPassword('0123456789123456', Buffer.alloc(32, 7), Buffer.alloc(16))

/** A station with a password, and who may log in to it now. */
async function protectedStation() {
  const { house: running, station } = await core.boot16('CP-1')
  await running.store.writes.updateChargePoint('account-1', 'CP-1', { passwordHash: OLD_HASH, securityProfile: 1 })
  running.registrationsChanged()
  const login = async (password: string): Promise<boolean> => {
    const authorization = `Basic ${Buffer.from(`CP-1:${password}`).toString('base64')}`
    const place = { identity: 'CP-1', offered: ['ocpp1.6'], remoteAddress: '127.0.0.1', secure: false }
    return (await running.core.admit({ ...place, authorization })).ok
  }
  const status = async (): Promise<string | undefined> =>
    (await running.commands('CP-1')).find(({ method }) => method === 'ChangeConfiguration')?.status
  return { ...running, station, login, status }
}

it('OCPP-AU6, SESSION-O5: a password command that expires unsent leaves only the old password, while the station is away', async () => {
  const { core: running, station, clock, login, status } = await protectedStation()
  running.closed(station.connection)
  await running.sendCommand(change)
  expect(await status()).toBe('pending')
  clock.advance(5000)
  await expect.poll(async () => await status()).toBe('dropped')
  expect(await login(NEW_PASSWORD)).toBe(false)
  expect(await login('0123456789123456')).toBe(true)
})

it('OCPP-AU6: sent and unanswered, both passwords are valid, also when the old one was used while it waited', async () => {
  const { core: running, connect, station, clock, login, status } = await protectedStation()
  running.closed(station.connection)
  await running.sendCommand(change)
  const authorization = `Basic ${Buffer.from('CP-1:0123456789123456').toString('base64')}`
  const again = await connect('CP-1', 'ocpp1.6', authorization)
  await again.call('Heartbeat', {})
  await again.frame(isCall)
  clock.advance(30_000)
  await expect.poll(async () => await status()).toBe('timeout')
  expect(await login(NEW_PASSWORD)).toBe(true)
  expect(await login('0123456789123456')).toBe(false)
})

it('OCPP-LG2, SESSION-O1: whoever waits for a command that expires hears that it was dropped', async () => {
  const { core: running, clock, station } = await core.boot16('CP-1')
  running.closed(station.connection)
  let heard: unknown
  const waiting = running.sendCommand(order('ClearCache', {}, { ttlMs: 5000, waitMs: 60_000 })).then((row) => {
    heard = row
  })
  await expect
    .poll(() => {
      clock.advance(1000)
      return heard
    })
    .toBeDefined()
  await waiting
  expect(heard).toMatchObject({ status: 'dropped' })
})

it('OCPP-LG5: a password that a station echoes in its CALLERROR is masked in the log', async () => {
  const { core: running, commands, station } = await core.boot16('CP-1')
  const request = { key: 'AuthorizationKey', value: '4142434445464748494A4B4C4D4E4F50' }
  const row = running.sendCommand(order('ChangeConfiguration', request, { waitMs: 10_000 }))
  const call = await station.frame(isCall)
  station.send(JSON.stringify([4, call[1], 'PropertyConstraintViolation', 'too long', { errors: [1], data: request }]))
  const details = { errors: [1], data: { key: 'AuthorizationKey', value: '***' } }
  expect(await row).toMatchObject({ status: 'error', error: { code: 'PropertyConstraintViolation', details } })
  expect(JSON.stringify(await commands('CP-1'))).not.toContain(request.value)
})
