import { expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'

const MINUTE_MS = 60_000
const SILENCE_MS = 120 * MINUTE_MS
const PLACE = { accountId: 'account-1', chargePointId: 'CP1' }

const core = coresOfTests()

async function underWay(protocol: 'ocpp1.6' | 'ocpp2.0.1') {
  const house = await core()
  await house.store.writes.createChargePoint(aChargePoint({ accountId: 'account-1', securityProfile: 0, createdAt: 0 }))
  const station = await house.booted('CP1', protocol)
  await house.core.decideBlock({
    ...PLACE,
    input: {
      kind: 'firmwareOrdered',
      requestId: 7,
      campaignId: 'c',
      wave: 1,
      onlyIdle: false,
      target: { version: '2', location: 'https://files.example/fw' },
      silenceMs: SILENCE_MS,
      createdAt: house.clock.now(),
      tokenHash: 'none',
    },
  })
  await station.answered('UpdateFirmware', protocol === 'ocpp1.6' ? {} : { status: 'Accepted' })
  await expect.poll(() => update(house)).toMatchObject({ state: 'running' })
  return { house, station }
}

const update = ({ store }: TestCore) =>
  store.reads.getRecord('firmware_updates', { chargePointId: 'CP1', requestId: 7 })

const later = async ({ clock, core: { decideBlock } }: TestCore, ms: number) => {
  clock.advance(ms)
  await decideBlock({ ...PLACE, input: { kind: 'firmwareDue', requestId: 7 } })
}

it.each(['ocpp1.6', 'ocpp2.0.1'] as const)('FIRMWARE-U5: %s: is asked after, then fails', async (protocol) => {
  const { house, station } = await underWay(protocol)
  await later(house, SILENCE_MS)
  const asked = await station.answered('TriggerMessage', { status: 'Accepted' })
  expect(asked).toEqual({ requestedMessage: 'FirmwareStatusNotification' })
  const progress = { status: 'Downloading', ...(protocol === 'ocpp2.0.1' && { requestId: 7 }) }
  await station.call('FirmwareStatusNotification', progress)
  expect(await update(house)).toMatchObject({ state: 'running', isAsked: false })

  await later(house, SILENCE_MS)
  await station.answered('TriggerMessage', { status: 'Rejected' }, 1)
  await later(house, 10 * MINUTE_MS)
  expect(await update(house)).toMatchObject({ state: 'failed', reason: 'The charge point said nothing more.' })
})
