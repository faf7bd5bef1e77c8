/**
 * How many of a thing an account may have (CONFIG-A13): far more than a fleet needs, and too few to slow the stations
 * of other accounts. Two that are made in the same moment may both find room: the limit is no exact one.
 */
import { refuse } from '../orders/refuse.ts'
import type { Refusal } from '../ports/refusal.ts'
import type { Reads } from '../ports/storage.ts'
import { OPEN_STATES } from './firmware/records.ts'

type Counting = Pick<Reads, 'countRecords'>

/** Each has up to 500 variables and 500 keys, and the core holds all of them. */
const MOST_CONFIGURATIONS = 100
const MOST_MONITOR_SETS = 100
const MOST_IMAGES = 200
/** Each is looked at every second until it is over. */
const MOST_OPEN_CAMPAIGNS = 20

/** 409 where there is no room for another one; undefined where there is. */
export async function configurationLimit(reads: Counting, accountId: string): Promise<Refusal | undefined> {
  const count = await reads.countRecords('configurations', { where: { accountId }, limit: MOST_CONFIGURATIONS })
  if (count < MOST_CONFIGURATIONS) return undefined
  const detail = `An account has at most ${MOST_CONFIGURATIONS} configurations: delete one, or put its settings together.`
  return refuse(409, 'too_many_configurations', detail)
}

export async function monitorSetLimit(reads: Counting, accountId: string): Promise<Refusal | undefined> {
  const count = await reads.countRecords('monitor_sets', { where: { accountId }, limit: MOST_MONITOR_SETS })
  if (count < MOST_MONITOR_SETS) return undefined
  const detail = `An account has at most ${MOST_MONITOR_SETS} sets of monitors: delete one, or put them together.`
  return refuse(409, 'too_many_monitor_sets', detail)
}

export async function imageLimit(reads: Counting, accountId: string): Promise<Refusal | undefined> {
  const count = await reads.countRecords('firmware_images', { where: { accountId }, limit: MOST_IMAGES })
  if (count < MOST_IMAGES) return undefined
  return refuse(409, 'too_many_firmware_images', `An account has at most ${MOST_IMAGES} firmware images: delete one.`)
}

export async function campaignLimit(reads: Counting, accountId: string): Promise<Refusal | undefined> {
  const where = { accountId, state: { in: OPEN_STATES } }
  const count = await reads.countRecords('firmware_campaigns', { where, limit: MOST_OPEN_CAMPAIGNS })
  if (count < MOST_OPEN_CAMPAIGNS) return undefined
  const detail = `An account has at most ${MOST_OPEN_CAMPAIGNS} campaigns that are not over: cancel one.`
  return refuse(409, 'too_many_campaigns', detail)
}
