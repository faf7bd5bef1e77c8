/** Stores reported values as variables (DEVICE-A4), in parts that are small beside a group of messages. */

import { newestReport } from '../../domain/device-model/following.ts'
import type {
  MessageLimits,
  NumericLimit,
  Report,
  ReportedValue,
  StoredVariable,
  ValueBatch,
} from '../../domain/device-model/records.ts'
import { variableKey } from '../../domain/device-model/variable-names.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { STATION_LIMITS } from '../../domain/sessions/limits/at-station.ts'
import { nextTurn } from '../../threads/next-turn.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideNow, whenCommitted } from './decide-now.ts'
import { stored } from './subject.ts'

const PART = 200
const BATCHES = 20
const RETRY_MS = 60_000

const WAITING = stored('value_batches', () => undefined, undefined, BATCHES)

export function createPlaceValues(context: () => CoreContext): CoreContext['desired']['placing'] {
  const waiting = new Set<string>()
  let running = false
  let isStopped = false
  const run = async (): Promise<void> => {
    for (;;) {
      const [stationId] = waiting
      if (stationId === undefined || isStopped) break
      waiting.delete(stationId)
      try {
        await placeAll(context(), stationId, () => isStopped)
      } catch (error) {
        const { log, clock } = context()
        log.warn({ chargePoint: stationId, error: (error as Error).message }, 'reported values could not be stored yet')
        clock.after(RETRY_MS, () => wake(stationId))
      }
      await nextTurn()
    }
    running = false
  }
  const wake = (stationId: string): void => {
    waiting.add(stationId)
    if (running || isStopped) return
    running = true
    void run()
  }
  return {
    wake,
    async wakeAll() {
      for await (const page of WAITING(context())) for (const { chargePointId } of page) wake(chargePointId)
    },
    stop() {
      isStopped = true
    },
  }
}

async function placeAll(context: CoreContext, stationId: string, isStopped: () => boolean): Promise<void> {
  const { stations } = context
  for (;;) {
    const station = stations.current(stationId) ?? (await stations.load(stationId, 'unowned'))
    if (!station?.state || station.isElsewhere || isStopped()) return
    // Reports that ended first, then the batches, by then committed.
    const ended = station.state.records.all('reports').filter(({ ending }) => ending !== undefined)
    await whenCommitted(context, stationId)
    const batches = await context.store.listRecords('value_batches', {
      where: { chargePointId: stationId },
      limit: BATCHES,
    })
    if (batches.length === 0) return finishReports(context, stationId, ended, isStopped)
    for (const batch of [...batches].sort((one, other) => one.at - other.at)) {
      await placeBatch(context, station, batch)
      await nextTurn()
      if (isStopped()) return
    }
  }
}

async function placeBatch(context: CoreContext, station: Station, batch: ValueBatch): Promise<void> {
  const { told: values } = batch
  for (let at = 0; at < values.length; at += PART) {
    await placePart(context, station, batch, values.slice(at, at + PART), at + PART >= values.length)
    await nextTurn()
  }
}

async function placePart(
  context: CoreContext,
  { id: chargePointId, state }: Station,
  { reportId, at, batch }: ValueBatch,
  values: readonly ReportedValue[],
  isLast: boolean,
): Promise<void> {
  if (!state) throw new Error('The state of the charge point is not loaded.')
  const { accountId } = state
  // Of duplicates in one message the later counts.
  const reported = new Map(values.map((value) => [variableKey(value), value]))
  const keys = [...reported.keys()]
  const found = await context.store.listRecords('variables', {
    where: { chargePointId, key: { in: keys } },
    limit: PART,
  })
  const known = new Map(found.map((row) => [row.key, row]))
  const report = reportId === undefined ? undefined : state.records.find('reports', { chargePointId, id: reportId })
  const full = report?.isWhole === true ? report.id : undefined
  const count = state.records.find('device_models', { chargePointId })?.variableCount ?? 0
  let room = context.settings.mostVariables - count
  const rows: StoredVariable[] = []
  let added = 0
  let isTruncated = false
  for (const [key, value] of reported) {
    const before = known.get(key)
    if (!before && room <= 0) {
      isTruncated = true
      continue
    }
    if (!before) {
      room--
      added++
    }
    const after = placed(before, value, { chargePointId, accountId, key, at, reportId: full })
    if (after !== before) rows.push(after)
  }
  await decideNow(context, chargePointId, {
    kind: 'valuesPlaced',
    at,
    placed: [...reported].map(([key, { value, mutability }]) => ({
      key,
      value,
      isWriteOnly: (mutability ?? known.get(key)?.characteristics.mutability)?.toLowerCase() === 'writeonly',
    })),
    rows,
    added,
    isTruncated,
    reportId,
    limits: limitsOf(reported),
    ...(isLast && { batch }),
  })
}

interface Placing extends Pick<StoredVariable, 'chargePointId' | 'accountId' | 'key'> {
  readonly at: number
  /** Of a full report. */
  readonly reportId: number | undefined
}

