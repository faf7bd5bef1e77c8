/** Charging profiles by command: set, clear, report, and the schedule that comes of them. */
import type { Payload } from '../../src/ocpp/version.ts'
import {
  allowedW,
  type ChargingProfile,
  install,
  isForStation,
  matches,
  type ProfileMatch,
  readProfile,
} from '../model/charging-profiles.ts'
import { timestamp } from '../model/dialect.ts'
import { type CommandTarget, selectedOutlets } from './target.ts'

const COMPOSITE_STEP_SECONDS = 60
const MOST_PERIODS = 24
const NOMINAL_W = 22_000
const VOLTAGE_V = 230

export function setProfile(target: CommandTarget, connectorId: number, source: Payload): Payload {
  const outlets = selectedOutlets(target, connectorId)
  const profile = readProfile(source, connectorId)
  if (!outlets || profile.periods[0]?.startSeconds !== 0) return { status: 'Rejected' }
  if (profile.purpose === 'TxProfile' && !isForOpenTransaction(target, profile)) return { status: 'Rejected' }
  if (isForStation(profile) && connectorId !== 0) return { status: 'Rejected' }
  target.keepProfiles(install(target.profiles(), profile))
  target.afterAnswer(() => target.useProfiles(target.profiles()))
  return { status: 'Accepted' }
}

/** 1.6 §5.16, K01.FR.03, FR.09, FR.16 and FR.33: one connector with the transaction that is named. */
function isForOpenTransaction(target: CommandTarget, { connectorId, transactionId }: ChargingProfile): boolean {
  const open = target.outlets.find((outlet) => outlet.connectorId === connectorId)?.transaction
  if (!open) return false
  if (transactionId === undefined) return target.protocol === 'ocpp1.6'
  return transactionId === open.transactionId
}

export function clearProfiles(target: CommandTarget, match: ProfileMatch): Payload {
  const kept = target.profiles().filter((profile) => !matches(profile, match))
  if (kept.length === target.profiles().length) return { status: 'Unknown' }
  target.keepProfiles(kept)
  target.afterAnswer(() => target.useProfiles(target.profiles()))
  return { status: 'Accepted' }
}

/** Periods of the next seconds, in watts or amperes; undefined when there is no such connector. */
export function compositeSchedule(
  target: CommandTarget,
  connectorId: number,
  durationSeconds: number,
  unit: 'A' | 'W',
): { readonly startAt: string; readonly periods: readonly { startPeriod: number; limit: number }[] } | undefined {
  const outlet = selectedOutlets(target, connectorId)?.[0]
  if (!outlet) return undefined
  const now = target.clock.now()
  const periods: { startPeriod: number; limit: number }[] = []
  const { transaction = { startedAt: now } } = outlet
  const step = Math.max(COMPOSITE_STEP_SECONDS, Math.ceil(durationSeconds / 1440))
  for (let startPeriod = 0; startPeriod < durationSeconds && periods.length < MOST_PERIODS; startPeriod += step) {
    const at = now + startPeriod * 1000
    const watts = allowedW(target.profiles(), { at, connectorId: outlet.connectorId, transaction }, 3) ?? NOMINAL_W
    const limit = Math.round((unit === 'W' ? watts : watts / VOLTAGE_V / 3) * 10) / 10
    if (periods.at(-1)?.limit !== limit) periods.push({ startPeriod, limit })
  }
  return { startAt: timestamp(now), periods }
}
