import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { aCampaign } from '../../../test/support/records.ts'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import type { Campaign, CampaignRow } from '../../domain/firmware/records.ts'
import type { FileStore } from '../../storage/database.ts'
import { type RolloutContext, type Rollouts, startRollouts } from './rollouts.ts'

const CAMPAIGN = aCampaign({ maxFailureMillionths: 0, soakMs: 60_000, silenceMs: 60_000 })
/** The first wave is over, so the next step lets it soak. */
const ROWS: readonly CampaignRow[] = [
  { campaignId: 'cmp_1', chargePointId: 'CP1', wave: 1, state: 'succeeded', requestId: 1, updatedAt: 0 },
  { campaignId: 'cmp_1', chargePointId: 'CP2', wave: 2, state: 'planned', updatedAt: 0 },
]
const KEY = { accountId: 'A', id: 'cmp_1' }

// FIRMWARE-C7: a campaign that two servers change at the same moment
let store: FileStore
const servers: Rollouts[] = []
const clock = manualClock(1_000_000)
beforeEach(async () => {
  store = storeOfTest()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
})
afterEach(() => {
  for (const server of servers.splice(0)) server.stop()
})

const prepared = async (campaign: Campaign, rows: readonly CampaignRow[]): Promise<void> => {
  await store.writes.putRecords('firmware_campaigns', [campaign])
  await store.writes.putRecords('firmware_campaign_rows', rows)
}
const aServer = (isKeeper: boolean, parts: Partial<RolloutContext> = {}): Rollouts => {
  const core = {
    connectivity: async () => [],
    decideBlock: async () => ({ refused: 'nobody is there' }),
  } as unknown as RolloutContext['core']
  const log = { error: () => undefined } as unknown as RolloutContext['log']
  const { reads, writes } = store
  const server = startRollouts({
    reads,
    writes,
    core,
    clock,
    random: randomBytes,
    secretKey: randomBytes(32),
    log,
    isKeeper: async () => isKeeper,
    ...parts,
  })
  servers.push(server)
  return server
}
/** Resolves when the step that the clock brings has begun. */
const once = (): { readonly reached: Promise<void>; readonly reach: () => void } => {
  let reach = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach }
}
const stored = () => store.reads.getRecord('firmware_campaigns', KEY)

it('FIRMWARE-C8: one that meets nobody is done as soon as it is started, and says why', async () => {
  await prepared({ ...CAMPAIGN, state: 'draft', wave: 0 }, [])
  const campaign = await aServer(false).act(KEY, 'start')
  expect(campaign).toMatchObject({ state: 'done', reason: 'The selector means no charge point.' })
  expect(await stored()).toMatchObject({ state: 'done' })
})

it('FIRMWARE-C1, OIDC-C3: it leaves out who is not accepted, whoever makes it', async () => {
  for (const registrationStatus of ['Accepted', 'Pending', 'Rejected'] as const) {
    const chargePoint = { id: registrationStatus, accountId: 'A', securityProfile: 1, createdAt: 0 } as const
    await store.writes.createChargePoint({ ...chargePoint, registrationStatus })
  }
  const rows = await aServer(false).plan({ ...CAMPAIGN, state: 'draft' }, undefined)
  expect(rows.map(({ chargePointId }) => chargePointId)).toEqual(['Accepted'])
})

it('FIRMWARE-C3: one that its failures stopped goes on when somebody resumes it', async () => {
  const failed: CampaignRow = { campaignId: 'cmp_1', chargePointId: 'CP1', wave: 1, state: 'failed', updatedAt: 0 }
  const stopped: Campaign = { ...CAMPAIGN, state: 'stopped', reason: '1 of 1 failed', waves: ['100%'] }
  await prepared(stopped, [failed, { ...failed, chargePointId: 'CP2', state: 'running', requestId: 1 }])
  const server = aServer(false)
  expect(await server.act(KEY, 'resume')).toMatchObject({ state: 'running' })
  expect((await stored())?.reason).toBeUndefined()
  await store.writes.putRecords('firmware_campaign_rows', [
    { ...failed, chargePointId: 'CP2', updatedAt: clock.now() + 1 },
  ])
  await server.act(KEY, 'pause')
  expect(await server.act(KEY, 'resume')).toMatchObject({ state: 'stopped' })
})

it('one that is paused while another server steps it stays paused', async () => {
  await prepared(CAMPAIGN, ROWS)
  const asked = aServer(false)
  const { reached, reach } = once()
  let isFirst = true
  const connectivity = async () => {
    if (isFirst) {
      isFirst = false
      // The keeper has read the campaign and not yet stored what it decides.
      expect(await asked.act(KEY, 'pause')).toMatchObject({ state: 'paused' })
      reach()
    }
    return []
  }
  const keeper = aServer(true, { core: { connectivity } as unknown as RolloutContext['core'] })
  clock.advance(1_000)
  await reached
  await keeper.whenIdle()
  expect(await stored()).toMatchObject({ state: 'paused', wave: 1 })
  expect(await stored()).not.toHaveProperty('soakUntil')
})

it('what the keeper has decided stays when it is paused the moment after', async () => {
  await prepared(CAMPAIGN, ROWS)
  const { reached, reach } = once()
  let changes = 0
  const changeRecordsIf: RolloutContext['writes']['changeRecordsIf'] = async (...args) => {
    const isStored = await store.writes.changeRecordsIf(...args)
    if (++changes === 1) reach()
    return isStored
  }
  const keeper = aServer(true, { writes: { ...store.writes, changeRecordsIf } })
  let isFirst = true
  const getRecord: RolloutContext['reads']['getRecord'] = async (kind, key) => {
    const found = await store.reads.getRecord(kind, key)
    if (isFirst) {
      isFirst = false
      clock.advance(1_000)
      await reached
      await keeper.whenIdle()
    }
    return found
  }
  const asked = aServer(false, { reads: { ...store.reads, getRecord } })
  expect(await asked.act(KEY, 'pause')).toMatchObject({ state: 'paused', soakUntil: clock.now() + 60_000 })
  expect(await stored()).toMatchObject({ state: 'paused', soakUntil: clock.now() + 60_000 })
})

it('of two that start it one does, and what it has begun is not planned anew', async () => {
  const chargePoint = { id: 'CP1', accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted' } as const
  await store.writes.createChargePoint({ ...chargePoint, createdAt: 0 })
  await prepared({ ...CAMPAIGN, state: 'draft', wave: 0 }, [])
  const other = aServer(false)
  let isFirst = true
  const connectivity = async () => {
    if (isFirst) {
      isFirst = false
      expect(await other.act(KEY, 'start')).toMatchObject({ state: 'running', wave: 1 })
      const begun = { campaignId: 'cmp_1', chargePointId: 'CP1', wave: 1, requestId: 7, updatedAt: 0 } as const
      await store.writes.putRecords('firmware_campaign_rows', [{ ...begun, state: 'running' }])
    }
    return []
  }
  const one = aServer(false, { core: { connectivity } as unknown as RolloutContext['core'] })
  expect(await one.act(KEY, 'start')).toBeUndefined()
  expect(await one.rows('cmp_1')).toMatchObject([{ chargePointId: 'CP1', state: 'running', requestId: 7 }])
})
