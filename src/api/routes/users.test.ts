import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'
import { passwordLinkHash } from '../../domain/accounts/password-link.ts'

const api = await apiOfTest({ settings: { dashboardUrl: 'https://charge.example/dashboard' } })

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

it('ADMIN-A1, ADMIN-A4, ADMIN-E1: users: the first is an administrator, the next a member with a link', async () => {
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

it('ADMIN-A4: users: roles change and users are disabled, but the last administrator stays one', async () => {
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

it('ADMIN-C2, ADMIN-C3: the audit log: every change is in it, with who and what became of it; reads are not', async () => {
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

it('ADMIN-C3: the audit log: page by page, by actor and time; wrong parameters are named', async () => {
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
