/** An authorization request after every check: what sign-in, consent and the code rest on. */
export type Prompt = 'none' | 'login' | 'consent'

export interface AuthorizationRequest {
  readonly clientId: string
  /** As received: of a loopback client it has the port of this run. */
  readonly redirectUri: string
  readonly state?: string | undefined
  readonly nonce?: string | undefined
  readonly scopes: readonly string[]
  readonly codeChallenge: string
  readonly prompts: readonly Prompt[]
  readonly maxAgeSeconds?: number | undefined
  readonly hintUserId?: string | undefined
  readonly loginHint?: string | undefined
  readonly uiLocales?: string | undefined
}

export type AuthorizeError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'temporarily_unavailable'
  | 'server_error'

export interface RedirectedError {
  readonly redirectUri: string
  readonly state?: string | undefined
  readonly error: AuthorizeError
  readonly description: string
}
