/** Two servers on one database, charge points on each of them, and what is asked of the other one. */
import { afterAll, describe, expect, it } from 'vitest'
import { createChargePoint } from '../../simulator/charge-point.ts'
import { databaseAt } from '../../src/storage/open.ts'
import { type Json, until } from '../house.ts'
import { booted16, connectStation } from '../station.ts'
import { rowsOf } from './databases.ts'
import { type NodeOfTest, openNodes } from './nodes.ts'

let one: NodeOfTest
let other: NodeOfTest
const installation = await openNodes(2)
;[one, other] = installation.nodes as [NodeOfTest, NodeOfTest]
afterAll(() => installation.close())

const commands = (id: string): string => `/2/evse-controllers/${id}/commands`
const isOnline = async (node: NodeOfTest, id: string): Promise<unknown> =>
  (await node.request('GET', `/2/evse-controllers/${id}`)).body.online

describe('STORE-M1: a charge point is asked through any node', () => {
  it('a command reaches it through the node that it is not connected to, whichever that is', async () => {
    const stations = [
      await booted16(one.ocppUrl, 'HERE', { answer: { status: 'Accepted' } }),
      await booted16(other.ocppUrl, 'THERE', { answer: { status: 'Accepted' } }),
    ]
    for (const node of [one, other]) {
      for (const id of ['HERE', 'THERE']) {
        const order = { method: 'ClearCache', request: {}, wait: 10 }
        const { status, body } = await node.request('POST', commands(id), order)
        expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } })
        expect(body.response).toEqual({ status: 'Accepted' })
      }
    }
    expect(stations.map(({ frames }) => frames.filter(([, , method]) => method === 'ClearCache').length)).toEqual([
      2, 2,
    ])
    for (const station of stations) await station.close()
  })

  it.each(['ocpp1.6', 'ocpp2.0.1'] as const)(
    'a session of %s is started, stopped and settled elsewhere',
    async (protocol) => {
      const id = `CHARGE-${protocol}`
      const station = createChargePoint({ protocol, url: other.ocppUrl, id, timeScale: 1000 })
      await station.connect()
      await station.boot()
      await station.plug(1)
      const place = protocol === 'ocpp1.6' ? { connectorId: 1 } : { evseId: 1 }
      const started = await one.request('POST', '/2/sessions', {
        evseControllerId: id,
        ...place,
        externalReference: 'r',
      })
      expect(started).toMatchObject({ status: 202, body: { state: 'pending', externalReference: 'r' } })
      const sessionId = String(started.body.id)
      await until(async () => (await one.session(sessionId)).state === 'charging')
      expect((await one.request('POST', `/2/sessions/${sessionId}/stop`)).status).toBe(202)
      await until(async () => (await one.session(sessionId)).state === 'completed')
      expect(await one.sessions(id)).toHaveLength(1)
      await station.disconnect()
    },
  )

  it('what is refused there is refused here with the same words', async () => {
    await booted16(other.ocppUrl, 'REFUSED')
    const order = { method: 'NoSuchThing', request: {} }
    const [here, there] = [
      await one.request('POST', commands('REFUSED'), order),
      await other.request('POST', commands('REFUSED'), order),
    ]
    expect(here.status).toBe(400)
    const { code, detail, errors } = there.body
    expect(here.body).toMatchObject({ code, detail, errors })
  })

  it('secrets of a request are not in the database meanwhile', async () => {
    const silent = await booted16(other.ocppUrl, 'SECRET', { silent: true })
    const request = { key: 'AuthorizationKey', value: '5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a' }
    const asked = one.request('POST', commands('SECRET'), { method: 'ChangeConfiguration', request, wait: 3 })
    await until(() => silent.frames.some(([, , method]) => method === 'ChangeConfiguration'))
    const rows = await rowsOf<{ row: string }>(
      installation.databaseUrl,
      'SELECT r::text AS row FROM node_requests AS r',
    )
    expect(rows.filter(({ row }) => row.includes('5a5a5a') || row.includes('AuthorizationKey'))).toEqual([])
    await asked
  })
})

