import { expect, it } from 'vitest'
import { capsOf, representLimit } from './limits.ts'

it.each([
  ['pending', 16],
  ['accepted', 16],
  ['refused', undefined],
  ['expired', undefined],
] as const)(
  'CHARGING-S3: a limit that the station refused still told what a car may draw: %s',
  (state, effectiveAmps) => {
    const asked = { evseId: 1, amps: 16 }
    const demand = {
      chargePointId: 'CP1',
      owner: 'limit:a',
      evseId: 1,
      caps: capsOf(asked),
      asked,
      revision: 1,
      state,
      createdAt: 1,
      updatedAt: 1,
    }
    const shown = representLimit(demand, { station: undefined, profiles: [], connectors: [], voltage: 230, now: 1000 })
    expect(shown.effectiveAmps).toBe(effectiveAmps)
  },
)
