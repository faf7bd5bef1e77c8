import { expect, it } from 'vitest'
import { accepts, amps, chargingCores, MINUTE, type Payload, type Respond } from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'

/** Room for two periods. */
const TWO: Respond = (method, request) => {
  if (method !== 'GetConfiguration') return accepts(method, request)
  const { configurationKey, ...rest } = accepts(method, request) as { configurationKey: { key: string }[] }
  return {
    ...rest,
    configurationKey: configurationKey.map((one) =>
      one.key === 'ChargingScheduleMaxPeriods' ? { ...one, value: '2' } : one,
    ),
  }
}
const STEPS = [16, 10, 20, 8].map((limit, at) => ({ at: START + at * 60 * MINUTE, limit }))

const { started, demand, profiles, sets, accepted } = chargingCores()
const limits = (sent: readonly [string, Payload][]) =>
  sets([...sent]).map((request) =>
    (JSON.stringify(request).match(/"limit":\d+/g) ?? []).map((one) => Number(one.slice(8))),
  )

it('CHARGING-S5: what it has no room for was never sent: it is when it is needed', async () => {
  const { house, sent } = await started('1.6', TWO)
  await demand(house, 'limit:a', 1, amps(0, { steps: STEPS }))
  await accepted(house)
  expect(limits(sent)).toEqual([[16, 10]])
  house.clock.advance(60 * MINUTE)
  await expect
    .poll(() => limits(sent))
    .toEqual([
      [16, 10],
      [10, 20],
    ])
  house.clock.advance(60 * MINUTE)
  await expect.poll(() => limits(sent).at(-1)).toEqual([20, 8])
  house.clock.advance(60 * MINUTE)
  await expect.poll(() => profiles(house)).toMatchObject([{ state: 'accepted' }])
  expect(limits(sent)).toHaveLength(3)
})

it('CHARGING-S2: one that waits for its next part is cleared at once when nothing is wanted there', async () => {
  const { house, sent } = await started('1.6', TWO)
  await demand(house, 'limit:a', 1, amps(0, { steps: STEPS }))
  await accepted(house)
  await demand(house, 'limit:a', 1)
  await expect.poll(() => profiles(house)).toEqual([])
  expect(sent.map(([method]) => method)).toContain('ClearChargingProfile')
})
