import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { START, startApi } from '../../../test/support/api/testing.ts'
import { createCredential } from '../../domain/accounts/credentials.ts'
import { passwordLinkHash } from '../../domain/accounts/password-link.ts'

const api = await startApi({ settings: { dashboardUrl: 'https://charge.example/dashboard' } })
afterAll(() => api.close())

interface UserBody {
  readonly id: string
  readonly role: string
  readonly disabled: boolean
  readonly passwordLink?: string
}

interface Entry {
  readonly id: string
  readonly actor: string
  readonly role: string
  readonly action: string
  readonly subject?: string
  readonly outcome: string
}

const create = async (body: object) => {
  const answer = await api.call('POST', '/2/users', body)
  return { status: answer.status, body: await answer.json<UserBody>() }
}
const audit = async (query = '') => (await api.get<{ data: readonly Entry[] }>(`/2/audit${query}`)).data
const restricted = async (...scopes: string[]) => {
  const made = createCredential(randomBytes, { accountId: 'acc1', name: 'part', createdAt: START, scopes })
  await api.store.writes.createCredential(made.credential)
  return { authorization: `Bearer ${made.text}` }
}

describe('users over the API', () => {
  it('ADMIN-A1, ADMIN-A4, ADMIN-E1: the first is an administrator, the next a member with a link', async () => {
    const first = await create({ email: 'ada@example.com', password: 'correct horse' })
    expect(first).toMatchObject({
      status: 201,
      body: { email: 'ada@example.com', role: 'administrator', disabled: false },
    })
    expect(first.body).not.toHaveProperty('passwordLink')
    const second = await create({ email: 'bob@example.com', name: 'Bob' })
    expect(second.body).toMatchObject({ role: 'member', name: 'Bob', secondFactor: false })
    const link = second.body.passwordLink?.split('https://charge.example/dashboard/password/')[1] ?? ''
    expect(await api.reads.findPasswordLink(passwordLinkHash(link) ?? '')).toMatchObject({ userId: second.body.id })
    expect((await create({ email: 'ADA@example.com' })).status).toBe(409)
    expect((await api.get<{ data: readonly UserBody[] }>('/2/users')).data.map(({ role }) => role)).toEqual([
      'administrator',
      'member',
    ])
  })

  it.each([
    [{ email: 'nobody' }, '/email'],
    [{ email: 'x@example.com', role: 'king' }, '/role'],
    [{ email: 'x@example.com', password: 'short' }, '/password'],
    [{ email: 'x@example.com', name: '\u0007' }, '/name'],
  ])('ADMIN-A4: %j is refused', async (body, pointer) => {
    const answer = await api.call('POST', '/2/users', body)
    expect([answer.status, (await answer.json()).errors[0].pointer]).toEqual([400, pointer])
  })

  it('ADMIN-A4: roles change and users are disabled, but the last administrator stays one', async () => {
    const [ada, bob] = (await api.get<{ data: readonly UserBody[] }>('/2/users')).data
    const change = async (id: string | undefined, body: object) => {
      const answer = await api.call('PATCH', `/2/users/${id}`, body)
      const { role, disabled, code } = await answer.json<UserBody & { code?: string }>()
      return { status: answer.status, role, disabled, code }
    }
    expect(await change(ada?.id, { role: 'viewer' })).toMatchObject({ status: 409, code: 'last_administrator' })
    expect(await change(ada?.id, { disabled: true })).toMatchObject({ status: 409 })
    expect(await change(bob?.id, { role: 'administrator' })).toMatchObject({ status: 200, role: 'administrator' })
    expect(await change(ada?.id, { role: 'viewer', disabled: true })).toMatchObject({ role: 'viewer', disabled: true })
    expect(await change(ada?.id, { disabled: false })).toMatchObject({ disabled: false })
    expect(await change('unknown', {})).toMatchObject({ status: 404 })
    expect((await api.call('GET', `/2/users/${ada?.id}`)).status).toBe(200)
    const foreign = await api.newCredential('acc2')
    const asked = await api.call('GET', `/2/users/${ada?.id}`, undefined, { authorization: `Bearer ${foreign}` })
    expect(asked.status).toBe(404)
  })
})

