/** What configures a station, what it shows, and what can be done with it. `charge-point.ts` makes one. */

import type { Clock, Protocol } from '../src/domain/ports/core.ts'
import type { Payload } from '../src/ocpp/translate/payload.ts'
import type { Charging } from './model/charging.ts'
import type { BootReason, Call, ConnectorStatus, FinishedCharge, NamePlate, Token } from './model/facts.ts'
import type { ListRules } from './model/local-list.ts'
import type { Reading, Vehicle } from './model/meter.ts'
import type { OutsideLimits } from './model/smart-charging/outside.ts'
import type { SecurityProfile } from './security/network-access.ts'
import type { SimulatedClock } from './time/simulated-time.ts'
import type { KeyDeclaration } from './v16/configuration.ts'
import type { VariableDeclaration } from './v201/device-model/variable.ts'
import type { FrameShape, WireObserver } from './wire/frames.ts'

/** What a test that connects a station says of it as well. */
export interface StationOptions {
  /** Without the identity: `ws://localhost:8080/ocpp`. */
  readonly url: string
  readonly id: string
  /** Sent as HTTP Basic; absent: no Authorization header. */
  readonly password?: string
  /** What a person's waits follow, such as that of a card for its cable; default: the clock of physics. */
  readonly personTime?: Clock
  /** The same seed gives the same frames but for times and for what the server chooses; absent: others each time. */
  readonly seed?: number
  /** What is printed on it; default: ours, with the id as serial number. */
  readonly plate?: Partial<NamePlate>
  /** Misbehaviours that no quirk stands for. */
  readonly behaviour?: Behaviour
  /** Names a transaction (2.0.1 only: in 1.6 the server does); `usual` gives the name that the seed has for it. */
  readonly newTransactionId?: (usual: () => string) => string
  readonly connectors?: number
  /**
   * How each connector is wired to the grid, such as `['RST', 'STR', 'TRS']`; the last one stands for all that follow.
   * Default: `RST`.
   */
  readonly phaseRotation?: readonly string[]
  /** Volts of each phase of the grid; the server's is `PILOTWIRE_VOLTAGE`. Default: 230. */
  readonly voltage?: number
  /** How much local list it keeps and takes; default: 1000 cards, 100 and 16 KiB in a message. */
  readonly localList?: Partial<ListRules>
  /** OCPP security profile; default: 2 with `wss:`, 1 with a password, otherwise 0. */
  readonly securityProfile?: SecurityProfile
  /** 1.6: the address for the profiles 2 and 3; default: the same one with `wss:`. */
  readonly secureUrl?: string
  /** 2.0.1: variables that it has besides the usual ones, or in their place. */
  readonly variables?: readonly VariableDeclaration[]
  /** 1.6: configuration keys likewise. */
  readonly keys?: readonly KeyDeclaration[]
  /** The meter signs each charge from the start (OCMF); otherwise a setting decides. */
  readonly signsReadings?: boolean
  /** False: no driver plugs in after a remote start. */
  readonly hasDriver?: boolean
  /** What went wrong on the wire: a frame that breaks its schema, an answer that never came. */
  readonly problem?: (message: string) => void
}

export interface ChargePointOptions extends StationOptions {
  readonly protocol: Protocol
  /** Time stamps; without `time` also physics and waits. */
  readonly clock?: Clock
  /** Periods of charging schedules; follows the time stamps. Default: `clock`. */
  readonly scheduleTime?: Clock
  /** Physics and waits; may run ahead of the time stamps. */
  readonly time?: SimulatedClock
  readonly shape?: FrameShape
  readonly observer?: WireObserver
  readonly vehicle?: Vehicle
  /** Seconds of physics per second of wall clock; time stamps always show the wall clock. */
  readonly timeScale?: number
  /** Milliseconds between samples of a running transaction; 0 (default): only when asked. */
  readonly sampleIntervalMs?: number
  readonly strict?: boolean
  readonly reconnect?: boolean
  readonly handshakeTimeoutMs?: number
  /** Between two tries of one transaction message, multiplied by the number of tries. */
  readonly messageRetryIntervalMs?: number
}

