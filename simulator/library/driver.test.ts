import { describe, expect, it } from 'vitest'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { booted, closesStations, VERSIONS } from './testing.ts'

type World = Awaited<ReturnType<typeof booted>>

closesStations()

const is16 = (ocpp: string) => ocpp === '1.6'

/** For an hour; `connector` 0 or absent: any. */
function reserveOn(world: World, ocpp: string) {
  return async (id: number, card: string, connector = 0, seconds = 3_600): Promise<unknown> => {
    const until = new Date(world.cp.clock.now() + seconds * 1000).toISOString()
    const request = is16(ocpp)
      ? { reservationId: id, connectorId: connector, idTag: card, expiryDate: until }
      : {
          id,
          ...(connector !== 0 && { evseId: connector }),
          idToken: { idToken: card, type: 'ISO14443' },
          expiryDateTime: until,
        }
    return (await world.ask('ReserveNow', request)).status
  }
}
const statuses = ({ cp }: World) => cp.state.connectors.map(({ status }) => status)
const said = ({ calls }: World, method: string): readonly Payload[] =>
  calls.filter((call) => call.method === method).map(({ request }) => request)

describe.each(VERSIONS)('reservations over OCPP %s', (ocpp) => {
  it('SIM-A24: one of any connector takes the last free one, and its card uses it anywhere', async () => {
    const world = await booted(ocpp, { connectors: 2 })
    const { cp } = world
    const reserve = reserveOn(world, ocpp)
    expect(await reserve(1, 'MINE')).toBe('Accepted')
    expect(statuses(world)).toEqual(['Available', 'Available'])
    await cp.plug(1)
    await expect.poll(() => statuses(world)).toEqual(['Preparing', 'Reserved'])
    expect(await reserve(2, 'OTHER')).toBe('Occupied')
    expect(await cp.swipe(1, 'OTHER')).toBe('started')
    await cp.plug(2)
    expect(await cp.swipe(2, 'THIRD')).toBe('refused')
    expect(await cp.swipe(2, 'MINE')).toBe('started')
    const starts = [...said(world, 'StartTransaction'), ...said(world, 'TransactionEvent')]
    expect(starts.filter(({ reservationId }) => reservationId === 1)).toHaveLength(1)
  })

  it('SIM-A24: it ends by its time, its cancellation, or because its connector serves nobody any more', async () => {
    const world = await booted(ocpp, { connectors: 2 })
    const { cp, ask } = world
    const reserve = reserveOn(world, ocpp)
    expect(await reserve(1, 'A', 1, 60)).toBe('Accepted')
    expect(await reserve(2, 'B', 2)).toBe('Accepted')
    await expect.poll(() => statuses(world)).toEqual(['Reserved', 'Reserved'])
    await cp.wait(61)
    expect(statuses(world)).toEqual(['Available', 'Reserved'])
    await cp.fault(2, 'GroundFailure')
    await cp.clearFault(2)
    expect(statuses(world)).toEqual(['Available', 'Available'])
    expect(await reserve(3, 'C', 1)).toBe('Accepted')
    expect(await reserve(3, 'C', 2)).toBe('Accepted')
    await expect.poll(() => statuses(world)).toEqual(['Available', 'Reserved'])
    expect(await ask('CancelReservation', { reservationId: 3 })).toEqual({ status: 'Accepted' })
    expect(await ask('CancelReservation', { reservationId: 3 })).toEqual({ status: 'Rejected' })
    await expect.poll(() => statuses(world)).toEqual(['Available', 'Available'])
    const updates = said(world, 'ReservationStatusUpdate').map(
      ({ reservationId, reservationUpdateStatus: update }) => `${String(reservationId)} ${String(update)}`,
    )
    expect(updates).toEqual(is16(ocpp) ? [] : ['1 Expired', '2 Removed'])
  })
})

