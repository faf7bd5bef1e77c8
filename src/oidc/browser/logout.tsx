/** {dashboard}/oauth/logout: sign-out asked for by an application (RP-initiated logout; OIDC-R3). */

import { readPageForm } from '../../web/form.ts'
import { ConfirmSignOutPage, SignedOutPage } from '../../web/message-page.tsx'
import {
  csrfToken,
  frameOf,
  isOwnForm,
  renderFault,
  renderForeignForm,
  renderPage,
  seeOther,
} from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { endLoginSession } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { answerLocation } from '../redirect/location.ts'
import { type IdTokenHint, readIdTokenHint } from '../token/id-token.ts'

const PARAMETERS = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id', 'ui_locales'] as const
const ACTION = 'oauth sign out'

export function logoutByGet(provider: Provider, context: OidcContext): Promise<Response> {
  return logout(provider, context, new URL(context.req.url).searchParams, false)
}

/** Either our own confirmation, or the application's form, which is repeated as a GET so that it has our cookies. */
export async function logoutByPost(provider: Provider, context: OidcContext): Promise<Response> {
  const form = await readPageForm(context)
  if (!form) return renderFault(provider, context, 'bad_form')
  if (!form.has('confirm')) return seeOther(provider, context, `${path(provider)}?${new URLSearchParams(known(form))}`)
  const visitor = await provider.findVisitor(context)
  if (visitor && !isOwnForm(context, provider, visitor, ACTION, form.get('csrf') ?? undefined)) {
    return renderForeignForm(provider, context)
  }
  return logout(provider, context, form, true)
}

async function logout(
  provider: Provider,
  context: OidcContext,
  params: URLSearchParams,
  confirmed: boolean,
): Promise<Response> {
  const hint = await hintOf(provider, params)
  const destination = await destinationOf(provider, params, hint)
  if (destination === 'unregistered') return renderFault(provider, context, 'logout_uri')
  const visitor = await provider.findVisitor(context)
  if (visitor && !confirmed && hint?.sid !== visitor.session.sid) {
    const page = (
      <ConfirmSignOutPage
        frame={frameOf(provider, context)}
        action={path(provider)}
        csrf={csrfToken(context, provider, visitor, ACTION)}
        parameters={known(params)}
      />
    )
    return renderPage(provider, context, page, {
      redirectUri: destination,
    })
  }
  if (visitor) await endLoginSession(provider, context, visitor)
  return destination === undefined
    ? renderPage(provider, context, <SignedOutPage frame={frameOf(provider, context)} />)
    : seeOther(provider, context, destination)
}

/** One of our ID tokens, and the named client's where one is named (OpenID Connect RP-Initiated Logout 1.0 §2). */
async function hintOf(provider: Provider, params: URLSearchParams): Promise<IdTokenHint | undefined> {
  const token = params.get('id_token_hint')
  const hint = token ? await readIdTokenHint(provider, token) : undefined
  const clientId = params.get('client_id')
  return clientId && clientId !== hint?.clientId ? undefined : hint
}

/** Only with a hint of ours, and only to an address that its client registered. */
async function destinationOf(
  { reads }: Provider,
  params: URLSearchParams,
  hint: IdTokenHint | undefined,
): Promise<string | 'unregistered' | undefined> {
  const uri = params.get('post_logout_redirect_uri')
  if (!uri) return undefined
  if (!hint) return 'unregistered'
  const client = await reads.findClient(hint.clientId)
  if (!client?.postLogoutRedirectUris.includes(uri)) return 'unregistered'
  const state = params.get('state')
  return state ? answerLocation(uri, { state }) : uri
}

function known(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(PARAMETERS.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : [])))
}

function path(provider: Provider): string {
  return `${rootOf(provider)}/oauth/logout`
}
