import { expect, it } from 'vitest'
import { readOcmf } from '../../src/domain/signed-values/ocmf/read-ocmf.ts'
import type { LocalTransaction, Moment } from './facts.ts'
import { createSigningMeter } from './signing-meter.ts'

it('SIM-N6: a register of 1500 Wh was signed as 1.5 kWh, two digits short of what the meter reads', () => {
  const transaction = { startedAt: 0, meterStartWh: 1500, idToken: { id: 'C' } } as LocalTransaction
  const moment = { at: 3600_000, reading: { registerWh: 2000.7 } } as Moment
  const { record } = createSigningMeter('S1').sign(transaction, moment, 'end', { publicKeyWithReadings: 'Never' })
  expect(readOcmf(record)?.readings).toMatchObject([
    { value: 1500, unit: 'Wh', reason: 'B' },
    { value: 2000, unit: 'Wh', reason: 'E' },
  ])
})
