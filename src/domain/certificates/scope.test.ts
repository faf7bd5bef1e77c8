import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'
import type { TokenPrincipal } from '../../api/access/access.ts'
import {
  addCertificateRequests,
  addCertificatesOfChargePoints,
  addProfileJobs,
} from '../../api/network/certificates.ts'
import type { CertificateRequest } from './records.ts'

let token: TokenPrincipal
const as = (scopes: readonly string[], chargePoints: TokenPrincipal['chargePoints'] = 'all') => {
  const own = { kind: 'token', accountId: 'acc1', userId: 'u', clientId: 'c', grantId: 'g' } as const
  token = { ...own, scopes: scopes as TokenPrincipal['scopes'], chargePoints }
  return { authorization: 'Bearer pwa_x' }
}
const request = (chargePointId: string, accountId: string): CertificateRequest => ({
  chargePointId,
  id: `of ${chargePointId}`,
  accountId,
  csr: 'CSR',
  keyKind: 'EC',
  commonName: 'x',
  state: 'pending',
  work: 'none',
  createdAt: 1,
})

const api = await apiOfTest({
  parts: {
    verifyAccessToken: async () => token,
    extraEndpoints: [addCertificateRequests, addCertificatesOfChargePoints, addProfileJobs],
  },
})
for (const [id, accountId] of [
  ['CP1', 'acc1'],
  ['CP-OTHER', 'acc2'],
] as const) {
  const put = request(id, accountId)
  await api.store.core.commit([{ chargePointId: id, records: [{ kind: 'certificate_requests', put }] }])
}

const CALLS: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
  ['GET', '/2/certificate-requests', undefined],
  ['GET', '/2/certificate-authorities', undefined],
  ['GET', '/2/evse-controllers/CP1/certificates', undefined],
  ['PUT', '/2/certificate-requests/of CP1', { rejected: 'no' }],
  ['POST', '/2/evse-controllers/CP1/security-profile', { securityProfile: 3 }],
]

it.each(CALLS)('INTENT-A10: %s %s asks for chargers:certificates', async (method, path, body) => {
  for (const scopes of [['chargers:control'], ['chargers:configure', 'chargers:firmware'], []]) {
    expect((await api.call(method, path, body, as(scopes))).status).toBe(403)
  }
  expect((await api.call(method, path, body, as(['chargers:certificates']))).status).not.toBe(403)
})

it('OIDC-C8: only those of shared charge points are seen and answered', async () => {
  const shared = as(['chargers:certificates'], ['CP1', 'CP-OTHER'])
  const list = await (await api.call('GET', '/2/certificate-requests', undefined, shared)).json()
  expect(list.data.map(({ id }) => id)).toEqual(['of CP1'])
  const none = as(['chargers:certificates'], ['CP2'])
  expect((await (await api.call('GET', '/2/certificate-requests', undefined, none)).json()).data).toEqual([])
  const body = { rejected: 'no' }
  expect((await api.call('PUT', '/2/certificate-requests/of CP1', body, none)).status).toBe(404)
  expect((await api.call('GET', '/2/evse-controllers/CP1/certificates', undefined, none)).status).toBe(404)
})
