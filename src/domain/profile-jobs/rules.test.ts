import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { Driver, MINUTE } from '../../../test/support/sessions/driver.ts'
import { CERTIFICATES } from '../../../test/support/sockets/tls.ts'
import type { CertificateFacts } from '../certificates/records.ts'
import { fingerprintOf } from '../x509/pem.ts'
import type { ProfileStep } from './records.ts'

const HOUR = 60 * MINUTE
const STEPS: readonly ProfileStep[] = ['setNetworkProfile', 'setPriority', 'reset', 'seen']

const desired = (securityProfile: 2 | 3, id = 'j1') =>
  ({ kind: 'profileRequested', id, securityProfile, steps: STEPS, present: 1 }) as const
const job = ({ records }: Driver) => records.all('security_profile_jobs')[0]
const intent = ({ records }: Driver) => records.all('intents')[0]

function running(): Driver {
  const driver = new Driver()
  expect(driver.send(desired(2)).outcome).toEqual({})
  return driver
}

/** Everything until it is waited for. */
function reset(driver: Driver, isScheduled?: true): void {
  for (const [index, step] of STEPS.slice(0, -1).entries()) {
    const next = STEPS[index + 1] ?? 'seen'
    driver.send({ kind: 'profileStepDone', id: 'j1', step, next, ...(next === 'seen' && { isScheduled }) })
  }
}

function later(driver: Driver, ms: number): void {
  driver.now += ms
  driver.send({ kind: 'profileJobsDue' })
}

const facts = (fingerprint: string, notAfter: number): CertificateFacts => ({
  fingerprint,
  serialNumber: '1',
  subject: 'CN=SN1',
  issuer: 'CN=CA',
  pem: 'PEM',
  notBefore: 0,
  notAfter,
})
const refused = { refused: 'certificate_required' }

it('CERT-C31: profile 3: is refused without a certificate, with one that is over, was revoked or replaced', () => {
  const driver = new Driver()
  expect(driver.send(desired(3)).outcome).toEqual(refused)
  driver.send({ kind: 'certificateShown', certificate: facts('over', driver.now) })
  expect(driver.send(desired(3)).outcome).toEqual(refused)
  driver.send({ kind: 'certificateShown', certificate: facts('f', driver.now + HOUR) })
  driver.send({ kind: 'certificateRevoked', fingerprint: 'f' })
  expect(driver.send(desired(3)).outcome).toEqual(refused)
  expect(job(driver)).toBeUndefined()
  driver.send({ kind: 'certificateShown', certificate: facts('g', driver.now + HOUR) })
  expect(driver.send(desired(3)).outcome).toEqual({})
})

it('CERT-C31: profile 3: is refused with one that the charge point did not take', () => {
  const driver = new Driver()
  driver.send({ kind: 'certificateRequested', csr: 'CSR', digest: 'd', keyKind: 'EC', commonName: 'SN1' })
  const id = driver.records.all('certificate_requests')[0]?.id ?? ''
  const chain = CERTIFICATES.first.cert
  const certificate = facts(fingerprintOf(new X509Certificate(chain)), driver.now + HOUR)
  driver.send({ kind: 'certificateMade', id, chain, certificate })
  const before = driver.send(desired(3)).outcome
  driver.send({ kind: 'profileCancelled', id: 'j1' })
  driver.send({ kind: 'certificateNotTaken', id, reason: 'Rejected' })
  expect([before, driver.send(desired(3, 'j2')).outcome]).toEqual([{}, refused])
})

it('CERT-C25: a job: goes on where a call was lost, and ends where it is lost again and again', () => {
  const driver = running()
  const lost = {
    kind: 'profileStepLost',
    id: 'j1',
    step: 'setNetworkProfile',
    reason: 'the connection ended',
  } as const
  driver.send(lost)
  driver.send(lost)
  expect(job(driver)).toMatchObject({ state: 'running', step: 'setNetworkProfile' })
  driver.send({ kind: 'profileStepDone', id: 'j1', step: 'setNetworkProfile', next: 'setPriority' })
  // Of a step that is behind it.
  driver.send(lost)
  for (let n = 0; n < 2; n++) driver.send({ ...lost, step: 'setPriority' })
  expect(job(driver)).toMatchObject({ state: 'running', step: 'setPriority' })
  driver.send({ ...lost, step: 'setPriority' })
  expect(job(driver)).toMatchObject({ state: 'failed', reason: 'the connection ended, 3 times' })
})

