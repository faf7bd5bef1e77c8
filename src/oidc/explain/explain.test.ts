import { afterAll, expect, it } from 'vitest'
import { exchangeFields, obtainTokens, postToken, refresh, startOf } from '../../../test/support/oidc/application.ts'
import { openPlace } from '../../../test/support/oidc/testing.ts'
import { explain } from './explain.ts'

const place = await openPlace()
afterAll(() => place.close())
const ask = (text: string, more: { verifier?: string; redirectUri?: string } = {}) =>
  explain(place.reads, { text, ...more }, place.baseUrl, place.now())

it('OIDC-N3: a right address', async () =>
  expect(await ask(startOf(place, place.web.id).url)).toMatchObject({ what: 'authorization request', usable: true }))
it('OIDC-N3: what the application is answered, and where redirect_uri differs', async () => {
  const wrong = await ask(startOf(place, place.web.id, { code_challenge: undefined }).url)
  expect(wrong.findings.join()).toContain('error=invalid_request: code_challenge required')
  const uri = await ask(startOf(place, place.web.id, { redirect_uri: 'https://app.example.com/Cb' }).url)
  expect(uri.findings).toContain('They part at character 25: registered "cb", received "Cb".')
  expect((await ask(startOf(place, 'nobody').url)).usable).toBe(false)
})
it('OIDC-N3: a code that was used, and a verifier that does not fit', async () => {
  const { code, start } = await obtainTokens(place, place.web)
  place.advance(12_000)
  const used = await ask(code)
  expect(used).toMatchObject({ what: 'authorization code', usable: false })
  expect(used.findings.join(' ')).toContain('It was exchanged 12 s ago; a code works once.')
  const wrong = await ask(code, { verifier: 'a'.repeat(43), redirectUri: 'https://app.example.com/cB' })
  expect(wrong.findings.join(' ')).toContain(`the code_challenge was ${start.params.get('code_challenge')}`)
  expect(wrong.findings.join(' ')).toContain('redirect_uri differs at character 26')
  expect((await ask(code, { verifier: start.verifier })).findings.join(' ')).not.toContain('hashes')
})
it('OIDC-N3: tokens: usable, revoked, cut, unknown', async () => {
  const { tokens, grant, code, start } = await obtainTokens(
    place,
    place.spa,
    place.ada,
    {},
    { share: 'chosen', chargePoints: ['CP1'] },
  )
  const access = await ask(tokens.access_token)
  expect(access).toMatchObject({ what: 'access token', usable: true })
  expect(access.findings).toContain('Shared with it: CP1.')
  expect(await ask(tokens.refresh_token ?? '')).toMatchObject({ what: 'refresh token', usable: true })
  expect((await ask(tokens.access_token.slice(0, -3))).findings.join()).toContain('was it cut?')
  await refresh(place, place.spa, tokens.refresh_token)
  expect((await ask(tokens.refresh_token ?? '')).findings.join()).toContain('It was used')
  await postToken(place, exchangeFields(place.spa, code, start))
  expect((await ask(tokens.access_token)).findings.join()).toContain('It was revoked')
  await place.writes.revokeGrant(grant.id, place.now())
  expect((await ask(tokens.access_token)).findings.join()).toContain('disconnected')
  expect(await ask('pwr_unknown')).toMatchObject({ what: 'unknown', usable: false })
  expect(await ask('whatever')).toMatchObject({ what: 'unknown', usable: false })
})
