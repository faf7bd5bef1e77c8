import { expect, it } from 'vitest'
import { coresOfTests, START, START_TRANSACTION } from '../../../test/support/core/testing.ts'
import { openStore } from '../../../test/support/storage/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { logIdTime } from '../../domain/message-log/log-id.ts'

const core = coresOfTests()

it('OCPP-CN2: more than ten replacements in a minute are an alert', async () => {
  const { boot16, connect, logged } = await core()
  await boot16('CP-1')
  const alerts = () => logged.filter(({ message }) => message.includes('replaced again and again'))
  for (let count = 0; count < 10; count++) await connect('CP-1')
  expect(alerts()).toEqual([])
  await connect('CP-1')
  expect(alerts()).toHaveLength(1)
})

it('OCPP-LG6: every frame counts as a sign of life, an unreadable one too', async () => {
  const { core: running, clock, station } = await core.boot16('CP-1')
  const seen = async () => (await running.connectivity(['CP-1']))[0]?.lastSeenAt
  clock.advance(5000)
  station.send('not json')
  expect(await seen()).toBe(START + 5000)
  clock.advance(5000)
  running.alive(station.connection)
  expect(await seen()).toBe(START + 10_000)
})

it('OCPP-LG4: createdAt is our time of receipt, whatever the clock of the charge point says', async () => {
  const { commands, station } = await core.boot16('CP-1')
  const timestamp = '1970-01-01T00:00:00Z'
  await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp })
  const [row] = await commands('CP-1')
  expect(logIdTime(row?.id ?? 0)).toBe(START)
})

it('OCPP-CN1: the end of a replaced connection does not take the new one offline', async () => {
  const { core: running, connect, clock, station: old } = await core.boot16('CP-1')
  await connect('CP-1')
  running.closed(old.connection)
  clock.advance(120_000)
  expect(await running.connectivity(['CP-1'])).toMatchObject([{ online: true }])
})

it('OCPP-CN4: offline is shown after 60 seconds, and a lost connection changes no session', async () => {
  const { house: test, station } = await core.boot16('CP-1')
  await station.call('StartTransaction', START_TRANSACTION)
  test.core.closed(station.connection)
  expect(await test.core.connectivity(['CP-1'])).toMatchObject([{ online: true }])
  test.clock.advance(60_000)
  expect(await test.core.connectivity(['CP-1'])).toMatchObject([{ online: false }])
  expect(await test.sessionOf('CP-1')).toMatchObject({ state: 'charging' })
})

it('OCPP-CN4: a clock that is put back by hours does not show for hours who is gone', async () => {
  const { core: opened, clock, station } = await core.boot16('CP-1')
  opened.closed(station.connection)
  clock.set(START - 5 * 3_600_000)
  clock.advance(60_000)
  expect(await opened.connectivity(['CP-1'])).toMatchObject([{ online: false }])
})

it('OCPP-CN2: a clock that is put back by hours does not make two replacements many', async () => {
  const { connect, clock, logged } = await core()
  for (let count = 0; count < 11; count++) await connect('CP-1')
  clock.set(START - 5 * 3_600_000)
  await connect('CP-1')
  expect(logged.filter(({ message }) => message.includes('replaced again and again'))).toEqual([])
})

it('OCPP-RP8: answers to nobody are logged, of one connection not more than the first ones', async () => {
  const { logged, station } = await core.boot16('CP-1')
  for (let count = 0; count < 100; count++) station.send(`[3,"nobody-${count}",{}]`)
  for (let count = 0; count < 100; count++) station.send(`[6,"x","Y",{}]`)
  await station.call('Heartbeat', {})
  expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(10)
})

it('OCPP-T4: a refused identity that differs from a registered one only in case is logged', async () => {
  const { connect, store, logged } = await core({ settings: { unknownChargePoints: 'reject' } })
  await store.writes.createChargePoint(
    aChargePoint({ id: 'CP-1', accountId: 'account-1', securityProfile: 0, createdAt: START }),
  )
  await expect(connect('cp-1')).rejects.toThrow('404')
  await expect(connect('CP-2')).rejects.toThrow('404')
  expect(logged.filter(({ message }) => message.includes('only in case'))).toHaveLength(1)
})

it('OCPP-AU5: what one address tries in vain does not use up what is there for all', async () => {
  const { connect, clock } = await core({ settings: { unknownChargePoints: 'pending' } })
  for (let count = 0; count < 10; count++) await connect(`CP-${count}`)
  for (let count = 0; count < 1000; count++) await expect(connect(`X-${count}`)).rejects.toThrow('429')
  clock.advance(60_000)
  await expect(connect('CP-10')).resolves.toBeDefined()
})

it('a charge point that another process created is admitted at once', async () => {
  const { connect, path } = await core({ settings: { unknownChargePoints: 'reject' } })
  await expect(connect('CP-9')).rejects.toThrow('404')
  const other = openStore(path)
  await other.writes.createChargePoint(
    aChargePoint({ id: 'CP-9', accountId: 'account-1', securityProfile: 0, createdAt: START }),
  )
  other.close()
  await expect(connect('CP-9')).resolves.toBeDefined()
})
