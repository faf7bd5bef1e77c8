/** How a version carries charging profiles: its calls, and the meaning of their answers. */
import type { ChargingOrder, ChargingProfile, RateUnit, ReportedSchedule } from '../../domain/charging/profile.ts'
import type { OutgoingCall, Payload } from '../payload.ts'

export interface ChargingOnWire {
  /** A TxProfile must name its transaction, an absolute schedule its start. */
  readonly isStrict: boolean
  readonly set: (evseId: number, profile: ChargingProfile) => OutgoingCall
  readonly clear: (profileId: number) => OutgoingCall
  /** Clears profiles of any origin, where installed ones cannot be listed. */
  readonly clearAll?: OutgoingCall | undefined
  readonly composite: (evseId: number, durationSeconds: number, unit?: RateUnit) => OutgoingCall
  /** Lists installed profiles, of one EVSE or all; absent in 1.6. */
  readonly list?: (requestId: number, evseId?: number) => OutgoingCall
  /** Asks for smart charging variables of the device model. */
  readonly abilities: OutgoingCall
  /** Sets a configuration key or variable to a number; undefined: not a valid name. */
  readonly setKey: (key: string, value: string) => OutgoingCall | undefined
  /** As for `abilities`. */
  readonly readKey: (key: string) => OutgoingCall | undefined
  /** A raw command's effect on charging profiles; undefined: none. */
  readonly readOrder: (call: OutgoingCall) => ChargingOrder | undefined
  /** This version's spelling of a pointer into such a command. */
  readonly pointer: (pointer: string, call: OutgoingCall) => string
  readonly readComposite: (response: Payload) => ReportedSchedule | undefined
}
