/** Answers that go to the application, with `iss` against mix-ups (OIDC-A12). */
import { seeOther } from '../../web/respond.tsx'
import type { OidcContext, Provider } from '../provider.ts'
import { answerLocation } from '../redirect/location.ts'
import type { RedirectedError } from './request.ts'

export function answerApplication(
  provider: Provider,
  context: OidcContext,
  { redirectUri, state }: { readonly redirectUri: string; readonly state?: string | undefined },
  answer: Readonly<Record<string, string>>,
): Response {
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: provider.issuer }
  return seeOther(provider, context, answerLocation(redirectUri, parameters))
}

export function answerError(provider: Provider, context: OidcContext, failed: RedirectedError): Response {
  return answerApplication(provider, context, failed, { error: failed.error, error_description: failed.description })
}
