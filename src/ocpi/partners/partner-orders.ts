/** Carries out what an operator orders of partners (OCPI-A1, OCPI-A8). */
import { canReplay, type PartnerOrders } from '../../application/partners/orders.ts'
import { given } from '../../domain/partners/credentials.ts'
import type { Partner, PartnerExchange } from '../../domain/partners/records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import { responseUrlFault } from '../commands/results.ts'
import { pushAgain } from '../pushes/push.ts'
import type { OcpiContext } from '../wire/module.ts'
import { asRemoved, changePartner } from './change.ts'
import { newPartnerId, newToken } from './credentials-object.ts'
import { endpointUrl, readVersions } from './endpoints.ts'
import { MAX_KEPT_BODY } from './exchanges.ts'
import { exchangeCredentials } from './registration.ts'

const MAX_PARTNERS = 1000
/** Whether the partner hears of the end or not, it ends. */
const WITHDRAWAL_MS = 5000

export function createPartnerOrders(context: OcpiContext): PartnerOrders {
  const { reads, writes, now, random, client } = context

  const partyOf = async (accountId: string) =>
    (await reads.getRecord('ocpi_parties', { accountId })) ??
    refuse(409, 'no_party', 'First say which party you are: PUT /2/ocpi/party.')

  const create = async (accountId: string, fields: Pick<Partner, 'name' | 'versionsUrl' | 'roles'>) => {
    const count = await reads.countRecords('partners', { where: { accountId }, limit: MAX_PARTNERS })
    if (count >= MAX_PARTNERS)
      return refuse(409, 'too_many_partners', `An account has at most ${MAX_PARTNERS} partners.`)
    const [partnerId, at] = [newPartnerId(random), now()]
    const nothing = { state: 'invited', tokenHashes: [], endpoints: [], createdAt: at, updatedAt: at } as const
    const partner: Partner = { accountId, partnerId, ...nothing, ...fields }
    await writes.putRecords('partners', [partner])
    return partner
  }

  /** A new token A, beside the one before. */
  const inviteAgain = async (partner: Partner) => {
    const token = newToken(partner.partnerId, random)
    const changed = await changePartner(context, partner, (known) =>
      known.state === 'invited'
        ? { ...known, tokenHashes: given(known.tokenHashes, { hash: token.hash, at: now(), kind: 'invitation' }) }
        : undefined,
    )
    return changed ? { partner: changed, token: token.text } : noSuch('invited partner')
  }

  return {
    async putParty(party) {
      const put = { ...party, updatedAt: now() }
      await writes.putRecords('ocpi_parties', [put])
      return put
    },

    async add(accountId, { name, roles = [], url, token }) {
      const party = await partyOf(accountId)
      if ('refused' in party) return party
      if (url !== undefined && urlFault(url) !== undefined) {
        return refuse(400, 'invalid_url', 'The address must begin with https://.')
      }
      const all = url === undefined ? [] : await allRecords(reads, 'partners', { accountId })
      const begun = all.find((one) => one.state === 'invited' && one.versionsUrl === url)
      const parties = roles.filter((role) => typeof role !== 'string')
      const partner = begun ?? (await create(accountId, { name, roles: parties, versionsUrl: url }))
      if ('refused' in partner) return partner
      if (token === undefined) return inviteAgain(partner)
      const sealedToken = client.sealed.seal(token, partner.partnerId)
      const known = await changePartner(context, partner, (now) => ({ ...now, name, sealedToken }))
      const done = await exchangeCredentials(context, party, known ?? partner)
      if (!('refused' in done)) return done
      return { ...done, detail: `${done.detail} It is kept as partner ${partner.partnerId}: send the same again.` }
    },

    async rotate(partner) {
      if (partner.state === 'invited' && partner.versionsUrl === undefined) return inviteAgain(partner)
      if (partner.state !== 'invited' && partner.state !== 'registered') {
        return refuse(409, 'partner_not_registered', 'Its credentials are not in use: there is nothing to rotate.')
      }
      const party = await partyOf(partner.accountId)
      return 'refused' in party ? party : exchangeCredentials(context, party, partner)
    },

    async change(partner, { name, state }) {
      const changed = await changePartner(context, partner, (known) => {
        if (state !== undefined && known.state !== 'registered' && known.state !== 'suspended') return undefined
        return { ...known, ...(name !== undefined && { name }), ...(state !== undefined && { state }) }
      })
      return (
        changed ??
        refuse(409, 'partner_not_registered', 'Only a registered partner can be suspended, and taken up again.')
      )
    },

    async remove(partner) {
      const url = endpointUrl(partner, 'credentials')
      if (url !== undefined && partner.state !== 'removed') {
        await client.call(partner, { method: 'DELETE', url, timeoutMs: WITHDRAWAL_MS })
      }
      await changePartner(context, partner, asRemoved)
    },

    async test(partner) {
      const { versionsUrl: url, sealedToken, partnerId } = partner
      const token = sealedToken && client.sealed.open(sealedToken, partnerId)
      if (url === undefined || token === undefined) {
        return { fault: 'The partner has not registered yet, so there is no address to call.' }
      }
      const versions = await readVersions(client, partner, { url, token })
      return 'ok' in versions ? { fault: versions.message } : { versions: versions.map(({ version }) => version) }
    },

    replay: (partner, exchange) => replayExchange(context, partner, exchange),
  }
}

/** What a replay sends: of a push the object as it is now. */
async function replayExchange(context: OcpiContext, partner: Partner, exchange: PartnerExchange) {
  const pushed = await pushAgain(context, partner, exchange)
  if (pushed === 'nothing') return { fault: 'There is no such object any more that the partner is shown.' }
  if (pushed) return pushed.ok ? {} : { fault: pushed.message }
  const { client, settings } = context
  const { method, url, request, attempt } = exchange
  // It goes with the token of today: to no host that the partner has left.
  const isElsewhere = responseUrlFault(partner, url, settings) !== undefined
  if (isElsewhere || !canReplay(exchange) || (request?.length ?? 0) >= MAX_KEPT_BODY) {
    const why = 'Only what we sent to where the partner still is: no credentials, and nothing over 16 KiB.'
    return refuse(409, 'not_replayable', why)
  }
  const body: unknown = request === undefined ? undefined : JSON.parse(request)
  const called = await client.call(partner, { method: method as 'GET', url, body, attempt: attempt + 1 })
  return called.ok ? {} : { fault: called.message }
}