/** Attributes that are missing this time stay. Returns the same row when nothing is new. */
function placed(
  before: StoredVariable | undefined,
  { component, variable, attribute, value = before?.value, ...reported }: ReportedValue,
  { chargePointId, accountId, key, at, reportId }: Placing,
): StoredVariable {
  const seenIn = newestReport(before?.seenIn, reportId)
  const characteristics = { ...before?.characteristics, ...reported }
  const isSame =
    before !== undefined &&
    !before.gone &&
    before.value === value &&
    before.seenIn === seenIn &&
    JSON.stringify(before.characteristics) === JSON.stringify(characteristics)
  if (isSame) return before
  return {
    chargePointId,
    key,
    accountId,
    componentName: component.name.toLowerCase(),
    variableName: variable.name.toLowerCase(),
    name: before?.name ?? { component, variable, attribute },
    value,
    characteristics,
    gone: false,
    seenIn,
    updatedAt: before !== undefined && before.value === value && !before.gone ? before.updatedAt : at,
  }
}

/** Some firmware sends numbers. */
const TRUE = /^\s*(true|1)\s*$/i

const FLAGS: Readonly<Record<string, NumericLimit>> = {
  'tariffcostctrlr.available[cost]': 'costAvailable',
  'tariffcostctrlr.enabled[cost]': 'costEnabled',
  'tariffcostctrlr.available[tariff]': 'tariffAvailable',
  'tariffcostctrlr.enabled[tariff]': 'tariffEnabled',
  'tariffcostctrlr.conditionssupported[tariff]': 'tariffConditions',
  'chargepoint.customdisplaycostandprice': 'costAvailable',
}

const LIMITS: Readonly<Record<string, NumericLimit>> = {
  'devicedatactrlr.itemspermessage[setvariables]': 'setItems',
  'devicedatactrlr.itemspermessage[getvariables]': 'getItems',
  'devicedatactrlr.bytespermessage[setvariables]': 'setBytes',
  'devicedatactrlr.bytespermessage[getvariables]': 'getBytes',
  'devicedatactrlr.itemspermessage[getreport]': 'reportItems',
  'devicedatactrlr.bytespermessage[getreport]': 'reportBytes',
  'monitoringctrlr.itemspermessage[setvariablemonitoring]': 'setMonitors',
  'monitoringctrlr.bytespermessage[setvariablemonitoring]': 'setMonitorBytes',
  'monitoringctrlr.itemspermessage[clearvariablemonitoring]': 'clearMonitors',
  'chargepoint.getconfigurationmaxkeys': 'maxKeys',
  'tariffcostctrlr.maxelements[tariff]': 'tariffElements',
  'localauthlistctrlr.itemspermessage': 'listItems',
  'localauthlistctrlr.bytespermessage': 'listBytes',
  'chargepoint.sendlocallistmaxlength': 'listItems',
  'chargepoint.localauthlistmaxlength': 'listEntries',
}

export function limitsOf(reported: ReadonlyMap<string, ReportedValue>): MessageLimits | undefined {
  const found: Partial<Record<NumericLimit, number>> & { tariffCurrency?: string } = {}
  for (const [key, name] of Object.entries(FLAGS)) {
    const said = reported.get(key)?.value
    if (said !== undefined) found[name] = TRUE.test(said) ? 1 : 0
  }
  for (const [key, name] of Object.entries(LIMITS)) {
    const limit = Number(reported.get(key)?.value)
    if (Number.isSafeInteger(limit) && limit > 0) found[name] = limit
  }
  // D01: not the number of entries but their maximum.
  const most = reported.get('localauthlistctrlr.entries')?.maxLimit
  if (most !== undefined && most > 0) found.listEntries = most
  const supported = reported.get('txctrlr.supportedlimits')?.value
  if (supported !== undefined) found.chargeLimits = bitsOf(supported)
  const currency = reported.get('tariffcostctrlr.currency')?.value?.trim().toUpperCase()
  if (currency !== undefined && /^[A-Z]{3}$/.test(currency)) found.tariffCurrency = currency
  return Object.keys(found).length === 0 ? undefined : found
}

/** E16.FR.12: a list such as `maxEnergy,maxTime`; some stations write `MaxCost`. */
function bitsOf(supported: string): number {
  const listed = supported.toLowerCase().split(/[\s,;]+/)
  return CHARGE_LIMITS.reduce((bits, [name, kind]) => bits | (listed.includes(name) ? STATION_LIMITS[kind].bit : 0), 0)
}

const CHARGE_LIMITS = [
  ['maxenergy', 'energy'],
  ['maxcost', 'cost'],
  ['maxtime', 'duration'],
  ['maxsoc', 'stateOfCharge'],
] as const

/** DEVICE-A2: reports that ended and whose values are all stored. */
async function finishReports(
  context: CoreContext,
  chargePointId: string,
  ended: readonly Report[],
  isStopped: () => boolean,
): Promise<void> {
  for (const { id } of ended) {
    const report = context.stations.known(chargePointId)?.state?.records.find('reports', { chargePointId, id })
    if (!report || isStopped()) return
    if (report.ending === 'complete' && report.isWhole && !report.truncated) {
      await markGone(context, chargePointId, report)
    }
    await decideNow(context, chargePointId, { kind: 'reportPlaced', id })
  }
}

/** Variables that neither this report, nor a newer one with values in place, nor a later message contained. */
async function markGone(context: CoreContext, chargePointId: string, report: Report): Promise<void> {
  const { id, askedAt = report.createdAt } = report
  for await (const page of recordPages(context.store, 'variables', { chargePointId }, PART)) {
    const rows = page.filter(({ gone, seenIn, updatedAt }) => {
      return !gone && (seenIn === undefined ? updatedAt < askedAt : seenIn < id)
    })
    if (rows.length > 0) await decideNow(context, chargePointId, { kind: 'variablesGone', rows })
    await nextTurn()
  }
}
