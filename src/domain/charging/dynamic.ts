/** Dynamic profiles (OCPP 2.1 K28): a limit that ends by itself unless updated or pulled (OCPP21-C1, OCPP21-C2). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { isFresh } from './caps.ts'
import { chargesOf } from './charges.ts'
import { scheduleIn } from './forms.ts'
import { desiredProfiles } from './plan.ts'
import { type ChargingProfile, LEAST_AMPS } from './profile.ts'
import type { StoredProfile } from './records.ts'
import { fewestPhases, profileOf, putProfile, withUndescribed } from './rows.ts'

/** Its lease counts from now on (K28.FR.05, .09). */
export function renewed(profile: ChargingProfile, at: number): ChargingProfile {
  if (profile.kind !== 'Dynamic') return profile
  return { ...profile, schedules: profile.schedules.map((schedule) => ({ ...schedule, startAt: at })) }
}

/** When what the station holds there ends by itself; undefined: it does not count its time. */
export function dynamicEnd({ profile: { kind, schedules } }: Pick<StoredProfile, 'profile'>): number | undefined {
  const { startAt, durationSeconds } = schedules[0] ?? {}
  if (kind !== 'Dynamic' || startAt === undefined || durationSeconds === undefined) return undefined
  return startAt + durationSeconds * 1000
}

/** Whether the station may be sent the new limit alone. */
export function isSameButLimit(held: StoredProfile | undefined, { kind, ...next }: ChargingProfile): boolean {
  if (held?.state !== 'accepted' || held.profile.kind !== 'Dynamic' || kind !== 'Dynamic') return false
  return constant(held.profile) === constant(next)
}

function constant({ stackLevel, transactionId, schedules }: Omit<ChargingProfile, 'kind'>): string {
  const each = schedules.map(({ unit, durationSeconds, periods }) => [unit, durationSeconds, periods[0]?.phases])
  return JSON.stringify([stackLevel, transactionId, each])
}

/** OCPP21-C2: a share counts with what it is given (GROUP-A1) before that is desired, so a pull may have it at once. */
export function onDynamicSchedulePulled(draft: BlockDraft, { profileId }: InputOf<'dynamicSchedulePulled'>): Outcome {
  const row = profileOf(draft, profileId)
  if (row?.profile.kind !== 'Dynamic' || (row.state !== 'accepted' && row.state !== 'sent')) return {}
  const desired = row.owner === 'raw' ? undefined : desiredNow(draft, row)
  const scheduleLimit = row.owner === 'raw' ? row.profile.schedules[0]?.periods[0]?.limit : desired?.limit
  if (scheduleLimit === undefined) return {}
  // Of a newer one the update is on its way.
  if (!desired?.isNewer) putProfile(draft, { ...row, profile: renewed(row.profile, draft.now) })
  return { scheduleLimit }
}

function desiredNow(draft: BlockDraft, { id, evseId, basis, form = '', profile }: StoredProfile) {
  const { chargePointId, records, connectors: reported } = draft.state
  const connectors = withUndescribed(draft.record('wirings', { chargePointId })?.connectors ?? [], reported.values())
  const { voltage, now } = draft
  const desired = desiredProfiles({
    demands: records.all('charging_demands'),
    profiles: records.all('charging_profiles'),
    station: draft.record('charging_stations', { chargePointId }),
    charges: chargesOf(draft.state),
    connectors,
    voltage,
    now,
  }).find((one) => one.id === id)
  const isNewer = desired?.basis !== basis
  // A lease that is over is not renewed: what may be drawn from now on comes as an update.
  if (!desired?.lease || (isNewer && !isFresh(desired.lease, now))) return undefined
  const pauseAmps = form.endsWith(`/${LEAST_AMPS}`) ? LEAST_AMPS : 0
  const held = { name: form, unit: profile.schedules[0]?.unit ?? 'A', pauseAmps, isDynamic: true } as const
  const { schedule } = scheduleIn(held, desired, { voltage, phases: fewestPhases(connectors, evseId) }, 1, now)
  return { limit: schedule.periods[0]?.limit, isNewer }
}
