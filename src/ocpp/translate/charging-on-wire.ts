/** What a version says of charging profiles: which calls carry them, and what the answers mean. */
import type { ChargingOrder, ChargingProfile, RateUnit, ReportedSchedule } from '../../domain/charging/profile.ts'
import type { OutgoingCall, Payload } from '../payload.ts'

export interface ChargingOnWire {
  /** A TxProfile must name its transaction, an absolute schedule its start. */
  readonly isStrict: boolean
  readonly set: (evseId: number, profile: ChargingProfile) => OutgoingCall
  readonly clear: (profileId: number) => OutgoingCall
  /** All of everybody, where it cannot be asked what it holds. */
  readonly clearAll?: OutgoingCall | undefined
  readonly composite: (evseId: number, durationSeconds: number, unit?: RateUnit) => OutgoingCall
  /** Asks for all that it holds, of one EVSE or of all; left out: this version cannot be asked (1.6). */
  readonly list?: (requestId: number, evseId?: number) => OutgoingCall
  /** Asks what its smart charging can do; the answer is values of its device model. */
  readonly abilities: OutgoingCall
  /** Sets a configuration key or variable to a number; undefined: its name is none. */
  readonly setKey: (key: string, value: string) => OutgoingCall | undefined
  /** Asks for its value, as for `abilities`. */
  readonly readKey: (key: string) => OutgoingCall | undefined
  /** What a command of anybody means for charging profiles; undefined: nothing. */
  readonly readOrder: (call: OutgoingCall) => ChargingOrder | undefined
  /** This version's spelling of a place in such a command. */
  readonly pointer: (pointer: string, call: OutgoingCall) => string
  readonly readComposite: (response: Payload) => ReportedSchedule | undefined
}
