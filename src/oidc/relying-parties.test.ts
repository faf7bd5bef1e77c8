/** Independent clients against our provider: openid-client (friendly) and oauth4webapi (strict). */
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { consent } from '../../test/support/oidc/application.ts'
import { placeOfTest, REDIRECT_URI } from '../../test/support/oidc/testing.ts'

const place = await placeOfTest()

it.each(['confidential', 'public'] as const)('OIDC-B1, OIDC-K2: openid-client gets tokens (%s)', async (kind) => {
  const { id, secret } = kind === 'confidential' ? place.web : { ...place.spa, secret: undefined }
  const config = await client.discovery(
    new URL(place.issuer),
    id,
    secret,
    secret ? client.ClientSecretPost(secret) : client.None(),
    {
      execute: [client.allowInsecureRequests],
    },
  )
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid offline_access sessions:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const answer = await consent(await place.signedIn(place.ada), url.href)
  const tokens = await client.authorizationCodeGrant(config, new URL(answer.headers.get('location') ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  expect(tokens.claims()?.sub).toBe('ada')
  expect(await client.fetchUserInfo(config, tokens.access_token, 'ada')).toMatchObject({ sub: 'ada' })
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(renewed.access_token).not.toBe(tokens.access_token)
  await client.tokenRevocation(config, renewed.refresh_token ?? '')
  await expect(client.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toThrow()
})

it('OIDC-B1, OIDC-D6, OIDC-G2: oauth4webapi discovers by RFC 8414, registers itself, and accepts every answer', async () => {
  const options = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(place.issuer)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  )
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: ['http://127.0.0.1/cb'], client_name: 'Strict' },
      options,
    ),
  )
  const redirectUri = 'http://127.0.0.1:52000/cb'
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const url = new URL(server.authorization_endpoint ?? '')
  const request = {
    client_id: registered.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value)
  const answer = await consent(await place.signedIn(place.bob), url.href)
  const callback = oauth.validateAuthResponse(server, registered, new URL(answer.headers.get('location') ?? ''), state)
  const result = await oauth.processAuthorizationCodeResponse(
    server,
    registered,
    await oauth.authorizationCodeGrantRequest(
      server,
      registered,
      oauth.None(),
      callback,
      redirectUri,
      verifier,
      options,
    ),
    { expectedNonce: nonce, requireIdToken: true },
  )
  const user = await oauth.processUserInfoResponse(
    server,
    registered,
    'bob',
    await oauth.userInfoRequest(server, registered, result.access_token, options),
  )
  expect(user).toMatchObject({ sub: 'bob', email: 'bob@example.com' })
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    registered,
    await oauth.refreshTokenGrantRequest(server, registered, oauth.None(), result.refresh_token ?? '', options),
  )
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, registered, oauth.None(), refreshed.refresh_token ?? '', options),
  )
  const web = { client_id: place.web.id }
  const introspected = await oauth.processIntrospectionResponse(
    server,
    web,
    await oauth.introspectionRequest(
      server,
      web,
      oauth.ClientSecretPost(place.web.secret),
      refreshed.access_token,
      options,
    ),
  )
  expect(introspected.active).toBe(false)
})
