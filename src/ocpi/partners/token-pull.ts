/** Pulls the tokens of partners when they register and daily (OCPI-A3), and removes those of partners that left. */
import { isRecent } from '../../domain/due.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Party } from '../../domain/partners/ocpi-versions.ts'
import type { Partner, PartnerToken } from '../../domain/partners/records.ts'
import { type IsKeeper, periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/core.ts'
import { PART, recordPages } from '../../domain/records/all-records.ts'
import type { OcpiContext } from '../wire/module.ts'
import { changePartner } from './change.ts'
import { endpointUrl, hubOf } from './endpoints.ts'
import { readToken } from './tokens.ts'

const DAY_MS = 24 * 3600_000
/** Our clock and the partner's are not the same: what changed a little earlier is read again. */
const OVERLAP_MS = 3600_000
const RETRY_MS = 900_000
const LOOK_MS = 2000
const PAGE = 500

interface PullContext extends Pick<OcpiContext, 'reads' | 'writes' | 'client' | 'now' | 'random' | 'log'> {
  readonly clock: Pick<Clock, 'after'>
  readonly isKeeper?: IsKeeper | undefined
}

export function startTokenPulls(context: PullContext): { stop(): Promise<void> } {
  const { reads, now, log, clock, isKeeper } = context
  /** Of those that failed, and of those that are gone and have no tokens any more. */
  const triedAt = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  const isWithin = (at: number | undefined, ms: number): boolean => at !== undefined && isRecent(at, now(), ms)
  const isDue = ({ partnerId, state, tokensPulledAt }: Partner): boolean => {
    if (running.has(partnerId) || isWithin(triedAt.get(partnerId), RETRY_MS)) return false
    return state === 'removed' || (state === 'registered' && !isWithin(tokensPulledAt, DAY_MS))
  }
  const carryOut = async (partner: Partner): Promise<void> => {
    const { partnerId } = partner
    triedAt.set(partnerId, now())
    if (partner.state === 'removed') return removeTokens(context, partner)
    const fault = await pullTokens(context, partner, loop.isStopped)
    if (fault === undefined) triedAt.delete(partnerId)
    else if (!loop.isStopped()) log.warn({ partner: partnerId, fault }, 'tokens of a partner could not be pulled')
  }
  const failed = ({ message: error }: Error): void => {
    if (!loop.isStopped()) log.error({ error }, 'tokens of partners could not be pulled')
  }
  // Each by itself: a partner that answers slowly delays no other.
  const look = async (): Promise<void> => {
    for await (const page of recordPages(reads, 'partners')) {
      for (const partner of page.filter(isDue)) {
        const run = carryOut(partner).catch(failed)
        const { partnerId } = partner
        running.set(
          partnerId,
          run.finally(() => running.delete(partnerId)),
        )
      }
    }
  }
  const loop = periodically({ clock, isKeeper, everyMs: LOOK_MS, work: look, failed })
  return {
    async stop() {
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}

/** @returns what failed; undefined where nothing did, or there is nothing to pull */
async function pullTokens(
  context: PullContext,
  partner: Partner,
  isStopped: () => boolean,
): Promise<string | undefined> {
  const { reads, client, now } = context
  const url = endpointUrl(partner, 'tokens', 'SENDER')
  const party = await reads.getRecord('ocpi_parties', { accountId: partner.accountId })
  const begunAt = now()
  if (url !== undefined && party) {
    const from = partner.tokensPulledAt
    const query = new URLSearchParams({ limit: String(PAGE) })
    if (from !== undefined) query.set('date_from', isoTime(Math.max(0, from - OVERLAP_MS)))
    for (const to of sendersOf(partner)) {
      const routing = { from: party, to }
      for await (const page of client.pages(partner, { url: `${url}?${query}`, routing })) {
        if ('ok' in page) return page.message
        await storePage(context, partner, page)
        if (isStopped()) return 'The server stopped.'
      }
    }
  }
  await changePartner(context, partner, (known) =>
    known.state === 'registered' && known.tokensPulledAt === partner.tokensPulledAt
      ? { ...known, tokensPulledAt: begunAt, ...(url !== undefined && { lastContactAt: now() }) }
      : undefined,
  )
  return undefined
}

/** Each of its providers is asked; of a hub the hub, which answers for all that it reaches (OCPI-A9). */
function sendersOf(partner: Partner): readonly Party[] {
  const hub = hubOf(partner)
  if (hub) return [hub]
  const { roles } = partner
  const providers = roles.filter(({ role }) => role !== 'CPO')
  return providers.length > 0 ? providers : roles
}

/** What is wrong is passed over; what was pushed meanwhile, or since the page was made, stays. */
async function storePage({ reads, writes, log, now }: PullContext, partner: Partner, page: readonly unknown[]) {
  const { accountId, partnerId, version = '2.2.1' } = partner
  const fresh = page.flatMap((one) => {
    const read = readToken(partner, version, one)
    return read.ok ? [read.token] : []
  })
  if (fresh.length < page.length) {
    log.warn({ partner: partnerId, wrong: page.length - fresh.length }, 'tokens of a partner were wrong')
  }
  for (let at = 0; at < fresh.length; at += PAGE) {
    const some = fresh.slice(at, at + PAGE)
    const uids = [...new Set(some.map(({ uid }) => uid))]
    const known = new Map<string, PartnerToken>()
    const where = { accountId, uid: { in: uids }, partnerId }
    for await (const stored of recordPages(reads, 'partner_tokens', where)) {
      for (const one of stored) known.set(keyOf(one), one)
    }
    const newer = some.filter((one) => {
      const before = known.get(keyOf(one))?.lastUpdated
      return before === undefined || before <= one.lastUpdated || before > now()
    })
    await writes.putRecords('partner_tokens', newer)
  }
}

function keyOf({ uid, countryCode, partyId, type }: PartnerToken): string {
  return JSON.stringify([uid, countryCode, partyId, type])
}

async function removeTokens({ reads, writes }: PullContext, { accountId, partnerId }: Partner): Promise<void> {
  for (;;) {
    const some = await reads.listRecords('partner_tokens', { where: { accountId, partnerId }, limit: PART })
    if (some.length === 0) return
    await writes.removeRecords('partner_tokens', some)
  }
}
