/** What a plan gives one charge point (GROUP-A9), carried out by what makes stations hold limits (CHARGING-S1). */
import { ampsAt, type Cap, type Caps } from '../charging/caps.ts'
import { type AskedByGroup, isShare, SHARE_OWNER } from '../charging/demands.ts'
import { onChargingDemanded } from '../charging/rules.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { GivenShare, LimitGroupInput } from './records.ts'

/** GROUP-A9: what an earlier plan gave is not carried out after a later one. */
export function onSharesGiven(draft: BlockDraft, { revision, shares }: LimitGroupInput): void {
  for (const share of shares) {
    const ofGroups = draft.state.records
      .all('charging_demands')
      .filter((demand) => demand.evseId === share.evseId && isShare(demand))
    if (ofGroups.some(({ asked }) => (asked as AskedByGroup).revision >= revision)) continue
    const owner = share.group === undefined ? undefined : SHARE_OWNER + share.group
    const left = ofGroups.filter((demand) => demand.owner !== owner).map(({ owner, evseId }) => ({ owner, evseId }))
    const caps = capsOf(share)
    const [before] = ofGroups
    const isCut = before !== undefined && ampsOf(draft, caps) < ampsOf(draft, before.caps)
    const cutAt = isCut ? draft.now : (before?.asked as AskedByGroup | undefined)?.cutAt
    const asked: AskedByGroup = { revision, ...(cutAt !== undefined && { cutAt }) }
    const given = owner === undefined ? [] : [{ owner, evseId: share.evseId, caps, asked }]
    onChargingDemanded(draft, { kind: 'chargingDemanded', demands: [...left, ...given] })
  }
}

function ampsOf({ now, voltage }: BlockDraft, { charge, standing }: Caps): number {
  const cap = charge ?? standing
  return (cap && ampsAt(cap, now, { voltage, phases: 3 })) ?? 0
}

function capsOf({ fallbackAmps = 0, lease, phases }: GivenShare): Caps {
  const cap = (steps: Cap['steps']): Cap => ({
    unit: 'A',
    ...(phases !== undefined && phases < 3 && { phases }),
    steps,
  })
  const standing = cap([{ at: 0, limit: fallbackAmps }])
  if (!lease) return { standing }
  const first = { at: 0, limit: lease.amps }
  const steps = lease.amps === lease.afterAmps ? [first] : [first, { at: lease.endsAt, limit: lease.afterAmps }]
  return { standing, charge: { ...cap(steps), ...(lease.seconds !== undefined && { leaseSeconds: lease.seconds }) } }
}
