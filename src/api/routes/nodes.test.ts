import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { apiOfTest, START } from '../../../test/support/api/testing.ts'
import { createCredential } from '../../domain/accounts/credentials.ts'

const api = await apiOfTest()

// STORE-N9: the nodes over the API
it('are for credentials of the first account that may do everything', async () => {
  await api.store.writes.createAccount({ id: 'later', name: 'Later', createdAt: START + 86_400_000 })
  const credentialOf = async (accountId: string, scopes?: readonly string[]) => {
    const made = createCredential(randomBytes, { accountId, name: 'n', createdAt: START, scopes })
    await api.store.writes.createCredential(made.credential)
    return { authorization: `Bearer ${made.text}` }
  }
  const other = await api.call('GET', '/2/nodes', undefined, await credentialOf('later'))
  expect(other.status).toBe(403)
  expect(await other.json<unknown>()).toMatchObject({ code: 'first_account_only' })
  const narrow = await credentialOf('acc1', ['sessions:read'])
  expect((await api.call('GET', '/2/nodes', undefined, narrow)).status).toBe(403)
})
