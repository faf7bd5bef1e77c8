/** A campaign as a state machine: what its rows say, and so what is to be done next (FIRMWARE-C1 to FIRMWARE-C6). */
import { isDue } from '../due.ts'
import { isoTime } from '../iso-time.ts'
import type { Campaign, CampaignRow, CampaignState, SeenStatus } from './records.ts'

export type CampaignAction = 'start' | 'pause' | 'resume' | 'cancel'

const NEXT: Readonly<Record<CampaignAction, Readonly<Partial<Record<CampaignState, CampaignState>>>>> = {
  start: { draft: 'running' },
  pause: { running: 'paused' },
  resume: { paused: 'running', stopped: 'running' },
  cancel: { draft: 'cancelled', running: 'cancelled', paused: 'cancelled', stopped: 'cancelled' },
}

export function stateAfter(state: CampaignState, action: CampaignAction): CampaignState | undefined {
  return NEXT[action][state]
}

export function isEnded(state: CampaignState): boolean {
  return state === 'cancelled' || state === 'done'
}

interface CampaignStep {
  readonly campaign: Campaign
  readonly order: readonly CampaignRow[]
  /** What waits for its charge point and is no longer to be sent. */
  readonly recall: readonly { readonly row: CampaignRow; readonly into: 'planned' | 'cancelled' }[]
  readonly put: readonly CampaignRow[]
}

/** @param isOnline an offline station holds up no other @param resumedAt when it was begun again after its failures */
export function nextStep(
  campaign: Campaign,
  rows: readonly CampaignRow[],
  isOnline: (chargePointId: string) => boolean,
  now: number,
  resumedAt?: number,
): CampaignStep {
  const nothing: CampaignStep = { campaign, order: [], recall: [], put: [] }
  if (campaign.state === 'running') return running(campaign, rows, isOnline, now, resumedAt)
  if (campaign.state === 'cancelled') {
    return {
      ...nothing,
      recall: rows
        .filter(({ state }) => state === 'waiting' || state === 'running')
        .map((row) => ({ row, into: 'cancelled' })),
      put: rows
        .filter(({ state }) => state === 'planned')
        .map((row) => ({ ...row, state: 'cancelled', updatedAt: now })),
    }
  }
  return {
    ...nothing,
    recall: rows.filter(({ state }) => state === 'waiting').map((row) => ({ row, into: 'planned' })),
  }
}

function running(
  campaign: Campaign,
  rows: readonly CampaignRow[],
  isOnline: (chargePointId: string) => boolean,
  now: number,
  resumedAt = Number.NEGATIVE_INFINITY,
): CampaignStep {
  const nothing: CampaignStep = { campaign, order: [], recall: [], put: [] }
  const counted = rows.filter((row) => !isFailed(row) || row.updatedAt > resumedAt)
  const fault = tooManyFailures(campaign, counted, isOnline)
  if (fault !== undefined) {
    const stopped: Campaign = { ...campaign, state: 'stopped', reason: fault, soakUntil: undefined, updatedAt: now }
    return { ...nextStep(stopped, rows, isOnline, now), campaign: stopped }
  }
  const begun = rows.filter(({ wave }) => wave > 0 && wave <= campaign.wave)
  const planned = begun.filter(({ state }) => state === 'planned')
  if (planned.length > 0) {
    const isAway = (row: CampaignRow): boolean => !campaign.retryOffline && !isOnline(row.chargePointId)
    return {
      ...nothing,
      order: planned.filter((row) => !isAway(row)),
      put: planned.filter(isAway).map((row) => ({ ...row, state: 'skipped', reason: 'offline', updatedAt: now })),
    }
  }
  if (begun.some((row) => isGoingOn(row, isOnline))) return nothing
  const isLast = campaign.wave >= campaign.waves.length
  if (isLast) {
    if (begun.some(({ state }) => state === 'waiting')) return nothing
    return { ...nothing, campaign: { ...campaign, state: 'done', soakUntil: undefined, updatedAt: now } }
  }
  const current = begun.filter(({ wave }) => wave === campaign.wave)
  const needsProof = current.some(({ state }) => state !== 'skipped')
  if (needsProof && !current.some(isFinished)) return nothing
  if (needsProof && campaign.soakUntil === undefined) {
    return { ...nothing, campaign: { ...campaign, soakUntil: now + campaign.soakMs, updatedAt: now } }
  }
  if (!isDue(campaign.soakUntil ?? now, now, campaign.soakMs)) return nothing
  return { ...nothing, campaign: { ...campaign, wave: campaign.wave + 1, soakUntil: undefined, updatedAt: now } }
}

/** FIRMWARE-C3: as soon as the rate is certain to be exceeded; and when all that can have come to an end. */
function tooManyFailures(
  campaign: Campaign,
  rows: readonly CampaignRow[],
  isOnline: (chargePointId: string) => boolean,
): string | undefined {
  for (let wave = 1; wave <= campaign.wave; wave++) {
    const members = rows.filter((row) => row.wave === wave)
    const failed = members.filter(isFailed).length
    const ended = members.filter(isFinished).length
    const isSettled = !members.some((row) => row.state === 'planned' || isGoingOn(row, isOnline))
    const counted = isSettled ? ended : members.filter(({ state }) => state !== 'skipped').length
    if (failed * 1_000_000 > campaign.maxFailureMillionths * counted) {
      return `${failed} of ${counted} charge points of wave ${wave} failed; allowed are ${campaign.maxFailureMillionths / 10_000} %.`
    }
  }
  return undefined
}

/** It will come to an end without our doing; one that is offline may not. */
function isGoingOn({ state, chargePointId }: CampaignRow, isOnline: (chargePointId: string) => boolean): boolean {
  return state === 'running' || (state === 'waiting' && isOnline(chargePointId))
}

function isFailed({ state }: CampaignRow): boolean {
  return state === 'failed' || state === 'rejected'
}

function isFinished(row: CampaignRow): boolean {
  return row.state === 'succeeded' || isFailed(row)
}

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
