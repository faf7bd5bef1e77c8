import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { coresOfTests, START, START_TRANSACTION, testCore } from '../../test/support/core/testing.ts'
import { loadChargePoint } from '../../test/support/storage/testing.ts'
import { logIdTime } from '../domain/message-log/log-id.ts'

describe('core', () => {
  const core = coresOfTests()

  it('OCPP-DR5: an answer that was sent is in the database', async () => {
    const { boot16, path } = await core()
    const station = await boot16('CP-1')
    const answer = await station.call('StartTransaction', START_TRANSACTION, 'start-1')
    const other = new Database(path, { readonly: true })
    const row = other.prepare("SELECT request, response FROM commands WHERE message_id = 'start-1'").get() as {
      request: string
      response: string
    }
    other.close()
    expect(JSON.parse(row.request)).toEqual(START_TRANSACTION)
    expect(JSON.parse(row.response)).toEqual(answer[2])
  })

  it('OCPP-DR9: before BootNotification everything else is a SecurityError, and stored', async () => {
    const { connect, commands } = await core()
    const station = await connect('CP-1')
    expect((await station.call('Heartbeat', {})).slice(0, 3)).toEqual([4, 'm1', 'SecurityError'])
    expect(await commands('CP-1')).toMatchObject([{ method: 'Heartbeat', status: 'error' }])
  })

  it('OCPP-DR9: a 1.6 station that moved here without a reboot loses no charge; all else waits for its boot', async () => {
    const house = await core()
    const station = await house.connect('CP-1')
    const at = new Date(START).toISOString()
    const samples = [{ timestamp: at, sampledValue: [{ value: '1500' }] }]
    // Its transaction began with the other central system.
    const values = { connectorId: 1, transactionId: 77, meterValue: samples }
    expect(await station.call('MeterValues', values)).toMatchObject({ 0: 3 })
    const stop = { transactionId: 77, meterStop: 3000, timestamp: at, reason: 'Local' }
    expect(await station.call('StopTransaction', stop)).toMatchObject({ 0: 3 })
    const [, , { transactionId }] = (await station.call('StartTransaction', START_TRANSACTION)) as [3, string, never]
    expect(transactionId).toBeGreaterThan(0)
    expect(await station.call('Authorize', { idTag: 'A' })).toMatchObject({ 0: 4, 2: 'SecurityError' })
    const [session] = await loadChargePoint(house.store.core, 'CP-1').then((loaded) => loaded?.sessions ?? [])
    expect(session).toMatchObject({ state: 'charging' })
  })

  it.each(['Pending', 'Rejected'] as const)(
    'OCPP-DR9: the transaction messages of a 1.6 station that is %s and never booted are refused',
    async (registrationStatus) => {
      const house = await core({ settings: { unknownChargePoints: 'pending' } })
      const station = await house.connect('CP-1')
      await house.store.writes.updateChargePoint('account-1', 'CP-1', { registrationStatus })
      house.registrationsChanged()
      expect(await station.call('StartTransaction', START_TRANSACTION)).toMatchObject({ 0: 4, 2: 'SecurityError' })
    },
  )

  it('OCPP-LG3: what was refused is found by its transaction and connector too', async () => {
    const { connect, boot16, commands } = await core({ settings: { validation: 'strict' } })
    const unknown = await connect('CP-1', 'ocpp2.0.1')
    await unknown.call('TransactionEvent', {
      eventType: 'Ended',
      timestamp: new Date(START).toISOString(),
      triggerReason: 'EVDeparted',
      seqNo: 9,
      transactionInfo: { transactionId: 'T-9' },
      evse: { id: 2, connectorId: 1 },
    })
    expect(await commands('CP-1')).toMatchObject([{ status: 'error', transactionId: 'T-9', evseId: 2, connectorId: 1 }])
    const strict = await boot16('CP-2')
    await strict.call('StopTransaction', { transactionId: 77, meterStop: 'much' })
    await strict.call('MeterValues', [])
    const [list, stop] = await commands('CP-2')
    expect(stop).toMatchObject({ method: 'StopTransaction', status: 'error', transactionId: '77' })
    expect(list).toMatchObject({ method: 'MeterValues', status: 'error' })
  })

  it('OCPP-LG3, OCPP-RP6: the row of a repeated start is found by the transaction that its answer names', async () => {
    const { boot16, commands } = await core()
    const station = await boot16('CP-1')
    const first = await station.call('StartTransaction', START_TRANSACTION, 'again')
    expect(await station.call('StartTransaction', START_TRANSACTION, 'again')).toEqual(first)
    const { transactionId } = first[2] as { transactionId: number }
    const rows = (await commands('CP-1')).filter(({ method }) => method === 'StartTransaction')
    expect(rows.map((row) => row.transactionId)).toEqual([String(transactionId), String(transactionId)])
  })

  it('OCPP-AU5, OCPP-DR9: a pending charge point gets Pending, and SecurityError for all else', async () => {
    const { connect } = await core({ settings: { unknownChargePoints: 'pending' } })
    const station = await connect('CP-1')
    const boot = await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
    expect(boot[2]).toMatchObject({ status: 'Pending', interval: 60 })
    expect((await station.call('Heartbeat', {})).slice(0, 3)).toEqual([4, 'm2', 'SecurityError'])
  })

  it('OCPP-DR9, SESSION-O4: a pending charge point may send what we triggered, and is sent nothing else', async () => {
    const { core: running, connect } = await core({ settings: { unknownChargePoints: 'pending' } })
    const station = await connect('CP-1')
    await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
    const order = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0 }
    const refused = await running.sendCommand({ ...order, method: 'Reset', request: { type: 'Soft' } })
    expect(refused).toMatchObject({ status: 409, code: 'charge_point_pending' })
    await running.sendCommand({
      ...order,
      method: 'TriggerMessage',
      request: { requestedMessage: 'StatusNotification', connectorId: 1 },
    })
    await station.frame((frame) => frame[2] === 'TriggerMessage')
    const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' }
    expect((await station.call('StatusNotification', status))[0]).toBe(3)
    expect((await station.call('StatusNotification', status)).slice(2, 3)).toEqual(['SecurityError'])
  })

  it('OCPP-DR9, SESSION-O4: a pending 2.0.1 station sends the pages of the report that it was asked for', async () => {
    const { core: running, connect } = await core({ settings: { unknownChargePoints: 'pending' } })
    const station = await connect('CP-1', 'ocpp2.0.1')
    await station.call('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'A', model: 'B' } })
    const page = (seqNo: number, tbc: boolean): object => ({
      requestId: 1,
      generatedAt: new Date(START).toISOString(),
      seqNo,
      tbc,
    })
    expect((await station.call('NotifyReport', page(0, false))).slice(2, 3)).toEqual(['SecurityError'])
    await running.sendCommand({
      accountId: 'account-1',
      chargePointId: 'CP-1',
      waitMs: 0,
      method: 'GetBaseReport',
      request: { requestId: 1, reportBase: 'FullInventory' },
    })
    await station.frame((frame) => frame[2] === 'GetBaseReport')
    expect((await station.call('NotifyReport', page(0, true)))[0]).toBe(3)
    expect((await station.call('NotifyReport', page(1, false)))[0]).toBe(3)
    expect((await station.call('NotifyReport', page(2, false))).slice(2, 3)).toEqual(['SecurityError'])
  })

  it('OCPP-DR10: after a restart of the server a charge point goes on without a BootNotification', async () => {
    const first = await testCore()
    const station = await first.boot16('CP-1')
    const start = await station.call('StartTransaction', START_TRANSACTION)
    await first.close()
    const second = await core({ path: first.path, now: START + 60_000 })
    const again = await second.connect('CP-1')
    const { transactionId } = start[2] as { transactionId: number }
    const stop = await again.call('StopTransaction', {
      transactionId,
      meterStop: 3500,
      timestamp: new Date(START + 50_000).toISOString(),
    })
    expect(stop).toMatchObject([3, 'm1', {}])
    const session = await second.sessionOf('CP-1')
    expect(session).toMatchObject({ state: 'completed', energyMilliWh: 2_500_000 })
  })

  it('SESSION-A3: a transaction number is never given twice, also over restarts', async () => {
    const first = await testCore()
    const one = await (await first.boot16('CP-1')).call('StartTransaction', START_TRANSACTION)
    await first.close()
    const second = await core({ path: first.path })
    const two = await (await second.boot16('CP-2')).call('StartTransaction', START_TRANSACTION)
    const numbers = [one, two].map((answer) => (answer[2] as { transactionId: number }).transactionId)
    expect(numbers[1]).toBeGreaterThan(numbers[0] ?? 0)
  })

  it('OCPP-RP6: the same id and payload get the stored answer, and both are in the log', async () => {
    const { boot16, commands } = await core()
    const station = await boot16('CP-1')
    const first = await station.call('StartTransaction', START_TRANSACTION, 'same')
    const second = await station.call('StartTransaction', START_TRANSACTION, 'same')
    expect(second).toEqual(first)
    const rows = (await commands('CP-1')).filter((row) => row.messageId === 'same')
    expect(rows).toHaveLength(2)
  })

  it('OCPP-LG5, OCPP-RP6: the row of a repeated message hides the same secrets as the first one', async () => {
    const { boot201, commands, store, clock } = await core()
    // No answer of ours holds a secret; a group that looks like one shows that the mask runs.
    await store.writes.createIdToken({
      accountId: 'account-1',
      id: 'CARD',
      type: 'ISO14443',
      status: 'Accepted',
      groupId: '-----BEGIN PRIVATE KEY-----',
      createdAt: clock.now(),
    })
    const station = await boot201('CP-1')
    const authorize = { idToken: { idToken: 'CARD', type: 'ISO14443' } }
    const first = await station.call('Authorize', authorize, 'same')
    expect(await station.call('Authorize', authorize, 'same')).toEqual(first)
    const hidden = { idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: '***', type: 'Central' } } }
    const responses = (await commands('CP-1'))
      .filter((row) => row.messageId === 'same')
      .map((row) => JSON.parse(row.response ?? ''))
    expect(responses).toEqual([hidden, hidden])
  })

  it('OCPP-RP6: a station that uses one id for everything is understood', async () => {
    const { boot16 } = await core()
    const station = await boot16('CP-1')
    const start = await station.call('StartTransaction', START_TRANSACTION, '1000001')
    const other = await station.call('StartTransaction', { ...START_TRANSACTION, connectorId: 2 }, '1000001')
    expect((start[2] as { transactionId: number }).transactionId).not.toBe(
      (other[2] as { transactionId: number }).transactionId,
    )
  })

  it('OCPP-RP6: a repeated Heartbeat tells the time of its repetition', async () => {
    const { boot16, clock } = await core()
    const station = await boot16('CP-1')
    const first = await station.call('Heartbeat', {}, '1000001')
    clock.advance(300_000)
    const second = await station.call('Heartbeat', {}, '1000001')
    expect(first[2]).not.toEqual(second[2])
  })

  it('OCPP-RP5: pipelined messages are answered in their order', async () => {
    const { boot16 } = await core()
    const station = await boot16('CP-1')
    const ids = Array.from({ length: 50 }, (_, index) => `p${index}`)
    for (const id of ids) station.send(JSON.stringify([2, id, 'Heartbeat', {}]))
    await station.frame((frame) => frame[1] === 'p49')
    expect(station.frames.map((frame) => frame[1]).filter((id) => ids.includes(String(id)))).toEqual(ids)
  })

  it('a row is never answered before it was created, also when many share a millisecond', async () => {
    const { boot16, commands } = await core()
    const station = await boot16('CP-1')
    for (let count = 0; count < 5000; count++) station.send(JSON.stringify([2, `h${count}`, 'Heartbeat', {}]))
    await station.frame((frame) => frame[1] === 'h4999')
    for (const row of await commands('CP-1')) expect(row.answeredAt).toBeGreaterThanOrEqual(logIdTime(row.id))
  })

  it('OCPP-RP2: a numeric message id is echoed as a number', async () => {
    const { boot16 } = await core()
    const station = await boot16('CP-1')
    station.send('[2, 42, "Heartbeat"]')
    expect(await station.frame((frame) => frame[1] === 42)).toMatchObject([3, 42, {}])
  })

  it('OCPP-RP10: unreadable frames are stored and answered; ten in a row close the connection', async () => {
    const { boot16, commands } = await core()
    const station = await boot16('CP-1')
    for (let count = 0; count < 10; count++) station.send('not json')
    await station.frame(() => station.closes.length > 0 || station.frames.length > 10)
    expect(station.closes).toEqual([[1002, 'no OCPP messages']])
    expect((await commands('CP-1')).filter((row) => row.method === 'Malformed')).toHaveLength(10)
  })

  it('OCPP-EC1: an unknown action is NotImplemented, and stored', async () => {
    const { boot16, commands } = await core()
    const station = await boot16('CP-1')
    expect((await station.call('MakeCoffee', {})).slice(0, 3)).toEqual([4, 'm2', 'NotImplemented'])
    expect((await commands('CP-1'))[0]).toMatchObject({ method: 'MakeCoffee', status: 'error' })
  })
})
