import { expect, it } from 'vitest'
import { Driver, type DriverOptions, TARIFF } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register } from '../../../../test/support/sessions/inputs.ts'
import { representSession } from '../figures/representation.ts'

const PLACE = { evseId: 1, connectorId: 1 }

// SESSION-S8: a charge that nobody authorised
const plugged = (idTokens: DriverOptions['idTokens'] = []): Driver => {
  const driver = new Driver({ tariff: TARIFF, idTokens })
  driver.send(event(0, 0, 'started', { ...PLACE, activity: 'connected', samples: [register(0, 1_000)] }))
  return driver
}

it('is failed and costs nothing when it took nothing', () => {
  const driver = plugged()
  const { outcome } = driver.sendAt(30, event(1, 30, 'ended', { stoppedReason: 'EVDisconnected' }))
  expect(outcome.totalCost).toBe(0)
  expect(driver.session()).toMatchObject({ state: 'failed', endReason: 'rejected', cost: undefined })
})

it.each([
  ['no token', undefined],
  ['a token that is refused', { id: 'NOBODY', type: 'ISO14443' }],
])('costs its energy and no fees when it took some: %s', (_, idToken) => {
  const driver = plugged()
  driver.sendAt(10, event(1, 10, 'updated', { idToken, activity: 'charging', samples: [register(10, 2_000)] }))
  expect(representSession(driver.session())).toMatchObject({ state: 'charging', energyKwh: 1, cost: 0.5 })
  driver.sendAt(30, event(2, 30, 'ended', { samples: [register(30, 3_000)] }))
  expect(representSession(driver.session())).toMatchObject({ state: 'completed', energyKwh: 2, cost: 1 })
  expect(driver.session().endReason).toBe('deauthorized')
})

it('costs its fees as soon as somebody is accepted for it', () => {
  const driver = plugged([{}])
  driver.sendAt(10, event(1, 10, 'updated', { activity: 'charging', samples: [register(10, 2_000)] }))
  driver.sendAt(20, event(2, 20, 'updated', { trigger: 'Authorized', idToken: CARD }))
  driver.sendAt(40, event(3, 40, 'ended', { samples: [register(40, 3_000)] }))
  // 1.00 per session + 2 kWh at 0.50 + 30 minutes at 0.01
  expect(representSession(driver.session())).toMatchObject({ state: 'completed', cost: 2.3 })
})

it('is not taken for one while messages of it are missing, and is judged when they are there', () => {
  const driver = plugged()
  driver.sendAt(30, event(2, 30, 'ended'))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'normal' })
  driver.sendAt(31, event(1, 10, 'updated'))
  expect(representSession(driver.session())).toMatchObject({ state: 'completed', energyKwh: 0, cost: 0 })
})

it('is failed when the orphan rule closes it before it took anything', () => {
  const driver = plugged()
  driver.sendAt(10, event(0, 10, 'started', { ...PLACE, transactionId: 'T2', activity: 'connected' }))
  expect(driver.session(0)).toMatchObject({ state: 'failed', endReason: 'rejected', cost: undefined })
})
