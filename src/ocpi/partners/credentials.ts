/** The credentials module, as the partner calls it: registers, rotates, withdraws (OCPI-A1). */
import { given, mayCall } from '../../domain/partners/credentials.ts'
import { readFields } from '../wire/fields.ts'
import { INVALID, type OcpiAnswer, type OcpiModule, type OcpiRequest, refused } from '../wire/module.ts'
import { asRemoved, changePartner } from './change.ts'
import { asRegistered, credentialsOf, credentialsSchema, newToken } from './credentials-object.ts'
import { readEndpoints } from './endpoints.ts'

export const credentialsModule: OcpiModule = {
  identifier: 'credentials',
  // Of no meaning here; SENDER is what the specification advises.
  role: 'SENDER',
  isConfiguration: true,
  routes: [
    {
      method: 'GET',
      path: '',
      // With the token that the request came with (ocpi#394), which is nowhere stored in clear.
      handle: ({ party, token, context }) => ({ data: credentialsOf(party, token.text, context.settings) }),
    },
    { method: 'POST', path: '', handle: (request) => exchange(request, 'POST') },
    { method: 'PUT', path: '', handle: (request) => exchange(request, 'PUT') },
    { method: 'DELETE', path: '', handle: withdraw },
  ],
}

/** Read first, committed last: a partner that cannot be called leaves everything as it was. */
async function exchange(request: OcpiRequest, method: 'POST' | 'PUT'): Promise<OcpiAnswer> {
  const { context, version, partner, party, token, body } = request
  if (!mayCall(partner, method, token.hash)) return notNow(method)
  const sent = readFields(credentialsSchema(version), body)
  if (!sent.ok) return sent.answer
  const { token: theirs, url } = sent.value
  if (new URL(url).origin === new URL(context.settings.baseUrl).origin) {
    return refused(INVALID, 'url is an address of this server: send the address of your own versions.')
  }
  // At the same version too: the partner's endpoints may have moved.
  const offered = await readEndpoints(context.client, partner, { url, token: theirs, only: version })
  if (!offered.ok) return refused(offered.code, `${url} could not be read with the token sent. ${offered.message}`)
  const fresh = newToken(partner.partnerId, context.random)
  const changed = await changePartner(context, partner, (now) =>
    mayCall(now, method, token.hash)
      ? {
          ...asRegistered(now, sent.value, offered, context.client.sealed),
          tokenHashes: given(now.tokenHashes, { hash: fresh.hash, at: context.now() }),
          tokensPulledAt: undefined,
        }
      : undefined,
  )
  if (!changed) return notNow(method)
  return { data: credentialsOf(party, fresh.text, context.settings) }
}

async function withdraw({ context, partner, token }: OcpiRequest): Promise<OcpiAnswer> {
  if (!mayCall(partner, 'DELETE', token.hash)) return notNow('DELETE')
  await changePartner(context, partner, asRemoved)
  return {}
}

function notNow(method: string): OcpiAnswer {
  const message =
    method === 'POST'
      ? 'Registered already: send PUT to change the credentials.'
      : 'Not registered yet: send POST with the token of the invitation.'
  return { code: 2000, message, http: 405, headers: { allow: method === 'POST' ? 'DELETE, GET, PUT' : 'GET, POST' } }
}
