import { describe, expect, it } from 'vitest'
import { coresOfTests, SESSIONS, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { transactionEvent } from '../../../test/support/messages.ts'
import { findTransaction } from '../../../test/support/storage/testing.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Of the test's core. */
const CALL_TIMEOUT_MS = 30 * SECOND
const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1'] as const
type Version = (typeof PROTOCOLS)[number]

const STOP = { 'ocpp1.6': 'RemoteStopTransaction', 'ocpp2.0.1': 'RequestStopTransaction' } as const
const START = { 'ocpp1.6': 'RemoteStartTransaction', 'ocpp2.0.1': 'RequestStartTransaction' } as const

/** Everything queued so far is done. Ends nothing that is open: that is for the end of a process. */
async function settled(station: TestStation): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await station.call('Heartbeat', {})
}

describe.each(PROTOCOLS)('%s: a stop that was accepted with 202', (protocol) => {
  const core = coresOfTests()
  const stops = (station: TestStation): readonly unknown[][] => station.calls(STOP[protocol])
  const answer = async (station: TestStation, status: string): Promise<void> => {
    station.send(JSON.stringify([3, stops(station).at(-1)?.[1], { status }]))
    await settled(station)
  }

  /** A charge runs. */
  async function charging(house: TestCore, version: Version = protocol) {
    const station = await house.booted('CP-1', protocol)
    const timestamp = new Date(house.clock.now()).toISOString()
    const idToken = { idToken: 'CARD', type: 'ISO14443' }
    const begin =
      version === 'ocpp1.6'
        ? await station.call('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp })
        : await station.call('TransactionEvent', transactionEvent('Started', 0, house.clock.now(), { idToken }))
    const { transactionId = 'T-1' } = begin[2] as { transactionId?: number }
    const found = await findTransaction(house.store.core, 'CP-1', { transactionId: String(transactionId) })
    const sessionId = found?.session.id ?? ''
    const press = () => house.core.stopSession('account-1', sessionId)
    const end = (on: TestStation) =>
      version === 'ocpp1.6'
        ? on.call('StopTransaction', { transactionId, meterStop: 10, timestamp })
        : on.call('TransactionEvent', transactionEvent('Ended', 1, house.clock.now(), { triggerReason: 'RemoteStop' }))
    return { station, press, end, sessionId }
  }

  it('SESSION-S10, OCPP-RP9: lost with its connection it is sent again after the first message of the next one', async () => {
    const house = await core()
    const { station, press, end } = await charging(house)
    await press()
    await settled(station)
    expect(stops(station)).toHaveLength(1)
    house.core.closed(station.connection)
    const back = await house.connect('CP-1', protocol)
    expect(stops(back)).toEqual([])
    await settled(back)
    expect(stops(back)).toHaveLength(1)
    // Who loses the connection each time is not asked in each one of them.
    house.core.closed(back.connection)
    const again = await house.connect('CP-1', protocol)
    await settled(again)
    expect(stops(again)).toEqual([])
    house.clock.advance(10 * SECOND)
    await settled(again)
    expect(stops(again)).toHaveLength(1)
    await end(again)
    house.core.closed(again.connection)
    const over = await house.connect('CP-1', protocol)
    await settled(over)
    house.clock.advance(3600 * SECOND)
    await settled(over)
    expect(stops(over)).toEqual([])
  })

  it.each([
    ['not at all', undefined, 10 * SECOND, 20 * SECOND],
    ['Rejected', 'Rejected', MINUTE, 2 * MINUTE],
    ['Accepted', 'Accepted', 5 * MINUTE, 10 * MINUTE],
  ])('SESSION-S10, OCPP-RP9: answered %s it is sent again ever later', async (_, status, first, second) => {
    const house = await core()
    const { station, press, end, sessionId } = await charging(house)
    await press()
    await settled(station)
    for (const [index, pause] of [first, second].entries()) {
      if (status) await answer(station, status)
      else {
        house.clock.advance(CALL_TIMEOUT_MS)
        await settled(station)
      }
      house.clock.advance(pause - SECOND)
      await settled(station)
      expect(stops(station)).toHaveLength(index + 1)
      house.clock.advance(SECOND)
      await settled(station)
      expect(stops(station)).toHaveLength(index + 2)
    }
    await end(station)
    await answer(station, 'Rejected')
    house.clock.advance(3600 * SECOND)
    await settled(station)
    expect(stops(station)).toHaveLength(3)
    expect(await house.store.core.findSession(sessionId)).toMatchObject({ state: 'completed' })
  })

  it('SESSION-S10: it is given up when its time is over', async () => {
    const house = await core({ settings: { sessions: { ...SESSIONS, silenceTimeoutMs: 1000 * 3600_000 } } })
    const { station, press } = await charging(house)
    await press()
    await settled(station)
    await answer(station, 'Rejected')
    for (let hour = 0; hour < 24; hour++) {
      house.clock.advance(3600 * SECOND)
      await settled(station)
      await answer(station, 'Rejected')
    }
    const before = stops(station).length
    expect(before).toBeGreaterThan(20)
    expect(before).toBeLessThan(40)
    house.clock.advance(3600 * SECOND)
    await settled(station)
    expect(stops(station)).toHaveLength(before)
    // Asked for again it is a new one.
    await press()
    await settled(station)
    expect(stops(station)).toHaveLength(before + 1)
  })

  it('SESSION-S10: given while the charge point is away it is on its log at once, and sent when it is back', async () => {
    const house = await core()
    const { station, press } = await charging(house)
    house.core.closed(station.connection)
    expect(await press()).toMatchObject({ state: 'charging' })
    await press()
    const back = await house.connect('CP-1', protocol)
    const rows = (await house.commands('CP-1')).filter(({ method }) => method === STOP[protocol])
    expect(rows.map(({ status }) => status)).toEqual(['pending'])
    await settled(back)
    expect(stops(back)).toHaveLength(1)
  })

  it('SESSION-S9: a start that waits for the charge point is cancelled and never sent', async () => {
    const { house, station: before } = await core.booted('CP-1', protocol)
    house.core.closed(before.connection)
    const order = { accountId: 'account-1', chargePointId: 'CP-1', evseId: 1, ttlMs: 60_000 }
    const started = await house.core.startSession(order)
    const id = 'id' in started ? started.id : ''
    expect(await house.core.stopSession('account-1', id)).toMatchObject({ state: 'failed', endReason: 'cancelled' })
    expect(await house.core.stopSession('account-1', id)).toMatchObject({ status: 409, code: 'session_ended' })
    const back = await house.connect('CP-1', protocol)
    await settled(back)
    expect(back.calls(START[protocol])).toEqual([])
    const rows = (await house.commands('CP-1')).filter(({ method }) => method === START[protocol])
    expect(rows.map(({ status }) => status)).toEqual(['dropped'])
  })
})
