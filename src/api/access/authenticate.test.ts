import { expect, it } from 'vitest'
import { apiOfTest, START, startApi } from '../../../test/support/api/testing.ts'

const api = await apiOfTest()

const ask = async (authorization: string, path = '/2/id-tokens') => {
  const answer = await api.call('GET', path, undefined, { authorization })
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate') ?? '',
    code: (await answer.json()).code,
  }
}

it('OIDC-U3: the scheme is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await ask(`${scheme} ${api.credential}`)).status).toBe(200)
  }
})

it.each(['', 'Basic dTpw', 'Digest x', 'Bearerx'])('OIDC-U4: %j is no bearer: 401 without a code', async (header) => {
  const { status, challenge, code } = await ask(header)
  expect([status, code]).toEqual([401, 'unauthorized'])
  expect(challenge).toMatch(/^Bearer realm="pilotwire", resource_metadata="/)
  expect(challenge).not.toContain('error=')
})

it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer "x"', 'Bearer pwa_unknown', 'Bearer pwk_x', 'Bearer ü'])(
  'OIDC-U4: %j is 401 invalid_token',
  async (header) => {
    const { status, challenge, code } = await ask(Buffer.from(header).toString('latin1'))
    expect([status, code]).toEqual([401, 'invalid_token'])
    expect(challenge).toMatch(/error="invalid_token"/)
  },
)

it('OIDC-U2: a token in the address is ignored: 401; in both places: 400', async () => {
  const path = `/2/id-tokens?access_token=${api.credential}`
  expect(await ask('', path)).toMatchObject({ status: 401, code: 'unauthorized' })
  expect(await ask(`Bearer ${api.credential}`, path)).toMatchObject({ status: 400, code: 'invalid_request' })
})

it('OIDC-U7: a wrong secret, an unknown id, an expired and a revoked credential are 401', async () => {
  const soon = await api.newCredential('acc1', START + 1000)
  const revoked = await api.newCredential('acc1')
  expect((await ask(`Bearer ${soon}`)).status).toBe(200)
  expect((await ask(`Bearer ${revoked}`)).status).toBe(200)
  const foreign = `${revoked.slice(0, 21)}${soon.slice(21)}`
  expect((await ask(`Bearer ${foreign}`)).code).toBe('invalid_token')
  await api.store.writes.revokeCredential('acc1', revoked.split('_')[1] ?? '', START)
  expect((await ask(`Bearer ${revoked}`)).challenge).toContain('is revoked')
  api.clock.advance(1000)
  expect((await ask(`Bearer ${soon}`)).challenge).toContain('is expired')
})

it('OIDC-U7: a use that cannot be stored refuses nobody', async () => {
  const server = await startApi({
    writes: (writes) => ({ ...writes, touchCredential: () => Promise.reject(new Error('disk full')) }),
  })
  expect((await server.call('GET', '/2/id-tokens')).status).toBe(200)
  expect(server.logged).toMatchObject([{ level: 'warn', fields: { error: 'disk full' } }])
  await server.close()
})
