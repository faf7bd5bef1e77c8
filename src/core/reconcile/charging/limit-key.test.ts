import { expect, it } from 'vitest'
import { accepts, amps, chargingCores, MINUTE, type Payload, type Respond } from '../../../../test/support/charging.ts'
import { START, type TestCore } from '../../../../test/support/core/testing.ts'

// CHARGING-S5: a limit that is set through a configuration key
const { core, started, serve, demand, demands, profiles, accepted } = chargingCores()

/** Has keys and no smart charging. */
function station(keys: Record<string, string | undefined>): Respond {
  return (method, request) => {
    switch (method) {
      case 'SetChargingProfile':
        return { status: 'NotSupported' }
      case 'GetConfiguration': {
        const [key = ''] = request.key as readonly string[]
        if (!(key in keys)) return accepts(method, request)
        return { configurationKey: [{ key, readonly: false, value: keys[key] }] }
      }
      case 'GetVariables': {
        const [named] = request.getVariableData as readonly (Payload & { variable: { name: string } })[]
        const key = named?.variable.name ?? ''
        if (!(key in keys)) return accepts(method, request)
        return { getVariableResult: [{ ...named, attributeStatus: 'Accepted', attributeValue: keys[key] }] }
      }
      case 'ChangeConfiguration':
        keys[request.key as string] = request.value as string
        return { status: 'Accepted' }
      case 'SetVariables': {
        const [named] = request.setVariableData as readonly (Payload & { variable: { name: string } })[]
        keys[named?.variable.name ?? ''] = named?.attributeValue as string
        return { setVariableResult: [{ ...named, attributeStatus: 'Accepted' }] }
      }
      default:
        return accepts(method, request)
    }
  }
}
const model = async ({ store }: TestCore, limitKey: string): Promise<void> => {
  const row = { accountId: 'account-1', vendor: 'Acme', limitKey, abilities: {}, createdAt: 0, updatedAt: 0 }
  await store.writes.putRecords(
    'model_abilities',
    ['One', 'Two'].map((name) => ({ ...row, model: name })),
  )
}
const left = async (house: TestCore) => (await demands(house)).map(({ owner }) => owner)

it.each([
  ['1.6', 'MaxAmps'],
  ['2.0.1', 'Outlet.MaxAmps'],
] as const)('was left there for ever when it was deleted: %s has again what it had before', async (protocol, key) => {
  const keys = { MaxAmps: '32' }
  const { house } = await started(protocol, station(keys))
  await model(house, key)
  await demand(house, 'limit:a', 1, amps(16))
  await demand(house, 'limit:b', 1, amps(10))
  await expect.poll(() => keys.MaxAmps).toBe('10')
  await accepted(house)
  expect((await demands(house)).map(({ reason }) => reason)).not.toContain(expect.any(String))
  await demand(house, 'limit:b', 1)
  await expect.poll(() => keys.MaxAmps).toBe('16')
  await demand(house, 'limit:a', 1)
  await expect.poll(() => keys.MaxAmps).toBe('32')
  await expect.poll(() => left(house)).toEqual([])
  // Another one afterwards, of the same amperes, is sent.
  await demand(house, 'limit:c', 1, amps(16))
  await expect.poll(() => keys.MaxAmps).toBe('16')
})

it('was left there when its time was over', async () => {
  const keys = { MaxAmps: '25' }
  const { house } = await started('1.6', station(keys))
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8, { until: START + MINUTE }))
  await expect.poll(() => keys.MaxAmps).toBe('8')
  house.clock.advance(MINUTE)
  await expect.poll(() => keys.MaxAmps).toBe('25')
})

it('was left there when it was deleted while the charge point was away, and the server was restarted', async () => {
  const keys = { MaxAmps: '25' }
  const { house } = await started('1.6', station(keys))
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8))
  await accepted(house)
  house.core.closed(1)
  await demand(house, 'limit:a', 1)
  await house.core.drain()
  house.store.close()
  const later = await core({ path: house.path })
  serve(await later.boot16('CP1'), [], station(keys))
  await expect.poll(() => keys.MaxAmps).toBe('25')
})

it('was left there when its model got another key', async () => {
  const keys = { MaxAmps: '25', Current: '20' }
  const { house } = await started('1.6', station(keys))
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8))
  await accepted(house)
  await model(house, 'Current')
  const input = { kind: 'chargingModelChanged' } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  await expect.poll(() => keys).toEqual({ MaxAmps: '25', Current: '8' })
})

it('was left there when the charge point came to have smart charging', async () => {
  const keys = { MaxAmps: '25' }
  let takesProfiles = false
  const byKey = station(keys)
  const { house } = await started('1.6', (method, request) =>
    takesProfiles && method === 'SetChargingProfile' ? accepts(method, request) : byKey(method, request),
  )
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8))
  await accepted(house)
  takesProfiles = true
  const input = { kind: 'chargingModelChanged' } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  await expect.poll(() => keys.MaxAmps).toBe('25')
  expect(await profiles(house)).toMatchObject([{ purpose: 'TxDefaultProfile', state: 'accepted' }])
})

it('cannot be given back where the charge point does not say what the key was, and says so', async () => {
  const keys = { MaxAmps: undefined }
  const { house, methods } = await started('1.6', station(keys)).then((all) => ({
    ...all,
    methods: () => all.sent.filter(([method]) => method === 'ChangeConfiguration').length,
  }))
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8))
  await accepted(house)
  expect((await demands(house)).find(({ owner }) => owner === 'limit:a')?.reason).toContain('leaves it as it is')
  await demand(house, 'limit:a', 1)
  await expect.poll(() => left(house)).toEqual([])
  expect([keys.MaxAmps, methods()]).toEqual(['8', 1])
})

it('was read again after a restart of the charge point, and taken for what it was before', async () => {
  const keys = { MaxAmps: '25' }
  const { house, station: first } = await started('1.6', station(keys))
  await model(house, 'MaxAmps')
  await demand(house, 'limit:a', 1, amps(8))
  await accepted(house)
  await first.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
  await demand(house, 'limit:a', 1, amps(9))
  await expect.poll(() => keys.MaxAmps).toBe('9')
  await demand(house, 'limit:a', 1)
  await expect.poll(() => keys.MaxAmps).toBe('25')
})
