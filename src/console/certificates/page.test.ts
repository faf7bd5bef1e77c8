import { beforeEach, expect, it } from 'vitest'
import { command } from '../../../test/support/api/testing.ts'
import { keepRecords, operatorsOfTest } from '../../../test/support/console/testing.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from '../../../test/support/domain/x509/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import type { CertificateRequest, InstalledCertificate, StationCertificate } from '../../domain/certificates/records.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { SendCommandOrder } from '../../domain/ports/core.ts'
import { addCertificatePages } from './page.tsx'
import { addStationCertificatePages } from './station-pages.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const STATION = '/dashboard/charge-points/CP1/certificates'
const orders: BlockOrder[] = []
const sent: SendCommandOrder[] = []
let answered: object = { status: 'Accepted' }

const request = (id: string, csr: string, change: Partial<CertificateRequest> = {}): CertificateRequest => ({
  chargePointId: 'CP1',
  id,
  accountId: 'A',
  csr,
  keyKind: 'EC',
  commonName: HOSTILE,
  state: 'pending',
  work: 'none',
  createdAt: 1,
  ...change,
})
const own = (fingerprint: string, state: StationCertificate['state']): StationCertificate => ({
  chargePointId: 'CP1',
  fingerprint,
  serialNumber: '01',
  subject: HOSTILE,
  issuer: 'Ours',
  certificate: 'PEM',
  notBefore: 1,
  notAfter: 2,
  state,
  createdAt: 1,
})
const root = (id: string, type: string): InstalledCertificate => ({
  chargePointId: 'CP1',
  id,
  type,
  reportedAt: 1,
  hash: { hashAlgorithm: 'SHA256', issuerNameHash: 'a', issuerKeyHash: 'b', serialNumber: HOSTILE },
})

const { place, otto, bob } = await operatorsOfTest(
  {
    decideBlock: async (order) => {
      orders.push(order)
      return {}
    },
    sendCommand: async (order) => {
      sent.push(order)
      return command(1, { method: order.method, response: JSON.stringify(answered) })
    },
  },
  { extraPages: [addCertificatePages, addStationCertificatePages] },
)
const [authority, keys] = await Promise.all([testAuthority(), testKeys()])
const subject = { commonName: 'CP1', now: place.now() }
const right = await testCertificate(authority, keys, subject)
const wrong = await testCertificate(authority, await testKeys(), subject)
const csr = await testCsr(keys, 'CP1')
await keepRecords(place, 'CP1', [
  { kind: 'certificate_requests', put: request('r1', csr) },
  { kind: 'certificate_requests', put: request('r2', csr, { state: 'failed', reason: HOSTILE }) },
  { kind: 'station_certificates', put: own('f1', 'inUse') },
  { kind: 'station_certificates', put: own('f2', 'revoked') },
  { kind: 'installed_certificates', put: root('i1', 'CSMSRootCertificate') },
  { kind: 'installed_certificates', put: root('i2', 'V2GRootCertificate') },
])
beforeEach(() => {
  orders.splice(0)
  sent.splice(0)
  answered = { status: 'Accepted' }
})

const page = async (browser: Browser, path: string): Promise<string> => (await browser.get(path)).text()
const order = async (action: string, fields: Readonly<Record<string, string>> = {}) => {
  const csrf = csrfOf(await page(otto, STATION), '/certificates/renew')
  return otto.post(`${STATION}/${action}`, { csrf, ...fields })
}

it('CONSOLE-N9: certificates of a charge point: its own, the installed and its requests are shown; who may only look has no forms', async () => {
  const html = await page(bob, STATION)
  for (const text of ['in use', 'revoked', 'CSMSRootCertificate', 'waits to be signed']) expect(html).toContain(text)
  expectWithout(html, HOSTILE, '/remove"', '/install"')
  expect((await bob.get('/dashboard/charge-points/CPB/certificates')).status).toBe(404)
})

it('CONSOLE-N9: certificates of a charge point: a root is installed by a form that keeps what was typed', async () => {
  const wrongOne = await order('install', { certificateType: 'V2GRootCertificate', certificate: HOSTILE })
  const html = await wrongOne.text()
  expect([wrongOne.status, html.includes('id="certificate-fault"')]).toEqual([400, true])
  expect(html).not.toContain(HOSTILE)
  expect((await order('install', { certificateType: 'Any', certificate: right })).status).toBe(400)
  expect(sent).toHaveLength(0)
  expect((await order('install', { certificateType: 'V2GRootCertificate', certificate: right })).status).toBe(303)
  expect(sent[0]).toMatchObject({ method: 'InstallCertificate', request: { certificateType: 'V2GRootCertificate' } })
})

