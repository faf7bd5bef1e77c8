import { expect, it } from 'vitest'
import { Driver, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, stopped } from '../../../../test/support/sessions/inputs.ts'

it('BootNotification: keeps what the station says of itself and answers its registration', () => {
  const driver = new Driver()
  driver.status = { relativeMeter: true, serialNumber: 'S1' }
  const { outcome } = driver.send({ kind: 'booted', vendor: 'Acme', model: 'One', firmwareVersion: '1.2' })
  expect(outcome).toEqual({ registration: 'Accepted' })
  expect(driver.status).toEqual({
    relativeMeter: true,
    serialNumber: 'S1',
    vendor: 'Acme',
    model: 'One',
    firmwareVersion: '1.2',
    bootedAt: ZERO,
  })
})

it.each(['Pending', 'Rejected'] as const)('OCPP-DR9: a %s station is noted, not accepted', (registrationStatus) => {
  const driver = new Driver({ registrationStatus, idTokens: [{}] }, started(0))
  const { outcome, requests } = driver.sendAt(1, { kind: 'booted', vendor: 'Acme' })
  expect(outcome).toEqual({ registration: registrationStatus })
  expect(driver.status).toEqual({ vendor: 'Acme' })
  expect(requests).toBeUndefined()
  expect(driver.session().flags).not.toContain('suspect')
})

it('SESSION-A15, OCPP-DR10: BootNotification: open transactions become suspect and are asked about; nothing is closed, registration and sessions stay', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0), event(0, 0, 'started', { evseId: 2, activity: 'charging' }))
  const { requests } = driver.sendAt(5, { kind: 'booted' })
  expect(requests).toEqual([
    { kind: 'triggerStatus', connectorId: 1 },
    { kind: 'transactionStatus', transactionId: 'T1' },
  ])
  expect(driver.sessions.map(({ state, flags }) => [state, flags.includes('suspect')])).toEqual([
    ['charging', true],
    ['charging', true],
  ])
})

const BOOT = { kind: 'booted' } as const
const samples = (minutes: number, wh: number, context?: string) => ({ samples: [register(minutes, wh, context)] })

it('ENERGY-N4: a register that began again after one sample alone billed 20.0 for 50.1 kWh', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(event(0, 0, 'started', { evseId: 1, ...samples(0, 100, 'Transaction.Begin') }))
  driver.sendAt(60, event(1, 60, 'updated', samples(60, 30_100)))
  driver.sendAt(65, BOOT)
  driver.sendAt(70, event(2, 70, 'updated', samples(70, 500)))
  expect(driver.session().energyMilliWh).toBe(30_500_000)
  driver.sendAt(120, event(3, 120, 'ended', samples(120, 20_100, 'Transaction.End')))
  expect(driver.session().energyMilliWh).toBe(50_100_000)
})

it.each<[string, readonly number[], number, number]>([
  ['with a sample after it', [500], 20_100, 50.1],
  ['with none', [], 20_100, 50.1],
  ['that the register outlived', [30_600], 40_100, 40],
])('ENERGY-N4: 1.6, %s', (_, after, stopWh, expected) => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: 100_000 }))
  driver.sendAt(60, sampled('100', [register(60, 30_100)]))
  driver.sendAt(65, BOOT)
  for (const wh of after) driver.sendAt(70, sampled('100', [register(70, wh)]))
  driver.sendAt(120, stopped(120, { transactionId: '100', registerMilliWh: stopWh * 1000 }))
  expect(driver.session().energyMilliWh / 1_000_000).toBe(expected)
})

it.each([-120, -10, -3, 10, 600])('ENERGY-N4: a clock that was off by %i minutes hid the restart', (off) => {
  const driver = new Driver({ idTokens: [{}] }, started(off, { registerMilliWh: 100_000 }))
  driver.sendAt(60, sampled('100', [register(60 + off, 30_100)]))
  driver.sendAt(65, BOOT)
  driver.sendAt(70, sampled('100', [register(70 + off, 500)]))
  driver.sendAt(120, stopped(120 + off, { transactionId: '100', registerMilliWh: 20_100_000 }))
  expect(driver.session().energyMilliWh).toBe(50_100_000)
})

it('ENERGY-N4: a boot long before or after a stray value proves nothing', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: 0 }))
  driver.sendAt(1, BOOT)
  for (const [minutes, wh] of [
    [10, 20_000],
    [20, 500],
  ] as const) {
    driver.sendAt(minutes, sampled('100', [register(minutes, wh)]))
  }
  driver.sendAt(30, stopped(30, { transactionId: '100', registerMilliWh: 5_000_000 }))
  expect(driver.session().energyMilliWh).toBe(5_000_000)
})