describe.each(VERSIONS)('the local list over OCPP %s', (ocpp) => {
  it('SIM-A25: what the station cannot keep it refuses, and it announces how much that is', async () => {
    const { ask } = await booted(ocpp, { localList: { mostEntries: 3, mostPerMessage: 2 } })
    const send = async (updateType: string, version: number, ...cards: string[]): Promise<unknown> => {
      const info = { status: 'Accepted' }
      const answer = is16(ocpp)
        ? await ask('SendLocalList', {
            updateType,
            listVersion: version,
            localAuthorizationList: cards.map((idTag) => ({ idTag, idTagInfo: info })),
          })
        : await ask('SendLocalList', {
            updateType,
            versionNumber: version,
            localAuthorizationList: cards.map((idToken) => ({
              idToken: { idToken, type: 'ISO14443' },
              idTokenInfo: info,
            })),
          })
      const { reasonCode } = (answer.statusInfo ?? {}) as Payload
      return reasonCode === undefined ? answer.status : `${String(answer.status)} ${String(reasonCode)}`
    }
    const version = async () => Object.values(await ask('GetLocalListVersion', {}))[0]
    const failed = (reason: string) => (is16(ocpp) ? 'Failed' : `Failed ${reason}`)
    expect(await version()).toBe(0)
    expect(await send('Full', 1, 'A', 'B', 'C')).toBe(failed('TooManyElements'))
    expect(await send('Full', 1, 'A', 'B')).toBe('Accepted')
    expect(await send('Differential', 1, 'C')).toBe('VersionMismatch')
    expect(await send('Differential', 2, 'C', 'D')).toBe(failed('OutOfStorage'))
    expect(await version()).toBe(1)
    const settings = is16(ocpp)
      ? await ask('GetConfiguration', { key: ['LocalAuthListMaxLength', 'SendLocalListMaxLength'] })
      : await ask('GetVariables', {
          getVariableData: [{ component: { name: 'LocalAuthListCtrlr' }, variable: { name: 'ItemsPerMessage' } }],
        })
    expect(JSON.stringify(settings)).toContain('"2"')
    await (is16(ocpp)
      ? ask('ChangeConfiguration', { key: 'LocalAuthListEnabled', value: 'false' })
      : ask('SetVariables', {
          setVariableData: [
            { component: { name: 'LocalAuthListCtrlr' }, variable: { name: 'Enabled' }, attributeValue: 'false' },
          ],
        }))
    expect(await send('Full', 9, 'A')).toBe(is16(ocpp) ? 'NotSupported' : 'Failed NotEnabled')
    expect(await version()).toBe(is16(ocpp) ? -1 : 0)
  })
})