describe('the audit log over the API', () => {
  it('ADMIN-C2, ADMIN-C3: every change is in it, with who and what became of it; reads are not', async () => {
    const id = api.credential.split('_')[1]
    await api.call('GET', '/2/id-tokens')
    await api.call('POST', '/2/id-tokens', { id: 'CARD1' })
    await api.call('POST', '/2/id-tokens', { id: 'CARD1' })
    await api.call('DELETE', '/2/id-tokens/CARD1')
    await api.call('POST', '/2/evse-controllers/CP1/commands', { method: 'Reset', request: { type: 'Soft' } })
    const [sent, removed, again, made] = await audit()
    const by = { actor: `pwk_${id}`, role: 'credential' }
    expect(made).toMatchObject({ ...by, action: 'createIdToken', subject: 'CARD1', outcome: 'done' })
    expect(again).toMatchObject({ ...by, action: 'createIdToken', outcome: 'refused' })
    expect(removed).toMatchObject({ ...by, action: 'deleteIdToken', subject: 'CARD1', outcome: 'done' })
    expect(sent).toMatchObject({ ...by, action: 'sendCommand', subject: 'Reset (soft) of CP1', outcome: 'done' })
  })

  it('ADMIN-C3: page by page, by actor and time; wrong parameters are named', async () => {
    const first = await api.get<{ data: readonly Entry[]; meta: { nextCursor: string } }>('/2/audit?limit=2')
    expect(first.data).toHaveLength(2)
    const next = await audit(`?limit=2&cursor=${first.meta.nextCursor}`)
    expect(next.map(({ id }) => Number(id))).not.toContain(Number(first.data[1]?.id))
    expect(await audit('?actor=nobody')).toEqual([])
    expect(await audit('?to=2020-01-01T00:00:00Z')).toEqual([])
    for (const query of ['?actor=', '?from=soon', '?who=me', '?from=2026-08-02T00:00:00Z&to=2026-08-01T00:00:00Z']) {
      expect([query, (await api.call('GET', `/2/audit${query}`)).status]).toEqual([query, 400])
    }
  })
})

describe('restricted API credentials', () => {
  it('ADMIN-B1, ADMIN-C2: do what their scopes cover, and nothing of the administration; attempts are recorded', async () => {
    const reads = await restricted('sessions:read')
    const controls = await restricted('chargers:control', 'chargers:read')
    const status = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
      (await api.call(method, path, body, headers)).status
    expect(await status('GET', '/2/sessions', reads)).toBe(200)
    expect(await status('GET', '/2/evse-controllers', reads)).toBe(403)
    expect(await status('GET', '/2/webhooks', reads)).toBe(403)
    expect(await status('GET', '/2/evse-controllers/CP1', controls)).toBe(200)
    const search = { from: '2026-01-01T00:00:00Z' }
    expect(await status('POST', '/1/evse-controllers/CP1/commands/search', controls, {})).toBe(200)
    expect(await status('POST', '/2/evse-controllers/CP1/commands/search', controls, search)).toBe(200)
    const order = { method: 'Reset', request: { type: 'Soft' } }
    expect(await status('POST', '/2/evse-controllers/CP1/commands', controls, order)).toBe(202)
    expect(api.recording.commands.at(-1)?.capabilities).toEqual(['control'])
    for (const path of ['/2/users', '/2/audit', '/2/id-tokens', '/2/tariffs', '/2/account']) {
      expect([path, await status('GET', path, controls)]).toEqual([path, 403])
    }
    expect(await status('POST', '/2/users', controls, { email: 'eve@example.com', role: 'administrator' })).toBe(403)
    expect((await audit())[0]).toMatchObject({ action: 'createUser', outcome: 'forbidden' })
  })

  it('ADMIN-G2: cards from CSV, every fault by line', async () => {
    const send = (csv: string) => api.call('POST', '/2/id-token-imports', { csv })
    expect(await (await send('id,status\nI1,Accepted\nI2,Blocked')).json()).toEqual({
      created: 2,
      changed: 0,
      unchanged: 0,
    })
    expect(await (await send('id,status\nI1,Accepted\nI2,Blocked')).json()).toEqual({
      created: 0,
      changed: 0,
      unchanged: 2,
    })
    const wrong = await send('id,status\nI3,Accepted\nI1,Gone')
    expect([wrong.status, (await wrong.json()).errors[0].pointer]).toEqual([400, '/csv/3'])
    expect(await api.reads.findIdToken('acc1', 'I3')).toBeUndefined()
  })
})
