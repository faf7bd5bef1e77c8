/** Drives campaigns, and looks at due logs and updates. All state is stored: after a kill it goes on (FIRMWARE-C6). */

import { type CampaignAction, nextStep, stateAfter } from '../../domain/firmware/campaign.ts'
import { hasNoRecipient, plannedRows } from '../../domain/firmware/plan.ts'
import type { Campaign, CampaignRow, CampaignState } from '../../domain/firmware/records.ts'
import { periodically } from '../../domain/periodic.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { type FileJob, fileToken, fileTokenHash } from '../../secrets/file-token.ts'
import { inGroups, type UseCaseContext } from '../context.ts'

export type RolloutContext = Pick<
  UseCaseContext,
  'reads' | 'writes' | 'core' | 'clock' | 'random' | 'secretKey' | 'isKeeper' | 'log'
>

interface ActsBy {
  /** Charge points that the caller may know of; undefined: all of the account. */
  readonly shared?: readonly string[] | undefined
  /** What a person starts or resumes is theirs from then on, and not an application's (OIDC-C13). */
  readonly isPerson?: boolean | undefined
}

export interface Rollouts {
  /** Undefined: the campaign is not in a state for that. */
  act(campaign: Pick<Campaign, 'accountId' | 'id'>, action: CampaignAction, by?: ActsBy): Promise<Campaign | undefined>
  rows(campaignId: string): Promise<readonly CampaignRow[]>
  plan(campaign: Campaign, shared: readonly string[] | undefined): Promise<readonly CampaignRow[]>
  stop(): void
  whenIdle(): Promise<void>
}

const STEP_MS = 1_000
const PAGE = 500

