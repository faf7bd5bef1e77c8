import { expect, it } from 'vitest'
import { Driver } from '../../../test/support/sessions/driver.ts'
import type { CertificateFacts } from './records.ts'

const desired = (digest: string, type?: 'V2GCertificate') =>
  ({
    kind: 'certificateRequested',
    csr: `csr ${digest}`,
    digest,
    keyKind: 'EC',
    commonName: 'SN1',
    ...(type && { type }),
  }) as const

const facts = (fingerprint: string, notBefore = 0): CertificateFacts => ({
  fingerprint,
  serialNumber: `serial ${fingerprint}`,
  subject: 'CN=SN1',
  issuer: 'CN=CA',
  pem: 'PEM',
  notBefore,
  notAfter: notBefore + 1000,
})

const requests = ({ records }: Driver) => records.all('certificate_requests')
const states = ({ records }: Driver) =>
  Object.fromEntries(records.all('station_certificates').map(({ fingerprint, state }) => [fingerprint, state]))

it('CERT-C1, CERT-C6: a request: is kept with the name that its certificate will have: the serial number of the last boot', () => {
  const driver = new Driver({}, { kind: 'booted', serialNumber: 'SN1' })
  const { outcome } = driver.send({ ...desired('a'), commonName: 'CP-SN1' })
  expect(outcome).toEqual({ signing: { isAccepted: true } })
  expect(requests(driver)).toMatchObject([{ commonName: 'SN1', state: 'pending', work: 'sign' }])
})

it('CERT-C13: a request: that names another serial number is refused', () => {
  const driver = new Driver({}, { kind: 'booted', serialNumber: 'SN2' })
  expect(driver.send(desired('a')).outcome.signing).toMatchObject({ isAccepted: false })
  expect(requests(driver)).toEqual([])
})

it('CERT-C2: a request: comes again: while it is pending nothing happens, signed it is sent again, failed it stays failed', () => {
  const driver = new Driver({}, desired('a'), desired('a'))
  const [request] = requests(driver)
  const id = request?.id ?? ''
  expect(requests(driver)).toHaveLength(1)
  driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts('f') })
  driver.send({ kind: 'certificateQueued', id })
  expect(requests(driver)).toMatchObject([{ state: 'signed', work: 'none' }])
  expect(driver.send(desired('a')).outcome).toEqual({ signing: { isAccepted: true } })
  expect(requests(driver)).toMatchObject([{ state: 'signed', work: 'send', chain: 'CHAIN' }])
  expect(driver.send({ kind: 'certificateMade', id, chain: 'OTHER', certificate: facts('g') }).outcome).toEqual({
    refused: 'request_not_pending',
  })
  driver.send(desired('b'))
  const other = requests(driver).find(({ state }) => state === 'pending')?.id ?? ''
  driver.send({ kind: 'certificateNotMade', id: other, state: 'failed', reason: 'broken' })
  expect(driver.send(desired('b')).outcome).toEqual({ signing: { isAccepted: false, reason: 'broken' } })
})

it('OCPP21-B9: the number that the station gave its newest request is kept for its certificate', () => {
  const driver = new Driver({}, { ...desired('a'), stationRequestId: 7 })
  expect(requests(driver)).toMatchObject([{ stationRequestId: 7 }])
  driver.send({ ...desired('a'), stationRequestId: 8 })
  expect(requests(driver)).toMatchObject([{ stationRequestId: 8, state: 'pending' }])
})

it('CERT-C2: a request: the eleventh of a day is refused, and few are kept', () => {
  const driver = new Driver()
  for (let day = 0; day < 4; day++) {
    for (let n = 0; n < 11; n++) {
      const { signing } = driver.send(desired(`${day}-${n}`)).outcome
      expect(signing?.isAccepted).toBe(n < 10)
    }
    driver.now += 24 * 3600_000
  }
  expect(requests(driver).length).toBeLessThanOrEqual(20)
})

it('CERT-C2: a request: ten requests while our clock was ahead left none for the days until then', () => {
  const driver = new Driver()
  const ahead = 3 * 365 * 86_400_000
  driver.now += ahead
  for (let n = 0; n < 10; n++) driver.send(desired(`ahead-${n}`))
  driver.now -= ahead
  expect(driver.send(desired('now')).outcome).toEqual({ signing: { isAccepted: true } })
})

it('CERT-C3: a request: one for a vehicle leads to no certificate with which the charge point could log in', () => {
  const driver = new Driver({}, desired('a', 'V2GCertificate'))
  const id = requests(driver)[0]?.id ?? ''
  driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts('f') })
  expect([requests(driver)[0]?.type, states(driver)]).toEqual(['V2GCertificate', {}])
})

