/** Shares at a station that takes watts alone (GROUP-P3): watts of one phase until the charge shows on how many. */
import type { BlockDraft } from '../ports/blocks.ts'
import { type Charging, chargesOf } from './charges.ts'
import { type AskedByGroup, isShare } from './demands.ts'
import type {
  ChargingAbilities,
  ChargingDemand,
  ChargingInput,
  ChargingStation,
  ConnectorWiring,
  Draw,
  ShownDraw,
  StoredProfile,
} from './records.ts'
import { fewestPhases, mostAmps, mostPhases, putStation, stationOf } from './rows.ts'

export interface WattShare {
  readonly phases: number
  /** Of all that the connector can give the watts are those of all phases: no car draws more on one. */
  readonly fullAmps: number
}

interface KnownCharge {
  readonly station?: ChargingStation | undefined
  readonly charges: readonly Charging[]
}

export function shownDraw({ station, charges }: KnownCharge, evseId: number): ShownDraw | undefined {
  const charge = charges.find((one) => one.evseId === evseId)
  const shown = station?.drawsOn?.[evseId]
  return charge && shown?.transactionId === charge.transactionId ? shown : undefined
}

export function shownPhases(known: KnownCharge, evseId: number): number | undefined {
  return shownDraw(known, evseId)?.phases
}

/** Whether a reading shows something else; for a limit in amperes the number of phases does not matter. */
export function isNewlyShown(held: Held, evseId: number, { phases, isDirect }: Draw, now: number): boolean {
  const share = wattShareOf(held, evseId)
  if (phases === undefined || (!isDirect && !share)) return false
  const shown = shownDraw(held, evseId)
  const demand = held.demands.find((one) => one.evseId === evseId && isShare(one))
  const { cutAt } = (demand?.asked ?? {}) as Partial<AskedByGroup>
  // A meter that goes back and forth brings cuts at once, and raises seldom; one that was just cut is not raised.
  const isSoon = [shown?.at, cutAt].some((at) => at !== undefined && Math.abs(now - at) < RAISE_MS)
  if (isSoon && share && phases > share.phases) return false
  if (!shown || (isDirect && !shown.isDirect)) return true
  // A charge of direct current stays one.
  return !shown.isDirect && phases !== shown.phases
}

const RAISE_MS = 30_000

interface Held extends KnownCharge {
  readonly demands: readonly ChargingDemand[]
  readonly profiles: readonly StoredProfile[]
  readonly connectors: readonly ConnectorWiring[]
}

export function wattShareOf(held: Held, evseId: number): WattShare | undefined {
  const { demands, profiles, connectors } = held
  const holdsShare = demands.some((one) => one.evseId === evseId && isShare(one))
  if (!holdsShare || !profiles.some((row) => row.evseId === evseId && isInWatts(row))) return undefined
  return { phases: shownPhases(held, evseId) ?? 1, fullAmps: mostAmps(connectors, evseId) }
}

export function isInWatts({ source, profile }: StoredProfile): boolean {
  return source === 'desired' && profile.schedules.some(({ unit }) => unit === 'W')
}

/** Over how many phases a limit in watts, and a power without phases, is to be spread to be held against this. */
export function phasesOfDraw(held: Held, evseId: number, draw: Draw | undefined): number {
  const share = wattShareOf(held, evseId)
  return share ? (draw?.phases ?? share.phases) : fewestPhases(held.connectors, evseId)
}

/** A car that has not shown its phases needs the least of all of them; 1: not so here. @param rows of the EVSE */
export function spreadOf(
  { units }: ChargingAbilities,
  rows: readonly StoredProfile[],
  connectors: readonly ConnectorWiring[],
  evseId: number,
  shown: number | undefined,
): number {
  const takesWatts = units ? !units.includes('A') : rows.some(isInWatts)
  return takesWatts && shown === undefined ? mostPhases(connectors, evseId) : 1
}

export function onPhasesSeen(
  draft: BlockDraft,
  { evseId, phases, isDirect }: Extract<ChargingInput, { readonly kind: 'phasesSeen' }>,
): void {
  const charge = chargesOf(draft.state).find((one) => one.evseId === evseId)
  if (!charge) return
  const station = stationOf(draft)
  const shown = { transactionId: charge.transactionId, phases, at: draft.now, isDirect }
  putStation(draft, { ...station, drawsOn: { ...station.drawsOn, [evseId]: shown } })
}
