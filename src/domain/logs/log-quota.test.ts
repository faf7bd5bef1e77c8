import { expect, it } from 'vitest'
import { type CountedLog, createLogQuota } from './records.ts'

const log = (requestId: number, bytes: number, where: Partial<CountedLog> = {}): CountedLog => ({
  accountId: 'A',
  chargePointId: 'EV-1',
  requestId,
  bytes,
  storedAt: requestId,
  ...where,
})
const EV_1 = { accountId: 'A', chargePointId: 'EV-1' }
const EV_2 = { accountId: 'A', chargePointId: 'EV-2' }

// FIRMWARE-D5: what logs may take
it('a charge point may have an eighth, an account all', () => {
  const quota = createLogQuota(800)
  expect(quota.room(EV_1)).toBe(100)
  quota.add({ ...EV_1, bytes: 60 })
  expect([quota.room(EV_1), quota.room(EV_2)]).toEqual([40, 100])
  for (let at = 3; at < 12; at++) quota.add({ accountId: 'A', chargePointId: `EV-${at}`, bytes: 80 })
  expect([quota.room(EV_2), quota.room({ accountId: 'B', chargePointId: 'EV-B' })]).toEqual([20, 100])
  quota.add({ ...EV_2, bytes: 500 })
  expect(quota.room(EV_2)).toBe(0)
})

it.each<[string, readonly CountedLog[], readonly number[]]>([
  ['nothing goes that fits', [log(1, 40), log(2, 40)], []],
  ['the oldest of a charge point go', [log(3, 40), log(1, 40), log(2, 40)], [1]],
  ['another charge point’s stay', [log(1, 80, { chargePointId: 'EV-2' }), log(2, 80), log(3, 80)], [2]],
  ['the oldest of one go', Array.from({ length: 10 }, (_, at) => log(at, 80, { chargePointId: `EV-${at}` })), [0]],
  ['one that is too large alone goes', [log(1, 900)], [1]],
])('%s', (_, logs, gone) => {
  const quota = createLogQuota(800)
  expect(quota.count(logs).map(({ requestId }) => requestId)).toEqual(gone)
  expect(quota.count(logs.filter(({ requestId }) => !gone.includes(requestId)))).toEqual([])
})

it('without a limit everything fits', () => {
  const quota = createLogQuota(0)
  expect(quota.count([log(1, 1e15)])).toEqual([])
  expect(quota.room(EV_1)).toBe(Number.POSITIVE_INFINITY)
})
