import type { ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { sign } from '../src/webhooks/sending/signature.ts'
import { type House, type Json, openHouse, until } from './house.ts'
import { BOOT_201, booted201, type Station } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'
import { type Receiver, startReceiver } from './support/webhooks/receiver.ts'

let house: House | undefined
let hook: Receiver | undefined
const stations: Station[] = []

afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
  await house?.close()
  await hook?.close()
})

const SECRET = 'a secret of the operator and of the service'

const says = (status: number, text: string) => (response: ServerResponse) => void response.writeHead(status).end(text)

it('CERT-C21, CERT-C27, ALERT-K8: a service that signs and dies is an alert for each charge point, with its reason, and delays no other', async () => {
  const keys = await testKeys()
  const authority = await testAuthority()
  const leaf = await testCertificate(authority, keys, { commonName: 'SN-GOOD', organization: 'Default' })
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    REFUSES: says(403, '{"rejected":"not one of ours"}'),
    BREAKS: says(500, 'oops'),
    BABBLES: says(200, '<html>what?</html>'),
    HANGS: () => undefined,
    GOOD: says(200, JSON.stringify({ chain: `${authority.certificate}\n${leaf}` })),
  }
  const asked: string[] = []
  const unsigned: string[] = []
  const service = await startReceiver((response, { headers, body }) => {
    if (headers['webhook-signature'] !== sign(SECRET, Number(headers['webhook-timestamp']), body)) unsigned.push(body)
    const { chargePointId } = JSON.parse(body) as { readonly chargePointId: string }
    asked.push(chargePointId)
    answers[chargePointId]?.(response)
  })
  hook = service
  const running = await openHouse({
    PILOTWIRE_SMTP_URL: 'smtp://127.0.0.1:9',
    PILOTWIRE_ALERT_INTERVAL: '1',
    PILOTWIRE_CERTIFICATE_PROVIDER: 'http',
    PILOTWIRE_CERTIFICATE_HOOK_URL: service.url,
    PILOTWIRE_CERTIFICATE_HOOK_SECRET: SECRET,
  })
  house = running
  const rule = { name: 'Certificates', kind: 'certificateFailed', targets: [{ mail: 'ops@example.com' }] }
  expect((await running.request('POST', '/2/alert-rules', rule)).status).toBe(201)

  const asking = async (id: string, csr: string): Promise<Station> => {
    const station = await booted201(running.ocppUrl, id, { answer: { status: 'Accepted' } })
    stations.push(station)
    expect(await station.ask('SignCertificate', { csr })).toEqual({ status: 'Accepted' })
    return station
  }
  const stateOf = async (id: string): Promise<Json | undefined> => {
    const { data } = (await running.request('GET', '/2/certificate-requests')).body
    return (data as readonly Json[]).find(({ evseControllerId }) => evseControllerId === id)
  }

  const reported = async (): Promise<readonly unknown[]> => {
    const { data } = (await running.request('GET', '/2/alerts?state=raised')).body
    return (data as readonly Json[]).map(({ text }) => text).sort()
  }

  // It hangs: everybody else goes on as if it did not.
  const hanging = await asking('HANGS', await testCsr(await testKeys(), 'SN-HANGS'))
  await until(() => asked.includes('HANGS'))
  const good = await asking('GOOD', await testCsr(keys, 'SN-GOOD'))
  const { certificateChain } = await good.asked('CertificateSigned')
  expect(String(certificateChain).indexOf(leaf.trim())).toBe(0)
  expect(await hanging.ask('Heartbeat', {})).toHaveProperty('currentTime')
  expect(await good.ask('BootNotification', BOOT_201)).toMatchObject({ status: 'Accepted' })
  expect(await stateOf('GOOD')).toMatchObject({ state: 'signed' })
  expect(await stateOf('HANGS')).toMatchObject({ state: 'pending' })

  const csr = await testCsr(await testKeys(), 'SN-BREAKS')
  const breaks = await asking('BREAKS', csr)
  for (const id of ['REFUSES', 'BABBLES']) await asking(id, await testCsr(await testKeys(), `SN-${id}`))
  await until(async () => (await reported()).length === 3)
  expect(await breaks.ask('SignCertificate', { csr })).toMatchObject({ status: 'Rejected' })
  expect(await stateOf('HANGS')).toMatchObject({ state: 'pending' })

  // It dies with the question unanswered, and is not there when it is asked again.
  await hook?.close()
  hook = undefined
  await until(async () => (await reported()).length === 4)

  const failures = [
    ['BABBLES', 'failed', 'the service that signs answered 200 without a chain'],
    ['BREAKS', 'failed', 'the service that signs answered 500'],
    ['HANGS', 'failed', 'the service that signs could not be reached'],
    ['REFUSES', 'rejected', 'not one of ours'],
  ] as const
  expect(await reported()).toEqual(failures.map(([id, , reason]) => `${id} got no certificate: ${reason}`))
  for (const [id, state, reason] of failures) expect(await stateOf(id)).toMatchObject({ state, reason })

  expect(unsigned).toEqual([])
  // Three attempts where it was broken, one where it had decided; never again for the same request.
  const times = (id: string) => asked.filter((each) => each === id).length
  expect(['REFUSES', 'BABBLES', 'BREAKS', 'HANGS', 'GOOD'].map(times)).toEqual([1, 1, 3, 1, 1])
  for (const station of stations) expect(await station.ask('Heartbeat', {})).toHaveProperty('currentTime')
})