describe('STORE-M3: every node knows who is connected', () => {
  it('OCPP-CN4: one at a time, in lists and filtered', async () => {
    const station = await booted16(other.ocppUrl, 'SEEN')
    await until(async () => (await isOnline(one, 'SEEN')) === true)
    expect(await isOnline(other, 'SEEN')).toBe(true)
    const { body } = await one.request('GET', '/2/evse-controllers?online=true&limit=500')
    expect((body.data as readonly Json[]).map(({ id }) => id)).toContain('SEEN')
    await station.close()
    expect(await isOnline(one, 'SEEN')).toBe(true)
  })

  it('a charge point is closed and removed through a node that it is not connected to', async () => {
    const station = await booted16(other.ocppUrl, 'LEAVES')
    expect((await one.request('DELETE', '/2/evse-controllers/LEAVES')).status).toBe(204)
    await station.closed
    expect((await other.request('GET', '/2/evse-controllers/LEAVES')).status).toBe(404)
  })

  it('one that is disabled through a node that it is not connected to is closed', async () => {
    const station = await booted16(other.ocppUrl, 'DISABLED')
    const { status } = await one.request('PATCH', '/2/evse-controllers/DISABLED', { disabled: true })
    expect(status).toBe(200)
    await station.closed
  })

  it('STORE-N13: one that is disabled or deleted by somebody who asks no node is closed', async () => {
    const stations = [await booted16(other.ocppUrl, 'BY-A-TOOL-1'), await booted16(one.ocppUrl, 'BY-A-TOOL-2')]
    const tool = await databaseAt(installation.databaseUrl).openStore()
    try {
      const accountId = String(await tool.core.defaultAccountId())
      await tool.writes.updateChargePoint(accountId, 'BY-A-TOOL-1', { disabled: true })
      await tool.writes.deleteChargePoint(accountId, 'BY-A-TOOL-2')
      for (const { closed } of stations) await closed
    } finally {
      await tool.close()
    }
  })
})

it('STORE-M1: a command that it began is found where it is stored; one that cannot wait is refused, one that can is sent once', async () => {
  const victims = await openNodes(2)
  const [asked, owner] = victims.nodes as [NodeOfTest, NodeOfTest]
  try {
    const silent = await connectStation(owner.ocppUrl, 'VICTIM', 'ocpp1.6', { silent: true })
    await silent.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    const order = (method: string, more: Json = {}) => asked.request('POST', commands('VICTIM'), { method, ...more })
    const began = order('GetConfiguration', { request: {}, wait: 60 })
    await until(() => silent.frames.some(([, , method]) => method === 'GetConfiguration'))
    await owner.kill()
    const answers = await Promise.all([
      began,
      order('ClearCache', { request: {} }),
      order('UnlockConnector', { request: { connectorId: 1 } }),
      order('GetLocalListVersion', { request: {}, ttl: 3600 }),
    ])
    expect(answers.map(({ status }) => status).slice(1)).toEqual([202, 409, 202])
    // Whoever takes over what the dead node had may have found out already that nobody will answer it.
    expect([
      [202, 'pending'],
      [200, 'dropped'],
    ]).toContainEqual([answers[0]?.status, answers[0]?.body.status])
    expect(answers[2]?.body.code).toBe('charge_point_offline')
    const back = await booted16(asked.ocppUrl, 'VICTIM', {
      respond: (method) => (method === 'ClearCache' ? { status: 'Accepted' } : { listVersion: 1 }),
    })
    const sent = (): unknown[] => back.frames.filter(([type]) => type === 2).map(([, , method]) => method)
    await until(() => sent().length >= 2)
    expect(sent().sort()).toEqual(['ClearCache', 'GetLocalListVersion'])
    const rows = await asked.rows('VICTIM', { method: ['GetConfiguration', 'ClearCache', 'GetLocalListVersion'] })
    expect(rows).toHaveLength(3)
    await back.close()
  } finally {
    await victims.close()
  }
})