export function startRollouts(parts: RolloutContext): Rollouts {
  const { reads, writes, core, clock, log, isKeeper } = parts
  /** One after the other in this process; other servers may change a campaign, too (FIRMWARE-C7). */
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  const rows: Rollouts['rows'] = (campaignId) => allRecords(reads, 'firmware_campaign_rows', { campaignId })

  const online = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = ids.length === 0 ? [] : await core.connectivity(ids)
    return new Set(found.filter((one) => one.online).map(({ chargePointId }) => chargePointId))
  }

  const order = (campaign: Campaign, { chargePointId, wave }: CampaignRow): (() => Promise<void>) => {
    const { accountId, id: campaignId, target, onlyIdle, hours, silenceMs } = campaign
    const createdAt = clock.now()
    const requestId = parts.random(4).readUInt32BE() >>> 1 || 1
    const job: FileJob = { kind: 'firmware', chargePointId, requestId, createdAt }
    const tokenHash = fileTokenHash(fileToken(parts.secretKey, job))
    const ordered = { requestId, campaignId, wave, target, onlyIdle, hours, silenceMs, createdAt, tokenHash }
    const input = { kind: 'firmwareOrdered', ...ordered } as const
    return async () => {
      const outcome = await core.decideBlock({ accountId, chargePointId, input })
      // It was deleted meanwhile, so there is nothing left to update.
      if ('status' in outcome && outcome.status === 404) await skip(campaignId, chargePointId, wave)
    }
  }

  const skip = (campaignId: string, chargePointId: string, wave: number): Promise<void> =>
    writes.putRecords('firmware_campaign_rows', [
      { campaignId, chargePointId, wave, state: 'skipped', reason: 'deleted', updatedAt: clock.now() },
    ])

  /** One step of one campaign. @returns whether there may be another one at once */
  const step = async (campaign: Campaign): Promise<{ readonly campaign: Campaign; readonly moved: boolean }> => {
    const known = await rows(campaign.id)
    const waiting = known.filter(({ state }) => state === 'waiting' || state === 'planned')
    const connected = await online(waiting.map(({ chargePointId }) => chargePointId))
    const resumed = await reads.getRecord('campaign_resumptions', { campaignId: campaign.id })
    const next = nextStep(campaign, known, (id) => connected.has(id), clock.now(), resumed?.at)
    const { accountId } = campaign
    const moved = next.campaign !== campaign || next.put.length > 0
    // First what is decided: a campaign that is stopped orders nothing more, whatever comes in between.
    if (moved && !(await changed(campaign, next.campaign, next.put))) return onward(campaign)
    await inGroups([
      ...next.order.map((row) => order(campaign, row)),
      ...next.recall.map(({ row: { chargePointId, requestId }, into }) => async () => {
        const input = requestId !== undefined && ({ kind: 'firmwareRecalled', requestId, into } as const)
        if (input) await core.decideBlock({ accountId, chargePointId, input })
      }),
    ])
    return { campaign: next.campaign, moved }
  }

  /** Where another server has changed it meanwhile, nothing is stored of what was decided on what it was. */
  const changed = (
    seen: Campaign,
    campaign: Campaign,
    put: readonly CampaignRow[],
    resumedAt?: number,
  ): Promise<boolean> =>
    writes.changeRecordsIf(
      [
        { kind: 'firmware_campaigns', put: campaign },
        ...(resumedAt === undefined
          ? []
          : [{ kind: 'campaign_resumptions' as const, put: { campaignId: seen.id, at: resumedAt } }]),
        ...put.map((row) => ({ kind: 'firmware_campaign_rows' as const, put: row })),
      ],
      { kind: 'firmware_campaigns', put: seen },
    )

  const onward = async (seen: Campaign): Promise<{ readonly campaign: Campaign; readonly moved: boolean }> => {
    const { accountId, id } = seen
    const campaign = await reads.getRecord('firmware_campaigns', { accountId, id })
    return { campaign: campaign ?? seen, moved: campaign !== undefined }
  }

  const settle = async (campaign: Campaign): Promise<Campaign> => {
    let current = campaign
    // Each step goes forward; there are not more of them than waves and what lies between.
    for (let steps = 0; steps < 3 * campaign.waves.length + 5; steps++) {
      const { campaign: after, moved } = await step(current)
      current = after
      if (!moved) break
    }
    return current
  }

  const plan: Rollouts['plan'] = async (campaign, shared) => {
    const { accountId, selector } = campaign
    const selected = await selectChargePoints(reads, accountId, selector, shared)
    const found = selected.filter(({ registrationStatus }) => registrationStatus === 'Accepted')
    const connected = await online(found.map(({ id }) => id))
    return plannedRows(campaign, found, connected, clock.now())
  }

  const started = async (campaign: Campaign, shared: readonly string[] | undefined): Promise<Campaign | undefined> => {
    const all = await plan(campaign, shared)
    for (let at = 0; at < all.length; at += PAGE)
      if (!(await changed(campaign, campaign, all.slice(at, at + PAGE)))) return undefined
    const reason = hasNoRecipient(all)
    return { ...campaign, wave: 1, ...(reason !== undefined && { state: 'done', reason }) }
  }

  const acted = async (
    campaign: Campaign,
    action: CampaignAction,
    { shared, isPerson = false }: ActsBy,
    state: CampaignState,
  ): Promise<Campaign | undefined> => {
    const now = clock.now()
    const begun = action === 'start' ? await started(campaign, shared) : campaign
    if (!begun) return undefined
    const grantId = isPerson && state === 'running' ? undefined : campaign.grantId
    const isOver = begun.state === 'done'
    const reason = isOver ? begun.reason : state === 'running' ? undefined : campaign.reason
    const after: Campaign = { ...begun, grantId, state: isOver ? 'done' : state, reason, updatedAt: now }
    const forgets = campaign.state === 'stopped' && action === 'resume'
    return (await changed(campaign, after, [], forgets ? now : undefined)) ? settle(after) : undefined
  }

  /** FIRMWARE-U5, FIRMWARE-D4: of those who are away, only what gives up. */
  const checkDue = async (): Promise<void> => {
    const where = { dueAt: { below: clock.now() + 1 } }
    const logs = await allRecords(reads, 'log_requests', where)
    const updates = await allRecords(reads, 'firmware_updates', where)
    const waiting = updates.filter(({ state }) => state === 'waiting')
    const connected = await online(waiting.map(({ chargePointId }) => chargePointId))
    await inGroups([
      ...logs.map(({ accountId, chargePointId, requestId }) => async () => {
        await core.decideBlock({ accountId, chargePointId, input: { kind: 'logDue', requestId } })
      }),
      ...updates
        .filter(({ state, chargePointId }) => state !== 'waiting' || connected.has(chargePointId))
        .map(({ accountId, chargePointId, requestId }) => async () => {
          await core.decideBlock({ accountId, chargePointId, input: { kind: 'firmwareDue', requestId } })
        }),
    ])
  }

  const look = async (): Promise<void> => {
    await checkDue()
    await takeSnapshot({ state: 'running' })
    // Who was held or has ended is looked at as long as something of it may still have to be taken back.
    const updatedAt = { from: clock.now() - FRESH_MS }
    for (const state of ['paused', 'stopped', 'cancelled'] as const) await takeSnapshot({ state, updatedAt })
  }
  const takeSnapshot = async (where: { state: CampaignState; updatedAt?: { from: number } }): Promise<void> => {
    const found = await allRecords(reads, 'firmware_campaigns', where)
    for (const campaign of found) if (!looks.isStopped()) await settle(campaign)
  }

  const looks = periodically({
    clock,
    isKeeper,
    work: () => inTurn(look),
    everyMs: STEP_MS,
    failed: (error) => log.error({ error: error.message }, 'campaigns could not be looked at'),
  })

  return {
    rows,
    plan,
    act: ({ accountId, id }, action, by = {}) =>
      inTurn(async () => {
        for (;;) {
          const campaign = await reads.getRecord('firmware_campaigns', { accountId, id })
          const state = campaign && stateAfter(campaign.state, action)
          if (!campaign || !state) return undefined
          const done = await acted(campaign, action, by, state)
          if (done) return done
        }
      }),
    stop: () => void looks.stop(),
    whenIdle: async () => void (await queue),
  }
}

/** Orders that were on their way when it was paused or cancelled are known after that. */
const FRESH_MS = 10 * 60_000
