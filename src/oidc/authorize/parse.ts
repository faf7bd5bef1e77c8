/** Parses in the order of OIDC-A1 to OIDC-A14: until client and redirect_uri fit, errors go to no application. */

import { covers, inOrder, parseScopes } from '../../domain/grants/scopes.ts'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { isChallenge } from '../pkce.ts'
import { matchesRedirect } from '../redirect/match.ts'
import { isOurResource } from '../resource.ts'
import type { AuthorizationRequest, AuthorizeError, Prompt, RedirectedError } from './request.ts'

/** Why the user sees an error page instead of the application (PAGE400). */
export type PageFault =
  | 'client_id_missing'
  | 'client_unknown'
  | 'redirect_uri_missing'
  | 'redirect_uri_unregistered'
  | 'parameter_twice'

export type Parsed =
  | { readonly kind: 'page'; readonly fault: PageFault }
  | { readonly kind: 'error'; readonly error: RedirectedError }
  | { readonly kind: 'request'; readonly request: AuthorizationRequest; readonly idTokenHint?: string | undefined }

/** No login is older, and providers read no larger number. */
const MAX_SECONDS = 2 ** 31 - 1

export type Parameters = Readonly<Record<string, string | undefined>>

/** The parameter's only value; empty counts as absent (RFC 6749 §3.1), twice as `twice`. */
export function single(params: URLSearchParams, name: string): string | undefined | { readonly twice: true } {
  const values = params.getAll(name)
  if (values.length > 1) return { twice: true }
  return values[0] === '' ? undefined : values[0]
}

/** A name that is given more than once; each parameter is looked at once (OIDC-U9). */
export function repeatedName(params: URLSearchParams): string | undefined {
  const seen = new Set<string>()
  for (const name of params.keys()) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

/** @param client whom client_id names; undefined when unknown @param baseUrl the only accepted `resource` (OIDC-K10) */
export function parseAuthorization(params: URLSearchParams, client: Client | undefined, baseUrl: string): Parsed {
  const clientId = single(params, 'client_id')
  const redirectUri = single(params, 'redirect_uri')
  if (typeof clientId === 'object' || typeof redirectUri === 'object') return page('parameter_twice')
  if (clientId === undefined) return page('client_id_missing')
  if (!client || client.disabledAt !== undefined) return page('client_unknown')
  if (redirectUri === undefined) return page('redirect_uri_missing')
  if (!matchesRedirect(client, redirectUri)) return page('redirect_uri_unregistered')

  const state = single(params, 'state')
  const fail = (error: AuthorizeError, description: string): Parsed => ({
    kind: 'error',
    error: { redirectUri, error, description, ...(typeof state === 'string' && { state }) },
  })
  const twice = repeatedName(params)
  if (twice !== undefined) return fail('invalid_request', `${printable(twice)} is given twice`)

  const given: Parameters = Object.fromEntries([...params].filter(([, value]) => value !== ''))
  const fault = responseTypeFault(given) ?? pkceFault(given) ?? scopeFault(given, client) ?? otherFault(given, baseUrl)
  if (fault) return fail(...fault)
  return {
    kind: 'request',
    request: {
      clientId,
      redirectUri,
      ...(typeof state === 'string' && { state }),
      nonce: given.nonce,
      scopes: knownScopes(given.scope, client) ?? [],
      codeChallenge: given.code_challenge ?? '',
      prompts: promptsOf(given),
      ...(given.max_age !== undefined && { maxAgeSeconds: Math.min(Number(given.max_age), MAX_SECONDS) }),
      loginHint: given.login_hint,
      uiLocales: given.ui_locales,
    },
    idTokenHint: given.id_token_hint,
  }
}

function page(fault: PageFault): Parsed {
  return { kind: 'page', fault }
}

type Fault = readonly [AuthorizeError, string]

function responseTypeFault({ response_type }: Parameters): Fault | undefined {
  if (response_type === undefined) return ['invalid_request', 'response_type is missing: send response_type=code']
  if (response_type !== 'code') return ['unsupported_response_type', 'only response_type=code is supported']
  return undefined
}

function pkceFault({ code_challenge, code_challenge_method }: Parameters): Fault | undefined {
  if (code_challenge === undefined) {
    return ['invalid_request', 'code_challenge required: send base64url(SHA-256(code_verifier)) (RFC 7636)']
  }
  if (code_challenge_method !== 'S256') {
    return ['invalid_request', 'code_challenge_method must be S256']
  }
  if (!isChallenge(code_challenge)) {
    return ['invalid_request', 'code_challenge must be 43 base64url characters without padding']
  }
  return undefined
}

function scopeFault({ scope }: Parameters, client: Client): Fault | undefined {
  const known = knownScopes(scope, client)
  if (!known) return ['invalid_scope', 'scope is missing or has illegal characters']
  if (known.length === 0) return ['invalid_scope', 'no such scope: see scopes_supported, separate them by spaces']
  if (!covers(client.scopes, known)) {
    const outside = known.filter((name) => !client.scopes.includes(name))
    return ['invalid_scope', `the client is not registered for ${outside.join(' ')}`]
  }
  return undefined
}

/** A client not registered for refresh tokens gets none, so there is no offline_access to approve. */
function knownScopes(text: string | undefined, { grantTypes }: Client): readonly string[] | undefined {
  const asked = text === undefined ? undefined : parseScopes(text)
  return asked && inOrder(asked).filter((name) => name !== 'offline_access' || grantTypes.includes('refresh_token'))
}

function otherFault(given: Parameters, baseUrl: string): Fault | undefined {
  if (given.request !== undefined) return ['request_not_supported', 'request objects are not supported']
  if (given.request_uri !== undefined) return ['request_uri_not_supported', 'request_uri is not supported']
  if (given.registration !== undefined) return ['registration_not_supported', 'registration is not supported here']
  if (given.response_mode !== undefined && given.response_mode !== 'query') {
    return ['invalid_request', 'only response_mode=query is supported']
  }
  if (given.resource !== undefined && !isOurResource(given.resource, baseUrl)) {
    return ['invalid_target', `the only resource is ${baseUrl}`]
  }
  if (given.max_age !== undefined && !/^\d+$/.test(given.max_age)) {
    return ['invalid_request', 'max_age must be a number of seconds']
  }
  return promptFault(words(given.prompt))
}

function promptFault(prompts: readonly string[]): Fault | undefined {
  const unknown = prompts.find((prompt) => !isPrompt(prompt))
  if (unknown !== undefined) return ['invalid_request', 'prompt knows none, login and consent']
  if (prompts.includes('none') && prompts.length > 1) {
    return ['invalid_request', 'prompt=none stands alone']
  }
  return undefined
}

function promptsOf({ prompt }: Parameters): readonly Prompt[] {
  return words(prompt).filter(isPrompt)
}

function words(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter((word) => word !== ''))]
}

function isPrompt(text: string): text is Prompt {
  return text === 'none' || text === 'login' || text === 'consent'
}

/** error_description allows printable ASCII without quote and backslash. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 100)
}
