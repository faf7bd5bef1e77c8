/** Why a command about charging profiles is not sent (CHARGING-P2), for raw commands and raw profiles alike. */
import { chargingFaults } from '../../domain/charging/checks.ts'
import { foreignFaults } from '../../domain/charging/foreign.ts'
import { isOurId } from '../../domain/charging/plan.ts'
import type { ChargingOrder } from '../../domain/charging/profile.ts'
import type { StoredProfile } from '../../domain/charging/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuse } from '../../domain/refuse.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { viewOf } from '../reconcile/charging/charging.ts'

/** @param waits sent once ours lies above it (GROUP-A2) @param pointerOf from 2.0.1's spelling to the caller's body */
export function chargingObjection(
  { settings, clock }: Pick<CoreContext, 'settings' | 'clock'>,
  station: Station,
  { charging }: OcppVersion,
  order: ChargingOrder | undefined,
  waits: boolean,
  pointerOf: (pointer: string) => string,
): Refusal | undefined {
  if (!station.state || !order) return undefined
  const view = viewOf(station, settings, clock.now())
  const { needs, abilities, isUnsupported } = view.station ?? {}
  const faults = chargingFaults(order, {
    profiles: view.profiles.filter(mayBeThere),
    transactions: view.charges,
    evses: view.evses,
    hasNeeds: (evseId) => {
      const need = needs?.[evseId]
      const charge = view.charges.find((one) => one.evseId === evseId)
      return need !== undefined && (need.transactionId ?? charge?.transactionId) === charge?.transactionId
    },
    isStrict: charging.isStrict,
    abilities: isUnsupported ? { smartCharging: false } : abilities,
  })
  const brings = order.kind === 'set' || order.kind === 'start'
  const ours = brings && isOurId(order.profile.id)
  const all = [
    ...(ours ? [{ clause: 'K01.FR.05', pointer: '/chargingProfile/id', message: OURS }] : []),
    ...faults,
    ...(brings ? foreignFaults(order, view, waits) : []),
  ]
  if (all.length === 0) return undefined
  const errors = all.map(({ clause, pointer, message }) => ({ pointer: pointerOf(pointer), code: clause, message }))
  const detail = errors.map(({ pointer, code, message }) => `${pointer} ${message} (${code}).`).join(' ')
  return refuse(422, 'charging_profile_refused', detail, errors)
}

function mayBeThere({ state, acceptedAt }: StoredProfile): boolean {
  return state !== 'refused' || acceptedAt !== undefined
}

const OURS = 'is kept for profiles of limits: take another one'
