import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type House, type Json, openHouse, until } from './house.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { BOOT_201, booted201, type Station } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

let house: House | undefined
let mailbox: Mailbox | undefined
let hook: Server | undefined
const stations: Station[] = []

const closed = (server: Server | undefined) =>
  new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))

afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
  await house?.close()
  hook?.closeAllConnections()
  await closed(hook)
  await mailbox?.close()
})

/** The operator's service; what it answers is the charge point's to choose. */
async function service(answers: Readonly<Record<string, (response: ServerResponse) => void>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { chargePointId } = JSON.parse(Buffer.concat(parts).toString()) as { readonly chargePointId: string }
      asked.push(chargePointId)
      answers[chargePointId]?.(response)
    })
  })
  hook = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign`, asked }
}

const says = (status: number, text: string) => (response: ServerResponse) => void response.writeHead(status).end(text)

it('CERT-C21, CERT-C27, ALERT-K8, ALERT-M2: a service that signs and dies is told by mail, for each charge point with its reason, and delays nobody', async () => {
  const keys = await testKeys()
  const chain = await testCertificate(await testAuthority(), keys, { commonName: 'SN-GOOD', organization: 'Default' })
  mailbox = await openMailbox()
  const { url, mails } = mailbox
  const { url: hookUrl, asked } = await service({
    REFUSES: says(403, '{"rejected":"not one of ours"}'),
    BREAKS: says(500, 'oops'),
    BABBLES: says(200, '<html>what?</html>'),
    HANGS: () => undefined,
    GOOD: says(200, JSON.stringify({ chain })),
  })
  const running = await openHouse({
    PILOTWIRE_SMTP_URL: url,
    PILOTWIRE_ALERT_INTERVAL: '1',
    PILOTWIRE_CERTIFICATE_PROVIDER: 'http',
    PILOTWIRE_CERTIFICATE_HOOK_URL: hookUrl,
    PILOTWIRE_CERTIFICATE_HOOK_SECRET: 'a secret of the operator and of the service',
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
  await until(() => good.frames.some((frame) => frame[2] === 'CertificateSigned'))
  expect(await hanging.ask('Heartbeat', {})).toHaveProperty('currentTime')
  expect(await good.ask('BootNotification', BOOT_201)).toMatchObject({ status: 'Accepted' })
  expect(await stateOf('GOOD')).toMatchObject({ state: 'signed' })
  expect(await stateOf('HANGS')).toMatchObject({ state: 'pending' })

  for (const id of ['REFUSES', 'BREAKS', 'BABBLES']) await asking(id, await testCsr(await testKeys(), `SN-${id}`))
  await until(async () => (await reported()).length === 3)
  expect(await stateOf('HANGS')).toMatchObject({ state: 'pending' })

  // It dies with the question unanswered, and is not there when it is asked again.
  hook?.closeAllConnections()
  await closed(hook)
  hook = undefined
  await until(async () => (await reported()).length === 4)

  const failed = ['BABBLES', 'BREAKS', 'HANGS', 'REFUSES']
  expect(await reported()).toEqual([
    'BABBLES got no certificate: the service that signs answered 200 without a chain',
    'BREAKS got no certificate: the service that signs answered 500',
    'HANGS got no certificate: the service that signs could not be reached',
    'REFUSES got no certificate: not one of ours',
  ])
  // What failed after the first mail waits for the next one (ALERT-M7).
  await until(() => mails.length > 0)
  const [mail = ''] = mails
  for (const line of mail.replaceAll('=\r\n', '').match(/\w+ got no certificate: .*(?=, since )/g) ?? ['none']) {
    expect(await reported()).toContain(line)
  }
  const raised = (await running.request('GET', '/2/alerts?state=raised')).body.data as readonly Json[]
  expect(raised.map(({ evseControllerId }) => evseControllerId).sort()).toEqual(failed)
  expect(await stateOf('REFUSES')).toMatchObject({ state: 'rejected', reason: 'not one of ours' })
  expect(await stateOf('BREAKS')).toMatchObject({ state: 'failed', reason: 'the service that signs answered 500' })
  expect(await stateOf('BABBLES')).toMatchObject({
    state: 'failed',
    reason: 'the service that signs answered 200 without a chain',
  })
  expect(await stateOf('HANGS')).toMatchObject({
    state: 'failed',
    reason: 'the service that signs could not be reached',
  })

  // Three attempts where it was broken, one where it had decided; never again for the same request.
  const times = (id: string) => asked.filter((each) => each === id).length
  expect(['REFUSES', 'BABBLES', 'BREAKS', 'HANGS', 'GOOD'].map(times)).toEqual([1, 1, 3, 1, 1])
  for (const station of stations) expect(await station.ask('Heartbeat', {})).toHaveProperty('currentTime')
})