const byDigest = (driver: Driver) =>
  Object.fromEntries(requests(driver).map(({ csr, state, work, reason }) => [csr, [state, work, reason]]))
const made = (driver: Driver, id: string) =>
  driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts('f') }).outcome
const replaced = ['rejected', 'none', 'a newer request replaced it']

it('CERT-C29: requests of one charge point: the newer one replaces one that nobody has signed, which is not signed any more', () => {
  const driver = new Driver({}, desired('a'))
  const [{ id } = { id: '' }] = requests(driver)
  driver.send({ kind: 'certificateAwaited', id })
  driver.send(desired('b'))
  expect(byDigest(driver)).toEqual({ 'csr a': replaced, 'csr b': ['pending', 'sign', undefined] })
  expect(made(driver, id)).toEqual({ refused: 'request_not_pending' })
  expect(driver.send(desired('a')).outcome.signing).toEqual({ isAccepted: false, reason: replaced[2] })
  expect(requests(driver).every(({ failedAt }) => failedAt === undefined)).toBe(true)
})

it('CERT-C29: requests of one charge point: and one that was signed and not sent; what was sent, and what is for vehicles, stays', () => {
  const driver = new Driver({}, desired('a'))
  made(driver, requests(driver)[0]?.id ?? '')
  driver.send(desired('v', 'V2GCertificate'))
  expect(byDigest(driver)['csr a']).toEqual(['signed', 'send', undefined])
  driver.send(desired('b'))
  const id = requests(driver).find(({ csr }) => csr === 'csr b')?.id ?? ''
  made(driver, id)
  driver.send({ kind: 'certificateQueued', id })
  driver.send(desired('c'))
  expect(byDigest(driver)).toEqual({
    'csr a': replaced,
    'csr v': ['pending', 'sign', undefined],
    'csr b': ['signed', 'none', undefined],
    'csr c': ['pending', 'sign', undefined],
  })
})

it('CERT-C30: requests of one charge point: one whose certificate the charge point did not take has failed, with what it said', () => {
  const driver = new Driver({}, desired('a'))
  const id = requests(driver)[0]?.id ?? ''
  made(driver, id)
  driver.send({ kind: 'certificateNotTaken', id, reason: 'Rejected' })
  expect(requests(driver)).toMatchObject([{ state: 'failed', reason: 'Rejected', failedAt: driver.now }])
  expect(driver.send(desired('a')).outcome.signing).toMatchObject({ isAccepted: false })
  expect(driver.send({ kind: 'certificateNotTaken', id: 'none', reason: 'x' }).changes.records).toBeUndefined()
})

const failedAt = (driver: Driver) => requests(driver).map((request) => request.failedAt)
const asked = (driver: Driver, digest: string) => {
  driver.send(desired(digest))
  return requests(driver).find(({ state }) => state === 'pending')?.id ?? ''
}

it.each(['failed', 'rejected'] as const)('CERT-C27: that it was %s is remembered until one was made', (state) => {
  const driver = new Driver()
  driver.send({ kind: 'certificateNotMade', id: asked(driver, 'a'), state, reason: 'broken' })
  expect(failedAt(driver)).toEqual([driver.now])
  const id = asked(driver, 'b')
  expect(failedAt(driver)).toContain(driver.now)
  driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts('f') })
  expect(failedAt(driver)).toEqual([undefined, undefined])
  expect(requests(driver).map((request) => request.state)).toEqual([state, 'signed'])
})

it('CERT-C27: is no failure where an operator refused it, and none any more once one takes care', () => {
  const driver = new Driver()
  const refusal = { kind: 'certificateNotMade', state: 'rejected', reason: 'no' } as const
  driver.send({ ...refusal, id: asked(driver, 'a'), isOrdered: true })
  expect(failedAt(driver)).toEqual([undefined])
  driver.send({ ...refusal, id: asked(driver, 'b') })
  driver.send({ kind: 'certificateFailureNoticed' })
  expect(failedAt(driver)).toEqual([undefined, undefined])
  expect(driver.send(desired('b')).outcome.signing).toMatchObject({ isAccepted: false })
})