it('CONSOLE-N9: certificates of a charge point: one is revoked or deleted after a question, but not the last root', async () => {
  expectTexts(await page(otto, STATION), 'This cannot be undone.', 'Delete V2GRootCertificate')
  expect((await order('f1/remove')).status).toBe(303)
  expect(orders[0]?.input).toEqual({ kind: 'certificateRevoked', fingerprint: 'f1' })
  expect((await order('i2/remove')).status).toBe(303)
  expect(sent[0]?.method).toBe('DeleteCertificate')
  expect((await order('i1/remove')).status).toBe(409)
  expect((await order('none/remove')).status).toBe(404)
})

it('CONSOLE-N11: certificates of a charge point: the profile is raised and the checks are set, by who may act', async () => {
  const unknown = await order('profile', { securityProfile: '3' })
  expect([unknown.status, (await unknown.text()).includes('never connected')]).toEqual([409, true])
  expect((await order('profile', { securityProfile: '1' })).status).toBe(400)
  const status = { protocol: 'ocpp2.0.1' }
  await place.core.commit([{ chargePointId: 'CP1', status }])
  expect((await order('profile', { securityProfile: '3' })).status).toBe(303)
  expect(orders[0]?.input).toMatchObject({ kind: 'profileRequested', securityProfile: 3, present: 0 })
  expect((await order('checks', { acceptExpired: 'yes', subjectCheck: 'exact' })).status).toBe(303)
  expect(await place.reads.findChargePoint('CP1')).toMatchObject({ acceptExpired: true, subjectCheck: 'exact' })
  expect((await order('checks', { subjectCheck: 'none' })).status).toBe(400)
  expect((await order('profile/j1/cancel')).status).toBe(303)
  expect(orders.at(-1)?.input).toEqual({ kind: 'profileCancelled', id: 'j1' })
  const csrf = csrfOf(await page(otto, STATION), '/certificates/renew')
  for (const action of ['ask', 'renew', 'install', 'profile', 'profile/j1/cancel', 'checks', 'f1/remove']) {
    expect((await bob.post(`${STATION}/${action}`, { csrf })).status).toBe(403)
    expect((await otto.post(`${STATION}/${action}`, {})).status).toBe(403)
  }
})

it('CONSOLE-N9: certificates of a charge point: a new request is asked for; a charge point that refuses is shown with its answer', async () => {
  expect((await order('renew')).headers.get('location')).toBe(STATION)
  expect(sent[0]).toMatchObject({
    method: 'TriggerMessage',
    request: { requestedMessage: 'SignChargingStationCertificate' },
  })
  answered = { status: 'Rejected' }
  const refused = await order('renew')
  expect([refused.status, (await refused.text()).includes('did not do it: Rejected')]).toEqual([409, true])
  expect((await order('ask')).status).toBe(303)
  expect(sent.at(-1)?.method).toBe('GetInstalledCertificateIds')
})

const path = '/dashboard/certificate-requests/r1'
const answer = async (action: string, fields: Readonly<Record<string, string>>) =>
  otto.post(`${path}/${action}`, { csrf: csrfOf(await page(otto, path), '/sign'), ...fields })

it('CONSOLE-N10: requests that wait to be signed: they are listed, read and downloaded', async () => {
  const html = await page(bob, '/dashboard/certificates')
  expect(html).toContain('/certificate-requests/r1"')
  expectWithout(html, '/certificate-requests/r2"', HOSTILE)
  expect(await page(bob, '/dashboard/certificates?show=all')).toContain('/certificate-requests/r2"')
  expect(await page(bob, path)).not.toContain('/sign"')
  const file = await bob.get(`${path}/csr`)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="r1.csr"')
  expect(await file.text()).toContain('BEGIN CERTIFICATE REQUEST')
  const eve = await place.signedIn(place.eve)
  for (const one of [path, `${path}/csr`]) expect((await eve.get(one)).status).toBe(404)
  expect(await page(eve, '/dashboard/certificates?show=all')).not.toContain('/certificate-requests/')
})

it('CONSOLE-N10: requests that wait to be signed: one is answered with a chain that fits, or with a refusal', async () => {
  for (const [action, fields] of [
    ['sign', { chain: wrong }],
    ['sign', { chain: HOSTILE }],
    ['reject', { rejected: ' ' }],
  ] as const) {
    const refused = await answer(action, fields)
    const html = await refused.text()
    expect([action, refused.status, html.includes('-fault"'), html.includes(HOSTILE)]).toEqual([
      action,
      400,
      true,
      false,
    ])
  }
  expect(orders).toHaveLength(0)
  expect((await answer('sign', { chain: right })).status).toBe(303)
  expect((await answer('reject', { rejected: 'not ours' })).status).toBe(303)
  expect(orders.map(({ input }) => input.kind)).toEqual(['certificateMade', 'certificateNotMade'])
  const [audited] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
  expect(audited).toMatchObject({ kind: 'certificate-requests/reject', subject: 'r1' })
  const csrf = csrfOf(await page(otto, path), '/sign')
  expect((await bob.post(`${path}/sign`, { csrf, chain: right })).status).toBe(403)
  expect((await otto.post('/dashboard/certificate-requests/r2/reject', { csrf, rejected: 'x' })).status).toBe(403)
})