describe('what a driver sees', () => {
  it('SIM-A26: messages by priority, state, time and charge; the list comes in pages', async () => {
    const world = await booted('2.0.1')
    const { cp, ask, charging } = world
    const set = async (id: number, priority: string, facts: Payload = {}): Promise<unknown> => {
      const content = { format: 'UTF8', content: `M${id}`, ...(facts.message as Payload | undefined) }
      const { status } = await ask('SetDisplayMessage', { message: { id, priority, ...facts, message: content } })
      return status
    }
    const inSeconds = (seconds: number) => new Date(cp.clock.now() + seconds * 1000).toISOString()
    expect(await set(1, 'NormalCycle')).toBe('Accepted')
    expect(await set(2, 'NormalCycle', { state: 'Charging' })).toBe('Accepted')
    expect(await set(3, 'InFront', { startDateTime: inSeconds(60), endDateTime: inSeconds(120) })).toBe('Accepted')
    expect(cp.state.display).toEqual(['M1'])
    await cp.wait(61)
    expect(cp.state.display).toEqual(['M3'])
    await cp.wait(60)
    expect(cp.state.display).toEqual(['M1'])
    await charging()
    expect(cp.state.display).toEqual(['M1', 'M2'])
    const { transactionId } = cp.charge(1)
    expect(await set(4, 'AlwaysFront', { transactionId: 'another' })).toBe('UnknownTransaction')
    expect(await set(4, 'AlwaysFront', { transactionId })).toBe('Accepted')
    expect(await set(5, 'AlwaysFront')).toBe('Accepted')
    expect(cp.state.display).toEqual(['M5'])
    expect(await set(6, 'InFront', { transactionId })).toBe('Accepted')
    expect(await set(7, 'InFront', { endDateTime: inSeconds(0) })).toBe('Rejected')
    expect(await set(7, 'InFront', { message: { format: 'HTML' } })).toBe('NotSupportedMessageFormat')
    const listed = async (criteria: Payload): Promise<readonly unknown[]> => {
      world.calls.length = 0
      const { status } = await ask('GetDisplayMessages', { requestId: 3, ...criteria })
      if (status === 'Unknown') return []
      await expect.poll(() => said(world, 'NotifyDisplayMessages').at(-1)?.tbc).toBe(false)
      return said(world, 'NotifyDisplayMessages').map(({ messageInfo }) =>
        (messageInfo as { id: number }[]).map(({ id }) => id).join(' '),
      )
    }
    expect(await listed({})).toEqual(['1 2', '5 6'])
    expect(await listed({ priority: 'NormalCycle', state: 'Charging' })).toEqual(['2'])
    expect(await listed({ id: [5, 9] })).toEqual(['5'])
    await cp.swipe(1, 'CARD-1')
    expect(await listed({ id: [6] })).toEqual([])
    expect(await ask('ClearDisplayMessage', { id: 5 })).toEqual({ status: 'Accepted' })
    expect(await ask('ClearDisplayMessage', { id: 5 })).toEqual({ status: 'Unknown' })
  })

  it('SIM-A26: no more messages than it keeps', async () => {
    const { ask } = await booted('2.0.1')
    const set = async (id: number): Promise<unknown> => {
      const message = { id, priority: 'NormalCycle', message: { format: 'ASCII', content: 'x' } }
      return (await ask('SetDisplayMessage', { message })).status
    }
    for (let id = 1; id <= 20; id++) expect(await set(id)).toBe('Accepted')
    expect(await set(21)).toBe('Rejected')
    expect(await set(20)).toBe('Accepted')
  })

  it.each(VERSIONS)('SIM-A26: the running cost of the charge, over OCPP %s', async (ocpp) => {
    const { cp, ask, charging } = await booted(ocpp)
    await charging()
    const { transactionId } = cp.charge(1)
    const cost = () => cp.state.connectors[0]?.transaction?.cost
    if (!is16(ocpp)) {
      await ask('CostUpdated', { transactionId, totalCost: 1.25 })
      expect(cost()).toBe(1.25)
      expect(await ask('CostUpdated', { transactionId: 'another', totalCost: 9 })).toEqual({})
      expect(cost()).toBe(1.25)
      return
    }
    const send = async (messageId: string, data: string): Promise<unknown> =>
      (await ask('DataTransfer', { vendorId: 'org.openchargealliance.costmsg', messageId, data })).status
    const running = (value: unknown) => JSON.stringify({ transactionId: Number(transactionId), cost: value })
    expect(await send('RunningCost', running(1.25))).toBe('Accepted')
    expect(cost()).toBe(1.25)
    expect(await send('RunningCost', running('much'))).toBe('Rejected')
    expect(await send('RunningCost', 'no JSON')).toBe('Rejected')
    expect(await send('RunningCost', JSON.stringify({ transactionId: 999, cost: 1 }))).toBe('Rejected')
    expect(await send('SetUserPrice', JSON.stringify({ idToken: 'A', priceText: '0.30' }))).toBe('Accepted')
    expect(await send('Else', '{}')).toBe('UnknownMessageId')
  })

  it('SIM-A27: a customer is told what is known in pages, and forgotten', async () => {
    const world = await booted('2.0.1')
    const { cp, ask, charging } = world
    for (let charge = 0; charge < 3; charge++) {
      await charging()
      await cp.unplug(1)
    }
    const customer = { idToken: { idToken: 'CARD-1', type: 'ISO14443' } }
    const reported = async (request: Payload): Promise<string> => {
      world.calls.length = 0
      expect(await ask('CustomerInformation', { requestId: 4, report: true, clear: false, ...request })).toEqual({
        status: 'Accepted',
      })
      await expect.poll(() => said(world, 'NotifyCustomerInformation').at(-1)?.tbc).toBe(false)
      const pages = said(world, 'NotifyCustomerInformation')
      expect(pages.map(({ seqNo }) => seqNo)).toEqual(pages.map((_page, number) => number))
      return pages.map(({ data }) => String(data)).join('')
    }
    expect(await reported({ ...customer, clear: true })).toMatch(
      /^Cache: CARD-1 Accepted\n(Charge .* Wh, ended .*\n?){3}$/,
    )
    expect(await reported(customer)).toBe('Nothing is known of this customer.')
    expect(await reported({ customerIdentifier: 'nobody' })).toBe('Nothing is known of this customer.')
    const ordered = async (request: Payload): Promise<unknown> =>
      (await ask('CustomerInformation', { requestId: 5, ...request })).status
    expect(await ordered({ report: true, clear: false })).toBe('Invalid')
    expect(await ordered({ report: true, clear: false, customerIdentifier: 'x', ...customer })).toBe('Invalid')
    expect(await ordered({ report: false, clear: false, ...customer })).toBe('Rejected')
  })
})
