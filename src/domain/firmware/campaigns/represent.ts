import { isoTime } from '../../iso-time.ts'
import type { Campaign, CampaignRow, SeenStatus } from '../records.ts'

const MINUTE_MS = 60_000

export function representCampaign(campaign: Campaign, rows: readonly CampaignRow[]): object {
  const { id, state, reason, selector, target, hours, waves, maxFailureMillionths, soakMs, silenceMs } = campaign
  const { onlyIdle, retryOffline, wave, soakUntil, createdAt, updatedAt } = campaign
  const counts: Record<string, number> = {}
  for (const row of rows) counts[row.state] = (counts[row.state] ?? 0) + 1
  return {
    id,
    state,
    reason,
    selector,
    firmwareId: target.firmwareId,
    location: target.location,
    version: target.version,
    signed: target.certificate !== undefined && target.signature !== undefined,
    window: hours,
    waves,
    maxFailureRate: maxFailureMillionths / 1_000_000,
    onlyIdle,
    retryOffline,
    soakMinutes: soakMs / MINUTE_MS,
    silenceMinutes: silenceMs / MINUTE_MS,
    ...(wave > 0 && { wave }),
    soakUntil: isoTime(soakUntil),
    counts,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

/** @param isOnline says why one waits @param statuses all that the charge point reported (FIRMWARE-U3) */
export function representRow(row: CampaignRow, isOnline: boolean, statuses: readonly SeenStatus[] = []): object {
  const { chargePointId, wave, state, status, reason, updatedAt } = row
  const waits = state === 'waiting' && !isOnline ? 'offline' : undefined
  return {
    evseControllerId: chargePointId,
    wave,
    state,
    status,
    reason: reason ?? waits,
    ...(statuses.length > 0 && { history: statuses.map((seen) => ({ status: seen.status, at: isoTime(seen.at) })) }),
    updatedAt: isoTime(updatedAt),
  }
}
