import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'

const PATH = '/2/id-tokens'
const api = await apiOfTest()

it('API-A7: created with the defaults ISO14443 and Accepted', async () => {
  const answer = await api.call('POST', PATH, { id: '04AB' })
  expect([answer.status, answer.headers.get('location')]).toEqual([201, `${PATH}/04AB`])
  expect(await answer.json()).toEqual({
    id: '04AB',
    type: 'ISO14443',
    status: 'Accepted',
    createdAt: '2026-08-01T12:00:00.000Z',
  })
})

it('API-A7: everything can be given, changed and removed', async () => {
  const given = {
    id: 'DE*ABC',
    type: 'eMAID',
    status: 'Blocked',
    groupId: 'FLEET',
    expiresAt: '2027-01-01T01:00:00+01:00',
  }
  const expected = { ...given, expiresAt: '2027-01-01T00:00:00.000Z', createdAt: '2026-08-01T12:00:00.000Z' }
  expect(await (await api.call('POST', PATH, given)).json()).toEqual(expected)
  expect(await api.get(`${PATH}/${encodeURIComponent('DE*ABC')}`)).toEqual(expected)
  const changed = await api.call('PATCH', `${PATH}/DE*ABC`, { status: 'Accepted', groupId: null, expiresAt: null })
  expect(await changed.json()).toEqual({
    id: 'DE*ABC',
    type: 'eMAID',
    status: 'Accepted',
    createdAt: '2026-08-01T12:00:00.000Z',
  })
})

it('TOKEN-Z1: the same token in another case is the same token', async () => {
  const again = await api.call('POST', PATH, { id: '04ab' })
  expect([again.status, (await again.json()).code]).toEqual([409, 'id_token_exists'])
  expect((await api.get(`${PATH}/04ab`)) as object).toMatchObject({ id: '04AB' })
})

it.each([
  [{}, '/id'],
  [{ id: '' }, '/id'],
  [{ id: 'x'.repeat(256) }, '/id'],
  // Made, they could be neither read nor deleted: clients take such a segment out of an address.
  [{ id: '.' }, '/id'],
  [{ id: '..' }, '/id'],
  [{ id: 'A', type: 'RFID' }, '/type'],
  [{ id: 'A', status: 'Unknown' }, '/status'],
  [{ id: 'A', expiresAt: 'soon' }, '/expiresAt'],
  [{ id: 'A', accountId: 'acc2' }, '/accountId'],
])('API-A7: %j is refused at %s', async (body, pointer) => {
  const answer = await api.call('POST', PATH, body)
  expect([answer.status, (await answer.json()).errors[0].pointer]).toEqual([400, pointer])
})
