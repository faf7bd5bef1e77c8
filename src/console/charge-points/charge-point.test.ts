import { expect, it } from 'vitest'
import { operatorsOfTest, SALT } from '../../../test/support/console/testing.ts'
import { aChargePoint, aCommand, aSession } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { logIdAt, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Command } from '../../domain/ports/storage-records.ts'

const XSS = '"><script>alert(1)</script>'
const T0 = Date.UTC(2026, 7, 1, 12)

let counter = 0

async function said(method: string, change: Partial<Command> = {}): Promise<string> {
  const id = logIdAt(T0) + counter++
  const command: Command = aCommand(0, { id, method, messageId: `m${id}`, response: '{}', ...change })
  const [result] = await place.core.commit([{ chargePointId: command.chargePointId, command }])
  if (result && !result.ok) throw result.error
  return logIdToUuid(command.id, SALT)
}

const { place, bob, eve } = await operatorsOfTest()

const pageOf = (path: string, browser = bob): Promise<string> => browser.page(`/dashboard${path}`)

/** The messages that a page shows, in its order. */
function shown(html: string): readonly string[] {
  return [...html.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, method = '']) => method)
}

it('shows what was said, newest first, with request and answer as they crossed the wire', async () => {
  await said('BootNotification', { request: '{"chargePointVendor":"Acme"}', response: '{"status":"Accepted"}' })
  const failed = { code: 'NotImplemented', description: XSS, details: {} }
  await said('DataTransfer', {
    direction: 'out',
    request: `{"vendorId":"${'x'.repeat(20)}"}`,
    status: 'error',
    error: failed,
  })
  await said('StartTransaction', { request: '{"transactionId":9223372036854775807}', transactionId: XSS })
  const html = await pageOf('/charge-points/CP1')
  expect(shown(html)).toEqual(['StartTransaction', 'DataTransfer', 'BootNotification'])
  expectTexts(html, '9223372036854775807', 'to the charge point', 'NotImplemented')
  expect(html).toContain('&quot;status&quot;: &quot;Accepted&quot;')
  expect(html).not.toContain('<script>')
  expect(await pageOf('/charge-points')).toContain('href="/dashboard/charge-points/CP1"')
})

it('CONSOLE-F1: a form with empty fields leads to the address without them', async () => {
  const answer = await bob.get('/dashboard/charge-points/CP1?method=Heartbeat&status=&transactionId=&from=&to=')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/dashboard/charge-points/CP1?method=Heartbeat',
  ])
  const bare = await bob.get('/dashboard/charge-points/CP1?method=&status=')
  expect([bare.status, bare.headers.get('location')]).toEqual([303, '/dashboard/charge-points/CP1'])
})

it('CONSOLE-C11, CONSOLE-C13: a line says in words what was said and what was answered, refusals and schema faults marked', async () => {
  const chargePointId = 'CP3'
  await place.writes.createChargePoint(aChargePoint({ id: chargePointId, securityProfile: 0, createdAt: T0 }))
  const request = JSON.stringify({ connectorId: 4, errorCode: 'GroundFailure', status: 'Faulted', info: XSS })
  await said('StatusNotification', { chargePointId, request, schemaErrors: '/info must be shorter' })
  await said('RemoteStartTransaction', { chargePointId, direction: 'out', response: '{"status":"Rejected"}' })
  await said('Heartbeat', { chargePointId })
  const html = await pageOf('/charge-points/CP3')
  expectTexts(html, '<bdi class="said bad">connector 4  Faulted: GroundFailure', '<bdi class="chip bad">Rejected</bdi>')
  expectTexts(html, '<span class="chip amber">Schema faults</span>', '<pre tabindex="0">')
  expect(html).toContain('<button type="button" data-copy="Copied.">Copy</button>')
  expect(html).toMatch(/curl -H [^<]*\/2\/evse-controllers\/CP3\/commands\/[0-9a-f-]{36}/)
  expect(html).not.toContain('<script>alert')
  expect(shown(await pageOf('/charge-points/CP3?schemaErrors=true'))).toEqual(['StatusNotification'])
  expect(await pageOf('/charge-points/CP3?schemaErrors=no')).toContain('Schema faults = no')
  expect(await pageOf('/charge-points/CP3?last=2y')).toContain('last = 2y')
})

