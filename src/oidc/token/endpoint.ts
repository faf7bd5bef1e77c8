/** POST {issuer}/token: the steps in the order of OIDC-T1 to OIDC-T6. */

import { addressBlock } from '../../limits/address-block.ts'
import { readForm } from '../back-channel/form.ts'
import { OAuthError, tooMany } from '../back-channel/oauth-error.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { isOurResource } from '../resource.ts'
import { createThrottle } from '../throttle.ts'
import { authenticateClient } from './authenticate-client.ts'
import { exchangeCode } from './exchange-code.ts'
import { refreshTokens } from './refresh.ts'

const GRANTS = { authorization_code: exchangeCode, refresh_token: refreshTokens } as const

/** 256 bits cannot be guessed, so this only keeps a broken client from filling the log. */
const MAX_FAILURES = 600
const FAILURE_WINDOW_MS = 60_000

export function tokenEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  const throttle = createThrottle(provider.limits, 'token', MAX_FAILURES, FAILURE_WINDOW_MS)
  return async (context) => {
    const ip = addressOf(provider, context)
    const waitSeconds = await throttle.take(addressBlock(ip))
    if (waitSeconds !== undefined) throw tooMany('failed requests', waitSeconds)
    const response = await answer(provider, context, ip)
    await throttle.giveBack(addressBlock(ip))
    provider.tidy()
    return response
  }
}

async function answer(provider: Provider, context: OidcContext, ip: string): Promise<Response> {
  const form = await readForm(context.req.raw)
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw new OAuthError(400, 'invalid_request', 'grant_type is required')
  if (!isGrantType(grantType)) {
    throw new OAuthError(400, 'unsupported_grant_type', 'grant_type is authorization_code or refresh_token')
  }
  const client = await authenticateClient(provider, form, context.req.header('authorization'))
  if (!client.grantTypes.includes(grantType)) {
    throw new OAuthError(400, 'unauthorized_client', `the client is not registered for ${grantType}`)
  }
  const resource = form.get('resource')
  if (resource !== undefined && !isOurResource(resource, provider.config.baseUrl)) {
    throw new OAuthError(400, 'invalid_target', `the only resource is ${provider.config.baseUrl}`)
  }
  return GRANTS[grantType](provider, client, form, ip)
}

function isGrantType(text: string): text is keyof typeof GRANTS {
  return Object.hasOwn(GRANTS, text)
}
