import { expect, it } from 'vitest'
import { apiOfTest, START } from '../../../test/support/api/testing.ts'
import { matchPassword } from '../../ocpp/credentials.ts'

const PATH = '/2/evse-controllers'
const secretKey = Buffer.alloc(32, 7)
const api = await apiOfTest({ settings: { secretKey } })

const create = async (body: unknown) => {
  const answer = await api.call('POST', PATH, body)
  return { status: answer.status, location: answer.headers.get('location'), body: await answer.json() }
}
const change = async (id: string, body: unknown) => {
  const answer = await api.call('PATCH', `${PATH}/${encodeURIComponent(id)}`, body)
  return { status: answer.status, body: await answer.json() }
}
const stored = async (id: string) => (await api.reads.findChargePoint(id))?.passwordHash ?? ''

it('API-A5: a missing password is generated, shown once, and only its hash is kept', async () => {
  const { status, location, body } = await create({ id: 'NEW-1', name: 'Garage' })
  expect([status, location]).toEqual([201, `${PATH}/NEW-1`])
  expect(body).toEqual({
    id: 'NEW-1',
    name: 'Garage',
    online: false,
    registrationStatus: 'Accepted',
    connectors: [],
    securityProfile: 1,
    password: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  expect(matchPassword(Buffer.from(body.password), await stored('NEW-1'), secretKey)).toBeDefined()
  expect(await api.get(`${PATH}/NEW-1`)).not.toHaveProperty('password')
  expect(JSON.stringify(await api.get(PATH))).not.toMatch(/v1\$|password/)
})

it('API-A5: a password of one’s own is used and never shown', async () => {
  const password = 'correct horse battery'
  const { status, body } = await create({
    id: 'NEW-2',
    password,
    securityProfile: 2,
    protocols: ['ocpp2.0.1'],
    validation: 'strict',
  })
  expect([status, body.password, body.protocols, body.validation]).toEqual([201, undefined, ['ocpp2.0.1'], 'strict'])
  expect(matchPassword(Buffer.from(password), await stored('NEW-2'), secretKey)).toBeDefined()
})

it.each(['short', 'x'.repeat(15), 'x'.repeat(41), `${'x'.repeat(20)}\n`])('API-A5: refuses %j', async (password) => {
  const { status, body } = await create({ id: 'NEW-3', password })
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'password_rule', '/password'])
  expect(JSON.stringify(body)).not.toContain(JSON.stringify(password).slice(1, -1))
})

it.each([
  [{}, '/id', 'required'],
  [{ id: '' }, '/id', 'out_of_range'],
  [{ id: 'x'.repeat(256) }, '/id', 'out_of_range'],
  [{ id: 'a\nb' }, '/id', 'invalid_identity'],
  [{ id: '..' }, '/id', 'invalid_identity'],
  [{ id: 'a:b', protocols: ['ocpp2.0.1'] }, '/id', 'invalid_identity'],
  [{ id: 'x'.repeat(49), protocols: ['ocpp2.0.1'] }, '/id', 'invalid_identity'],
  [{ id: 'A', protocols: ['ocpp1.5'] }, '/protocols/0', 'invalid_value'],
  [{ id: 'A', protocols: [] }, '/protocols', 'out_of_range'],
  [{ id: 'A', securityProfile: 4 }, '/securityProfile', 'invalid_value'],
  [{ id: 'A', validation: 'loose' }, '/validation', 'invalid_value'],
  [{ id: 'A', registrationStatus: 'Accepted' }, '/registrationStatus', 'unknown_field'],
  [{ id: 'A', accountId: 'acc2' }, '/accountId', 'unknown_field'],
])('API-A5: %j is refused at %s', async (body, pointer, code) => {
  const answer = await create(body)
  expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer, code, message: expect.any(String) }]])
})

it('API-A5: reading charge points: what it reported and whether it is online', async () => {
  await create({ id: 'LIVE' })
  await api.store.core.commit([
    {
      chargePointId: 'LIVE',
      status: {
        protocol: 'ocpp1.6',
        vendor: 'V',
        model: 'M',
        serialNumber: 'S',
        firmwareVersion: 'F',
        lastSeenAt: START,
      },
      connectors: [
        { connectorId: 1, status: 'Charging', errorCode: 'NoError', updatedAt: START },
        { evseId: 1, connectorId: 2, status: 'Available', updatedAt: START },
      ],
    },
  ])
  const expected = {
    id: 'LIVE',
    protocol: 'ocpp1.6',
    online: false,
    lastSeenAt: '2026-08-01T12:00:00.000Z',
    registrationStatus: 'Accepted',
    vendor: 'V',
    model: 'M',
    serialNumber: 'S',
    firmwareVersion: 'F',
    securityProfile: 1,
  }
  const found: Record<string, unknown> = await api.get(`${PATH}/LIVE`)
  expect(found).toMatchObject(expected)
  expect(found.connectors).toEqual([
    { connectorId: 1, status: 'Charging', errorCode: 'NoError', updatedAt: '2026-08-01T12:00:00.000Z' },
    { evseId: 1, connectorId: 2, status: 'Available', updatedAt: '2026-08-01T12:00:00.000Z' },
  ])
  api.recording.online.add('LIVE')
  expect(await api.get(`${PATH}/LIVE`)).toMatchObject({ online: true })
})

it('API-B2: reading charge points: the list is paged by cursor, by id, own account only', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: { data: { id: string }[]; meta: { nextCursor?: string } } = await (
      await api.call('GET', `${PATH}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    ).json()
    seen.push(...page.data.map((one) => one.id))
    cursor = page.meta.nextCursor
  } while (cursor)
  expect(seen).toEqual([...seen].sort())
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toContain('CP1')
  expect(seen).not.toContain('CP-OTHER')
})

it('OCPP-AU6: changing and deleting charge points: a new password of one that has connected before warns that it is not told', async () => {
  await create({ id: 'TOLD' })
  const password = 'a password of its own'
  expect((await change('TOLD', { password })).body).not.toHaveProperty('warning')
  await api.store.core.commit([{ chargePointId: 'TOLD', status: { protocol: 'ocpp1.6', lastSeenAt: START } }])
  const warning = expect.stringContaining('BasicAuthPassword')
  expect((await change('TOLD', { password })).body).toMatchObject({ warning })
  expect((await change('TOLD', { name: 'Other' })).body).not.toHaveProperty('warning')
})
