/**
 * Registers with a partner, and rotates the tokens both ways (OCPI-A1). Our new token is stored before it is sent and
 * the partner's when it is answered, so after a stop at any step one side can go on: we with the token that we called
 * with, the partner with the one that we sent.
 */
import { accepted, given, withdrawn } from '../../domain/partners/credentials.ts'
import type { OcpiParty, Partner } from '../../domain/partners/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { readFields } from '../wire/fields.ts'
import type { OcpiContext } from '../wire/module.ts'
import { changePartner } from './change.ts'
import type { Called } from './client.ts'
import { asRegistered, credentialsOf, credentialsSchema, newToken } from './credentials-object.ts'
import { endpointUrl, readEndpoints } from './endpoints.ts'

export async function exchangeCredentials(
  context: OcpiContext,
  party: OcpiParty,
  partner: Partner,
): Promise<Partner | Refusal> {
  const { client, settings, random, now } = context
  const { partnerId, versionsUrl: url, sealedToken, version: prefer } = partner
  const token = sealedToken === undefined ? undefined : client.sealed.open(sealedToken, partnerId)
  if (url === undefined || token === undefined) return notDone('There is no token of the partner: register anew.')
  const offered = await readEndpoints(client, partner, { url, token, prefer })
  if (!offered.ok) return notDone(offered.message)
  const ours = newToken(partnerId, random)
  const offer = { hash: ours.hash, at: now(), kind: 'offered' } as const
  const begun = await changePartner(context, partner, (known) =>
    known.state === 'removed' ? undefined : { ...known, tokenHashes: given(known.tokenHashes, offer) },
  )
  if (!begun) return notDone('The partner was removed meanwhile.')
  const send = (method: 'POST' | 'PUT'): Promise<Called> =>
    client.call(partner, {
      method,
      url: endpointUrl(offered, 'credentials') ?? url,
      token,
      body: credentialsOf(party, ours.text, settings),
    })
  const [first, other] = partner.state === 'invited' ? (['POST', 'PUT'] as const) : (['PUT', 'POST'] as const)
  let called = await send(first)
  // Registered already: its answer to an earlier POST was lost. Or the partner has forgotten us.
  if (!called.ok && called.status === 405) called = await send(other)
  const answer = called.ok ? readFields(credentialsSchema(), called.data) : undefined
  if (!called.ok || !answer?.ok) {
    // An uncertain partner may have taken the token: it stays, beside the older ones.
    if (!called.ok && !called.isUncertain) {
      await changePartner(context, partner, (known) => ({
        ...known,
        tokenHashes: withdrawn(known.tokenHashes, ours.hash),
      }))
    }
    return notDone(called.ok ? 'Its answer to our credentials has none of its own.' : called.message)
  }
  const changed = await changePartner(context, partner, (known) =>
    known.state === 'removed'
      ? undefined
      : {
          ...asRegistered(known, answer.value, offered, client.sealed),
          tokenHashes: accepted(known.tokenHashes, ours.hash),
          lastContactAt: now(),
          ...(partner.state === 'invited' && { tokensPulledAt: undefined }),
        },
  )
  return changed ?? notDone('The partner was removed meanwhile.')
}

function notDone(detail: string): Refusal {
  return refuse(422, 'partner_refused', detail)
}
