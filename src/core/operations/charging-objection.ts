/** Why a command about charging profiles is not sent (CHARGING-P2): asked of raw commands and of raw profiles alike. */
import { chargesOf } from '../../domain/charging/charges.ts'
import { type ChargingOrder, chargingFaults } from '../../domain/charging/checks.ts'
import { evsesOf } from '../../domain/charging/evses.ts'
import { isOurId } from '../../domain/charging/plan.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuse } from '../../domain/refuse.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { Station } from '../memory/station.ts'

/** @param pointerOf where in the caller's body a place of the request stands, as OCPP 2.0.1 spells it */
export function chargingObjection(
  { state }: Station,
  { charging }: OcppVersion,
  order: ChargingOrder | undefined,
  pointerOf: (pointer: string) => string,
): Refusal | undefined {
  if (!state || !order) return undefined
  const { records, chargePointId } = state
  const needs = records.find('charging_stations', { chargePointId })?.needs
  const faults = chargingFaults(order, {
    profiles: records.all('charging_profiles').map(({ evseId, profile }) => ({ evseId, profile })),
    transactions: chargesOf(state),
    evses: evsesOf(state),
    hasNeeds: (evseId) => needs?.[evseId] !== undefined,
    isStrict: charging.isStrict,
  })
  const ours = order.kind === 'set' && isOurId(order.profile.id)
  const all = ours ? [{ clause: 'K01.FR.05', pointer: '/chargingProfile/id', message: OURS }, ...faults] : faults
  if (all.length === 0) return undefined
  const errors = all.map(({ clause, pointer, message }) => ({ pointer: pointerOf(pointer), code: clause, message }))
  const detail = errors.map(({ pointer, code, message }) => `${pointer} ${message} (${code}).`).join(' ')
  return refuse(422, 'charging_profile_refused', detail, errors)
}

const OURS = 'is kept for profiles of limits: take another one'
