/** Certificates and jobs of a server that is killed: another one goes on with them. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Json } from '../house.ts'
import { booted16, bootStation, type Station } from '../station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from '../support/domain/x509/testing.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { type NodeOfTest, type Nodes, openNodes } from './nodes.ts'

let hook: Receiver
let installation: Nodes
let stations: Station[]
beforeEach(async () => {
  stations = []
  // The first server that asks waits for the answer until it is killed.
  hook = await startReceiver(() => undefined)
  installation = await openNodes(2, {
    PILOTWIRE_CERTIFICATE_PROVIDER: 'http',
    PILOTWIRE_CERTIFICATE_HOOK_URL: hook.url,
    PILOTWIRE_CERTIFICATE_HOOK_SECRET: 'correct-horse-battery',
  })
})
afterEach(async () => {
  for (const station of stations) await station.close()
  await hook.close()
  await installation.close()
})

const two = (): readonly [NodeOfTest, NodeOfTest] => {
  const [first, second] = installation.nodes
  if (!first || !second) throw new Error('There are not two.')
  return [first, second]
}

/** What the log says became of the CALLs of a method. */
const statusesOf = async (node: NodeOfTest, id: string, method: string): Promise<readonly unknown[]> =>
  (await node.rows(id)).filter((row) => row.method === method).map(({ status }) => status)

it('CERT-C1, CERT-C21: a request that was being signed is signed by it, and the chain is sent once', async () => {
  const [first, second] = two()
  const keys = await testKeys()
  const chain = await testCertificate(await testAuthority(), keys, { commonName: 'CP1' })
  const before = await booted16(first.ocppUrl, 'CP1', { answer: { status: 'Accepted' } })
  expect(await before.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })).toEqual({ status: 'Accepted' })
  await expect.poll(() => hook.received.length).toBe(1)
  hook.respond = (response) => response.end(JSON.stringify({ chain }))
  await first.kill()

  // The charge point is away meanwhile.
  const requests = async () => (await second.request('GET', '/2/certificate-requests')).body.data
  await expect.poll(requests).toMatchObject([{ evseControllerId: 'CP1', state: 'signed' }])
  const [asked, ...again] = hook.received.map(({ body }) => (JSON.parse(body) as Json).id)
  expect(again).toEqual([asked])
  const after = await booted16(second.ocppUrl, 'CP1', { answer: { status: 'Accepted' } })
  stations.push(after)
  await expect.poll(() => after.requests('CertificateSigned')).toHaveLength(1)
  await after.ask('Heartbeat', {})
  expect(await requests()).toMatchObject([{ state: 'signed' }])
  expect(after.requests('CertificateSigned')).toEqual([{ certificateChain: expect.stringContaining(chain.trim()) }])
})

it('CERT-C25: a step that nobody answered is over there, and sent again; one that waits is sent', async () => {
  const [first, second] = two()
  const open = await bootStation(first.ocppUrl, 'CP1', 'ocpp1.6', { silent: true })
  await (await booted16(first.ocppUrl, 'CP2')).close()
  const path = (id: string) => `/2/evse-controllers/${id}/security-profile`
  const jobs = new Map<string, string>()
  for (const id of ['CP1', 'CP2']) {
    const { status, body } = await first.request('POST', path(id), { securityProfile: 2 })
    expect({ status, state: body.state }).toEqual({ status: 202, state: 'running' })
    jobs.set(id, String(body.id))
  }
  await expect.poll(() => open.requests('ChangeConfiguration')).toHaveLength(1)
  await first.kill()

  // It may have been received: no charge point has to come for that to be known.
  await expect.poll(() => statusesOf(second, 'CP1', 'ChangeConfiguration')).toEqual(['dropped'])
  await expect.poll(() => statusesOf(second, 'CP2', 'ChangeConfiguration')).toEqual(['pending'])
  const job = async (id: string) => (await second.request('GET', `${path(id)}/${jobs.get(id)}`)).body
  for (const id of ['CP1', 'CP2']) {
    expect(await job(id)).toMatchObject({ state: 'running', step: 'setSecurityProfile' })
    const back = await booted16(second.ocppUrl, id, { answer: { status: 'Accepted' } })
    stations.push(back)
    await expect.poll(() => back.requests('ChangeConfiguration')).toHaveLength(1)
    await expect.poll(async () => (await job(id)).step).not.toBe('setSecurityProfile')
  }
})
