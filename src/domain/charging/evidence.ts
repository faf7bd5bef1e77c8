/** What a station's schedule and its meter say of the limits that it accepted (CHARGING-S6). */
import { backOff } from '../intents/states.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import {
  allowedAmps,
  chargesOf,
  compareCurrent,
  compareSchedules,
  type Expectation,
  READINGS_TO_IGNORE,
} from './charges.ts'
import { compositeSchedule } from './composite.ts'
import { heldProfiles } from './plan.ts'
import { isAbove } from './profile.ts'
import type { Draw, Verdict } from './records.ts'
import { newestAcceptance, proofOf, putProof, staleAt, withUndescribed } from './rows.ts'
import { phasesOfDraw } from './watts.ts'

/** Measured current is looked at so long after a limit was accepted. */
const SETTLE_MS = 60_000
/** Looked for in vain so often, the schedule alone counts. */
const MAX_ATTEMPTS_TO_PROVE = 3
/** What is proved is asked again now and then: a station may forget. */
const AGAIN_MS = 15 * 60_000

export function onProof(draft: BlockDraft, evseId: number, { answer, reported }: InputOf<'chargingAnswered'>): void {
  const proof = proofOf(draft, evseId)
  if (!proof) return
  if (answer.outcome === 'failed') {
    const attempts = proof.attempts + 1
    const dueAt = draft.now + (answer.isUnsent ? 0 : (answer.waitMs ?? backOff(attempts)))
    putProof(draft, evseId, { ...proof, attempts, dueAt })
    return
  }
  const expected = expectationOf(draft, evseId)
  const isCharging = chargesOf(draft.state).some((one) => evseId === 0 || one.evseId === evseId)
  const verdict = reported ? beside(draft, expected, compareSchedules(reported, expected)) : 'pending'
  const isSettled = verdict === 'proved' || verdict === 'pending'
  const next = isSettled && isCharging ? 'current' : 'schedule'
  const seen: Verdict = verdict === 'proved' && isCharging ? 'pending' : verdict
  putProof(draft, evseId, {
    verdict: seen,
    at: draft.now,
    attempts: 0,
    next,
    told: reported,
    dueAt: draft.now + (next === 'current' ? SETTLE_MS : AGAIN_MS),
  })
}

export function onCurrentSeen(draft: BlockDraft, { evseId, draw }: InputOf<'currentSeen'>): void {
  const proof = proofOf(draft, evseId)
  if (!proof) return
  const expected = expectationOf(draft, evseId, draw)
  const allowed = allowedAmps(expected)
  if (allowed === undefined) return
  const acceptedAt = newestAcceptance(draft.state.records.all('charging_profiles'), evseId, draft.now)
  const fresh = draw && draw.at >= acceptedAt ? draw : undefined
  const found = fresh && compareCurrent(fresh, allowed)
  const { exceeded: before = 0, drawAmps: _d, ...rest } = proof
  const drawn = fresh?.amps !== undefined && { drawAmps: fresh.amps }
  if (found === 'ignored') {
    const exceeded = before + 1
    const isIgnored =
      exceeded >= READINGS_TO_IGNORE || (fresh?.offeredAmps !== undefined && isAbove(fresh.offeredAmps, allowed))
    const verdict = isIgnored ? 'ignored' : proof.verdict
    putProof(draft, evseId, {
      ...rest,
      ...drawn,
      verdict,
      exceeded,
      at: draft.now,
      next: 'current',
      dueAt: draft.now + SETTLE_MS,
    })
    return
  }
  if (!found) {
    // Without measurements the schedule alone proves the limit.
    const attempts = proof.attempts + 1
    const reported = proof.told && compareSchedules(proof.told, expected)
    const isEnough = attempts >= MAX_ATTEMPTS_TO_PROVE || reported === 'proved'
    const next = isEnough ? 'schedule' : 'current'
    const verdict = isEnough && reported ? reported : proof.verdict
    putProof(draft, evseId, {
      ...rest,
      verdict,
      at: draft.now,
      attempts,
      next,
      dueAt: draft.now + (isEnough ? AGAIN_MS : SETTLE_MS),
    })
    return
  }
  putProof(draft, evseId, {
    ...rest,
    ...drawn,
    verdict: beside(draft, expected, found),
    at: draft.now,
    attempts: 0,
    next: 'schedule',
    dueAt: draft.now + AGAIN_MS,
  })
}

function expectationOf(draft: BlockDraft, evseId: number, draw?: Draw): Expectation {
  const { chargePointId, records, connectors: reported } = draft.state
  const charges = chargesOf(draft.state)
  const wiring = draft.record('wirings', { chargePointId })
  const connectors = withUndescribed(wiring?.connectors ?? [], reported.values())
  const [demands, profiles] = [records.all('charging_demands'), records.all('charging_profiles')]
  const station = draft.record('charging_stations', { chargePointId })
  return {
    profiles: heldProfiles(profiles),
    phases: phasesOfDraw({ demands, profiles, station, charges, connectors }, evseId, draw),
    evseId,
    charge: charges.find((one) => one.evseId === evseId),
    voltage: draft.voltage,
    now: draft.now,
  }
}

/** It does what all profiles say together: whether that is the desired limit depends on the other profiles. */
function beside(draft: BlockDraft, expected: Expectation, verdict: Verdict): Verdict {
  if (verdict !== 'proved') return verdict
  const rows = draft.state.records.all('charging_profiles').filter(({ owner }) => owner === 'pilotwire')
  const own = { ...expected, profiles: heldProfiles(rows) }
  const schedule = compositeSchedule({ ...expected, from: draft.now, durationSeconds: AGAIN_MS / 1000, unit: 'A' })
  let isLess = false
  for (const { startSeconds, limit } of schedule) {
    const ours = allowedAmps(own, draft.now + startSeconds * 1000)
    if (ours === undefined) continue
    if (limit === undefined || limit >= ours + 0.5) return 'ignored'
    isLess ||= startSeconds === 0 && limit <= ours - 0.5
  }
  return isLess ? 'limitedElsewhere' : verdict
}

/** K17.FR.12 and .13: beyond what we allow it is refused, and what we allow is sent again. */
export function onCarScheduleReported(
  draft: BlockDraft,
  { evseId, schedule }: InputOf<'carScheduleReported'>,
): Outcome {
  if (!schedule || draft.state.records.all('charging_demands').length === 0) return {}
  if (compareSchedules(schedule, expectationOf(draft, evseId)) !== 'ignored') return {}
  staleAt(draft, evseId)
  return { refused: 'beyond_limits' }
}