it('CONSOLE-C11: spans, a page that stands still, CSV, JSON and curl carry the filters', async () => {
  const path = '/charge-points/CP3?schemaErrors=true&last=7d'
  const html = await pageOf(path)
  const links = [...html.matchAll(/href="\/dashboard(\/charge-points\/CP3[^"]*)"/g)].map(([, to = '']) => to)
  const hour = links.find((link) => link.includes('last=1h')) ?? ''
  expect(hour).toContain('schemaErrors=true')
  expect((await bob.get(`/dashboard${hour.replaceAll('&amp;', '&')}`)).status).toBe(200)
  const csv = links.find((link) => link.includes('messages.csv')) ?? ''
  const file = await bob.get(`/dashboard${csv.replaceAll('&amp;', '&')}`)
  expect(file.headers.get('content-disposition')).toContain('attachment; filename="commands-CP3-')
  expect(html).toContain('curl -H &quot;Authorization: Bearer $PILOTWIRE_API_CREDENTIAL&quot;')
  const all = await pageOf('/charge-points/CP3')
  const pause = /href="\/dashboard(\/charge-points\/CP3\?to=[^"]+)"/.exec(all)?.[1] ?? ''
  await said('Heartbeat', { chargePointId: 'CP3', id: logIdAt(T0 + 5000) })
  const paused = await pageOf(pause.replaceAll('&amp;', '&'))
  expect(shown(paused)).toHaveLength(3)
  expect(paused).toContain('Resume')
  const rows = await (await bob.get('/dashboard/charge-points/CP3/messages.csv')).text()
  expect(
    rows
      .trim()
      .split('\r\n')
      .map((row) => row.split(',')[5]),
  ).toEqual(['method', 'Heartbeat', 'Heartbeat', 'RemoteStartTransaction', 'StatusNotification'])
  const json = /href="\/dashboard(\/charge-points\/CP3\/messages\/[^"]+\/json)"/.exec(all)?.[1] ?? ''
  const row = await bob.get(`/dashboard${json}`)
  expect([row.headers.get('content-type'), await row.json()]).toEqual([
    'application/json',
    expect.objectContaining({ evseControllerId: 'CP3', method: 'Heartbeat' }),
  ])
  expect((await eve.get(`/dashboard${json}`)).status).toBe(404)
  expect((await eve.get('/dashboard/charge-points/CP3/messages.csv')).status).toBe(404)
  const mia = await place.signedIn(place.mia)
  expect((await mia.get(`/dashboard${json}`)).status).toBe(403)
  expect((await mia.get('/dashboard/charge-points/CP3/messages.csv')).status).toBe(403)
})

it('a message of a megabyte does not make a page of fifty of them', async () => {
  const registration = { securityProfile: 0, registrationStatus: 'Accepted', createdAt: T0 } as const
  await place.writes.createChargePoint({ id: 'CP3', accountId: 'A', ...registration })
  await said('DataTransfer', { chargePointId: 'CP3', request: `{"data":"${'x'.repeat(1_000_000)}"}` })
  const html = await pageOf('/charge-points/CP3')
  expect(html.length).toBeLessThan(32_000)
  expect(html).toContain('of 1000011 characters')
})

it('OIDC-C6: another account’s charge points and messages are not there', async () => {
  const id = await said('Heartbeat')
  expect(await pageOf(`/charge-points/CP1/messages/${id}`)).toContain('<strong>Heartbeat</strong>')
  for (const path of ['/charge-points/CP1', `/charge-points/CP1/messages/${id}`, '/charge-points/NONE']) {
    expect([path, (await eve.get(`/dashboard${path}`)).status]).toEqual([path, 404])
  }
  for (const path of ['CP2', 'CP1/messages/none', `CP2/messages/${id}`, `CP1/messages/${logIdToUuid(1, SALT)}`]) {
    const expected = path === 'CP2' ? 200 : 404
    expect([path, (await bob.get(`/dashboard/charge-points/${path}`)).status]).toEqual([path, expected])
  }
  expect((await place.browser().get('/dashboard/charge-points/CP1')).status).toBe(303)
})

it('leads to its sessions and back', async () => {
  expect(await pageOf('/charge-points/CP1')).toContain('/dashboard/charging-sessions?evseControllerId=CP1')
  const session = (id: string, chargePointId: string) => ({
    chargePointId,
    sessions: [aSession({ id, chargePointId, state: 'completed' as const, energyMilliWh: 1000, createdAt: T0 })],
  })
  const [mine, other] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
  await place.core.commit([session(mine, 'CP1'), session(other, 'CP2')])
  const html = await pageOf('/charging-sessions?chargePoint=CP1')
  expect([html.includes(mine), html.includes(other)]).toEqual([true, false])
  expect(html).toContain('href="/dashboard/charge-points/CP1"')
  const foreign = await bob.get('/dashboard/charging-sessions?chargePoint=CPB')
  expect([foreign.status, await foreign.text()]).toEqual([404, expect.stringContaining('no charge point CPB')])
})