it('CERT-C19: a certificate: the older ones end with the first login of a newer one, and one that was revoked stays so', () => {
  const driver = new Driver()
  for (const [fingerprint, notBefore] of [
    ['old', 1],
    ['new', 2],
    ['next', 3],
  ] as const) {
    driver.send({ kind: 'certificateShown', certificate: facts('old', 1) })
    driver.send(desired(fingerprint))
    const id = requests(driver).at(-1)?.id ?? ''
    driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts(fingerprint, notBefore) })
  }
  driver.send({ kind: 'certificateRevoked', fingerprint: 'old' })
  driver.send({ kind: 'certificateShown', certificate: facts('new', 2) })
  expect(states(driver)).toEqual({ old: 'revoked', new: 'inUse', next: 'issued' })
  driver.send({ kind: 'certificateShown', certificate: facts('next', 3) })
  expect(states(driver)).toEqual({ old: 'revoked', new: 'replaced', next: 'inUse' })
  expect(driver.send({ kind: 'certificateShown', certificate: facts('next', 3) }).changes.records).toBeUndefined()
  expect(driver.send({ kind: 'certificateRevoked', fingerprint: 'none' }).outcome).toEqual({ refused: 'not_found' })
})

it.each([0, 1])('CERT-C19: of two of one second, made %i ms apart, neither replaced the other', (apartMs) => {
  const driver = new Driver()
  for (const [fingerprint, shows] of [
    ['first', true],
    ['second', false],
  ] as const) {
    driver.send(desired(fingerprint))
    const id = requests(driver).find(({ state }) => state === 'pending')?.id ?? ''
    driver.send({ kind: 'certificateMade', id, chain: 'CHAIN', certificate: facts(fingerprint) })
    if (shows) driver.send({ kind: 'certificateShown', certificate: facts(fingerprint) })
    driver.now += apartMs
  }
  // With the older one it comes back once more.
  driver.send({ kind: 'certificateShown', certificate: facts('first') })
  expect(states(driver)).toEqual({ first: 'inUse', second: 'issued' })
  driver.send({ kind: 'certificateShown', certificate: facts('second') })
  expect(states(driver)).toEqual({ first: 'replaced', second: 'inUse' })
})

it('CERT-C19: a certificate: those of a charge point that is removed are revoked, the former ones as well, each once', () => {
  const driver = new Driver({}, { kind: 'certificateShown', certificate: facts('former', 1) })
  driver.send({ kind: 'certificateShown', certificate: facts('lost', 2) })
  driver.send({ kind: 'certificateShown', certificate: facts('present', 3) })
  driver.send({ kind: 'certificateRevoked', fingerprint: 'lost' })
  const { changes } = driver.send({ kind: 'certificatesRevoked' })
  expect(states(driver)).toEqual({ former: 'revoked', lost: 'revoked', present: 'revoked' })
  const listed = (changes.records ?? []).flatMap((change) =>
    change.kind === 'revoked_certificates' && 'put' in change ? [change.put.fingerprint] : [],
  )
  expect(listed).toEqual(['former', 'present'])
  expect(driver.send({ kind: 'certificatesRevoked' }).changes.records).toBeUndefined()
})

it('CERT-C17: a certificate: a refused login is told', () => {
  const { changes } = new Driver().send({ kind: 'certificateRefused', id: 7, reason: 'it was revoked' })
  const details = { type: 'InvalidChargingStationCertificate', detail: 'it was revoked' }
  expect(changes.records).toMatchObject([{ put: { kind: 'security', id: 7, details } }, {}])
  expect(changes.events).toMatchObject([{ type: 'security.event', data: { techInfo: 'it was revoked' } }])
})

it('CERT-C23: a certificate: what is reported of one type takes the place of what was reported of it before', () => {
  const driver = new Driver()
  const hash = (serialNumber: string) => ({
    hashAlgorithm: 'SHA384',
    issuerNameHash: 'n',
    issuerKeyHash: 'k',
    serialNumber,
  })
  const report = (types: readonly string[] | undefined, certificates: readonly (readonly [string, string])[]) =>
    driver.send({
      kind: 'certificatesReported',
      types,
      certificates: certificates.map(([type, serialNumber]) => ({ type, hash: hash(serialNumber) })),
    })
  const known = () =>
    driver.records.all('installed_certificates').map(({ type, hash: { serialNumber } }) => `${type} ${serialNumber}`)
  report(undefined, [
    ['A', '1'],
    ['B', '2'],
  ])
  report(['A'], [['A', '3']])
  expect(known().sort()).toEqual(['A 3', 'B 2'])
  const [first] = driver.records.all('installed_certificates')
  driver.send({ kind: 'certificateInstalled', id: first?.id ?? '', grantId: 'g' })
  report(undefined, [
    ['A', '3'],
    ['B', '2'],
  ])
  // OIDC-C14: who installed it stays known, and nothing is made of one that is not there.
  driver.send({ kind: 'certificateInstalled', id: 'unknown', grantId: 'g' })
  expect(driver.records.all('installed_certificates').map(({ grantId }) => grantId)).toEqual(['g', undefined])
  report(undefined, [])
  expect(known()).toEqual([])
})
