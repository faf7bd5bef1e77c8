/** Forms of our own pages: as in the back channel, but fields may repeat (check boxes). */
import { isForm, readText } from '../back-channel/form.ts'
import type { OidcContext } from '../provider.ts'

/** Undefined when it is no form. @throws OAuthError 413 when it is too large */
export async function readPageForm({ req }: OidcContext): Promise<URLSearchParams | undefined> {
  if (!isForm(req.header('content-type') ?? null)) return undefined
  return new URLSearchParams(await readText(req.raw))
}