/** What real firmware does differently where no single frame shows it. All absent: the station behaves. */
export interface Behaviour {
  readonly bootsOnReconnect?: true
  /** Loses and regains the connection so often, in simulated seconds. */
  readonly reconnectsEverySeconds?: number
  readonly ignoresSettings?: true
  /** Always says that more pages of a report follow, and sends them. */
  readonly endlessReports?: true
  /** Names another station in its certificate requests. */
  readonly foreignSerial?: true
  readonly distrustsFirmware?: true
  readonly failsInstallation?: true
  /** In the middle of the first attempt. */
  readonly breaksOffDownload?: true
  readonly endlessUpload?: true
  /** Accepts charging profiles and charges as if there were none. */
  readonly ignoresProfiles?: true
  readonly forgetsProfilesAtReboot?: true
  /** Has no profile any more once a charge goes on after a pause. */
  readonly forgetsAtResume?: true
  readonly forgetsOffline?: true
  /** Accepts a TxProfile while the charge is suspended, forgets all that it has, and goes on. */
  readonly discardsWhileSuspended?: true
  readonly refusesZero?: true
  readonly wattsOnly?: true
  /** What is a limit of all connectors together is one of each. */
  readonly limitsPerConnector?: true
  /** Has another system's profiles at the highest stack level. */
  readonly foreignProfile?: true
  /** 2.1: refuses every tariff, each in the way that there is for it. */
  readonly refusesTariffs?: true
  readonly refusesDynamicUpdates?: true
  /** Names the limits of a transaction MaxCost, MaxEnergy and so on. */
  readonly capitalLimits?: true
  /** So many seconds ahead, or behind where it is negative. */
  readonly clockAheadSeconds?: number
}

export interface ConnectorSnapshot {
  readonly connectorId: number
  readonly status: ConnectorStatus
  readonly plugged: boolean
  readonly fault?: string
  readonly reading: Reading
  /** On L1, L2 and L3 of the grid; of direct current what its rectifier draws. */
  readonly gridCurrentA: readonly number[]
  /** `transactionId` is absent in 1.6 until the central system sent one. */
  readonly transaction?: {
    readonly transactionId?: string
    readonly energyWh: number
    readonly idToken: string
    readonly cost?: number
    /** `maxEnergy`, `maxCost` … (2.1). */
    readonly limitReached?: string
  }
  /** The address in its QR code, with the one-time password of this moment (2.1 C25). */
  readonly qrCode?: string
}

export interface Snapshot {
  readonly online: boolean
  readonly registered: boolean
  readonly securityProfile: SecurityProfile
  readonly firmwareVersion: string
  readonly queuedMessages: number
  /** Why there is no connection, or why the last transaction message was not taken, and what to do. */
  readonly trouble: string | undefined
  /** The texts that the display shows now (2.0.1). */
  readonly display: readonly string[]
  readonly connectors: readonly ConnectorSnapshot[]
}

export interface ChargePoint
  extends Omit<
    Charging,
    | 'outlet'
    | 'reportStatus'
    | 'setOperative'
    | 'applyLimits'
    | 'awaitCable'
    | 'triggerMeterValues'
    | 'tellRate'
    | 'useAlignedInterval'
    | 'changeTariff'
  > {
  readonly id: string
  readonly protocol: Protocol
  connect(): Promise<void>
  readonly outside: OutsideLimits
  readonly connectionTimeoutSeconds: number
  readonly meterPublicKey: string
  /** The registration status; Pending and Rejected are retried after the interval they name. */
  boot(reason?: BootReason): Promise<string>
  /** Asks the central system, or offline what the station knows. */
  authorise(token: Token): Promise<string | undefined>
  heartbeat(): Promise<void>
  /** Charging goes on and its messages are queued. `abrupt` sends no close frame. */
  disconnect(abrupt?: boolean): Promise<void>
  /** Resolves when every transaction message was accepted, or the connection is gone. */
  flush(): Promise<void>
  /** Charges go on only in the meter. */
  powerCut(): Promise<void>
  /** Connects, boots and ends the transactions that were open. */
  powerUp(): Promise<void>
  /** Simulates a meter that loses its register. */
  setRegister(connectorId: number, registerWh: number): void
  say(text: string): void
  call(call: Call): Promise<Payload>
  snapshot(): Snapshot
  /** Oldest first. */
  readonly finished: readonly FinishedCharge[]
  setTimeScale(timeScale: number): void
  powerOff(): Promise<void>
}
