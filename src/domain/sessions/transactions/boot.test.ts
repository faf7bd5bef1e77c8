import { describe, expect, it } from 'vitest'
import { Driver, event, MINUTE, started, stopped, ZERO } from '../testing.ts'

describe('BootNotification', () => {
  it('keeps what the station says of itself and answers its registration', () => {
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
    const driver = new Driver({ registrationStatus, idTokens: [{}] })
    driver.send(started(0))
    const { outcome, requests } = driver.sendAt(1, { kind: 'booted', vendor: 'Acme' })
    expect(outcome).toEqual({ registration: registrationStatus })
    expect(driver.status).toEqual({ vendor: 'Acme' })
    expect(requests).toBeUndefined()
    expect(driver.session().flags).not.toContain('suspect')
  })

  it('SESSION-A15, OCPP-DR10: open transactions become suspect and are asked about; nothing is closed, registration and sessions stay', () => {
    const driver = new Driver({ idTokens: [{}] })
    driver.send(started(0))
    driver.send(event(0, 0, 'started', { evseId: 2, activity: 'charging' }))
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

  it('SESSION-A15: the stop that waited in the queue ends the session as any other', () => {
    const driver = new Driver({ idTokens: [{}] })
    driver.send(started(0))
    driver.sendAt(5, { kind: 'booted' })
    driver.sendAt(6, stopped(4, { transactionId: '100', registerMilliWh: 2_000, reason: 'PowerLoss' }))
    expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'normal', stoppedAt: ZERO + 4 * MINUTE })
    expect(driver.session().flags).not.toContain('suspect')
  })
})
