/** SESSION-T4: whatever its clock does, the newest status of a charge point is the last one that happened. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { Driver, MINUTE, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, started, status } from '../../../../test/support/sessions/inputs.ts'
import type { Activity, SessionState, StationTime } from '../../ports/sessions.ts'

/** What the station writes into its messages, until it writes something else. */
const clock = fc.oneof(
  fc.constantFrom<'none' | 'replaced'>('none', 'replaced'),
  // Milliseconds ahead: right, a little late, set back by seconds, an hour or a day, an hour ahead.
  fc.constantFrom(0, -2000, -5000, -3_600_000, -86_400_000, 3_600_000),
)

function said(mode: 'none' | 'replaced' | number, receivedAt: number): StationTime {
  if (mode === 'none') return { occurredAt: receivedAt, receivedAt }
  if (mode === 'replaced') return { occurredAt: receivedAt, receivedAt, original: '1970', repaired: true }
  return { occurredAt: receivedAt + mode, receivedAt, original: 'said' }
}

const pause = fc.integer({ min: 50, max: 10 * MINUTE })
const isStated = { charging: 'charging', suspendedEv: 'suspended', suspendedEvse: 'suspended' } as const

it('SESSION-T4: 1.6: any statuses with clocks that are replaced or set back end in the last one', () => {
  const names = ['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Faulted', 'Reserved'] as const
  const step = fc.record({ name: fc.constantFrom(...names), mode: clock, pause })
  forAll(clock, fc.array(step, { minLength: 1, maxLength: 12 }), (startMode, steps) => {
    const driver = new Driver({ idTokens: [{}] }, { kind: 'connected', id: 1, protocol: 'ocpp1.6' })
    driver.send({ ...started(0), at: said(startMode, ZERO) })
    let expected: SessionState = 'charging'
    for (const { name, mode, pause: ms } of steps) {
      driver.now += ms
      const report = { ...status(0, name), at: said(mode, driver.now) }
      driver.send(report)
      expected = isStated[report.activity as keyof typeof isStated] ?? expected
      expect(driver.connectors.get('/1')?.status).toBe(name)
      expect(driver.session().state).toBe(expected)
    }
  })
})

it('SESSION-T4: 2.0.1: any charging states and statuses with such clocks end in the last ones', () => {
  const activity = fc.constantFrom<Activity>('charging', 'suspendedEv', 'suspendedEvse')
  const name = fc.constantFrom('Occupied', 'Faulted', 'Available', 'Unavailable')
  const step = fc.record({ activity, name, mode: clock, pause })
  forAll(clock, fc.array(step, { minLength: 1, maxLength: 12 }), (startMode, steps) => {
    const driver = new Driver({ idTokens: [{}] })
    const place = { evseId: 1, connectorId: 1, idToken: CARD }
    driver.send({ ...event(0, 0, 'started', { ...place, activity: 'charging' }), at: said(startMode, ZERO) })
    for (const [index, { activity: now, name: word, mode, pause: ms }] of steps.entries()) {
      driver.now += ms
      const at = said(mode, driver.now)
      driver.send({ ...event(index + 1, index, 'updated', { activity: now }), at })
      driver.send({ ...status(0, word, 1, 1), at })
      expect(driver.session().state).toBe(isStated[now as keyof typeof isStated])
      expect(driver.connectors.get('1/1')?.status).toBe(word)
    }
  })
})