it('CERT-C25: a job: ends after an hour where its charge point accepted the reset and does nothing', () => {
  const driver = running()
  driver.send({ kind: 'connected', id: 1, protocol: 'ocpp2.0.1' })
  reset(driver)
  later(driver, HOUR - 1)
  expect(job(driver)).toMatchObject({ state: 'running' })
  later(driver, 1)
  expect(job(driver)).toMatchObject({ state: 'failed', step: 'seen', reason: expect.stringContaining('an hour') })
  expect(intent(driver)).toMatchObject({ state: 'conflict' })
})

it('CERT-C25: a job: waits its day for one that said that it resets later, and for one that is away', () => {
  const [scheduled, away] = [running(), running()]
  scheduled.send({ kind: 'connected', id: 1, protocol: 'ocpp2.0.1' })
  reset(scheduled, true)
  reset(away)
  for (const driver of [scheduled, away]) {
    for (let n = 1; n < 24; n++) later(driver, HOUR)
    expect(job(driver)).toMatchObject({ state: 'running' })
    later(driver, HOUR)
    expect(job(driver)).toMatchObject({ state: 'failed', reason: 'it took longer than a day' })
  }
})

it('CERT-C25: a job: that began while our clock was ahead kept others out until then: its day begins when the clock is put right', () => {
  const driver = new Driver()
  const ahead = 3 * 365 * 24 * HOUR
  driver.now += ahead
  driver.send(desired(2))
  later(driver, -ahead)
  expect(job(driver)).toMatchObject({ state: 'running', dueAt: driver.now + 24 * HOUR })
  later(driver, 24 * HOUR)
  expect(job(driver)).toMatchObject({ state: 'failed', reason: expect.stringContaining('longer than a day') })
})

it('CERT-C25: a job: is cancelled once, while it runs, and another may follow', () => {
  const driver = running()
  expect(driver.send({ kind: 'profileCancelled', id: 'none' }).outcome).toEqual({ refused: 'not_found' })
  expect(driver.send({ kind: 'profileCancelled', id: 'j1' }).outcome).toEqual({})
  expect(job(driver)).toMatchObject({ state: 'cancelled', step: 'setNetworkProfile' })
  expect(job(driver)?.dueAt).toBeUndefined()
  expect(intent(driver)).toMatchObject({ state: 'expired', reason: 'setNetworkProfile: cancelled' })
  expect(driver.send({ kind: 'profileCancelled', id: 'j1' }).outcome).toEqual({ refused: 'job_over' })
  driver.send({ kind: 'profileStepDone', id: 'j1', step: 'setNetworkProfile', next: 'setPriority' })
  expect(job(driver)).toMatchObject({ state: 'cancelled', step: 'setNetworkProfile' })
  expect(driver.send(desired(2, 'j2')).outcome).toEqual({})
})

it.each([
  ['3 to 2, which it allows', 3, 2, true, {}],
  ['3 to 2, which it does not allow', 3, 2, false, { refused: 'profile_not_higher' }],
  ['2 to 2', 2, 2, true, { refused: 'profile_not_higher' }],
] as const)('OCPP21-B10: from %s', (_, present, securityProfile, mayLower, expected) => {
  const order = { ...desired(securityProfile), present, mayLower }
  expect(new Driver().send(order).outcome).toEqual(expected)
})

it('OCPP21-B10: one that goes back to 2 is done when it comes with its password, and not with its certificate', () => {
  const driver = new Driver()
  driver.send({ ...desired(2), present: 3, mayLower: true })
  driver.send({ kind: 'profileSeen', securityProfile: 3 })
  expect(job(driver)).toMatchObject({ state: 'running', step: 'setNetworkProfile' })
  reset(driver)
  driver.send({ kind: 'profileSeen', securityProfile: 3 })
  expect(job(driver)).toMatchObject({ state: 'running', step: 'seen' })
  driver.send({ kind: 'profileSeen', securityProfile: 2 })
  expect(job(driver)).toMatchObject({ state: 'done', securityProfile: 2 })
})
