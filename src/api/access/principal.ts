interface CredentialPrincipal {
  readonly kind: 'credential'
  readonly accountId: string
  readonly credentialId: string
  /** Absent: everything within its account (ADMIN-B1). */
  readonly scopes?: readonly string[] | undefined
}

export interface TokenPrincipal {
  readonly kind: 'token'
  readonly accountId: string
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  readonly scopes: readonly string[]
  readonly chargePoints: 'all' | readonly string[]
}

export type Principal = CredentialPrincipal | TokenPrincipal

export type VerifyAccessToken = (token: string) => Promise<TokenPrincipal | undefined>

/** Whose it is what they make: an application acts for itself, whatever else of the account is shared with it. */
export function ownerOf(principal: Principal): { readonly accountId: string; readonly grantId?: string } {
  const { accountId } = principal
  return principal.kind === 'token' ? { accountId, grantId: principal.grantId } : { accountId }
}
