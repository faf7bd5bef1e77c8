/** What a station can be told, what it shows, and what can be done with it. `charge-point.ts` makes one. */

import type { Clock } from '../src/domain/ports/clock.ts'
import type { Protocol } from '../src/domain/ports/core.ts'
import type { Payload } from '../src/ocpp/payload.ts'
import type { Charging, FinishedCharge } from './model/charging.ts'
import type { BootReason, Call, ConnectorStatus, NamePlate, Token } from './model/facts.ts'
import type { ListRules } from './model/local-list.ts'
import type { Reading, Vehicle } from './model/meter.ts'
import type { OutsideLimits } from './model/smart-charging/outside.ts'
import type { SecurityProfile } from './security/network-access.ts'
import type { SimulatedClock } from './time/simulated-time.ts'
import type { KeyDeclaration } from './v16/configuration.ts'
import type { VariableDeclaration } from './v201/device-model/variable.ts'
import type { FrameShape, WireObserver } from './wire/frames.ts'

export interface ChargePointOptions {
  readonly protocol: Protocol
  /** Without the identity: `ws://localhost:8080/ocpp`. */
  readonly url: string
  readonly id: string
  /** Sent as HTTP Basic; absent: no Authorization header. */
  readonly password?: string
  /** What time stamps say; without `time` also what physics and waits follow. */
  readonly clock?: Clock
  /** What the periods of charging schedules wait for: it goes as the time stamps do. Default: `clock`. */
  readonly scheduleTime?: Clock
  /** What physics and waits follow; it may run ahead of the time stamps. */
  readonly time?: SimulatedClock
  /** What a person's waits follow, such as that of a card for its cable; default: `time`. */
  readonly personTime?: Pick<Clock, 'now' | 'monotonic' | 'after'>
  /** Decides message ids, transaction ids (2.0.1) and the meter; absent: another one each time. */
  readonly seed?: number
  readonly plate?: Partial<NamePlate>
  readonly shape?: FrameShape
  readonly observer?: WireObserver
  readonly behaviour?: Behaviour
  /** Names a transaction (2.0.1); `usual` gives the name that the seed has for it. */
  readonly newTransactionId?: (usual: () => string) => string
  readonly connectors?: number
  /** Of each connector, as OCPP writes it; the last one stands for all that follow. Default: `RST`. */
  readonly phaseRotation?: readonly string[]
  readonly vehicle?: Vehicle
  /** What each outlet gives at most. */
  readonly limitW?: number
  /** Of each phase of the grid; default: 230, as `PILOTWIRE_VOLTAGE`. */
  readonly voltage?: number
  /** The meter's lifetime register when the station is made. */
  readonly registerWh?: number
  /** Seconds of physics per second of wall clock; time stamps always show the wall clock. */
  readonly timeScale?: number
  /** Milliseconds between samples of a running transaction; 0 (default): only when asked. */
  readonly sampleIntervalMs?: number
  /** How much local list it keeps and takes. */
  readonly localList?: Partial<ListRules>
  readonly strict?: boolean
  readonly reconnect?: boolean
  readonly callTimeoutMs?: number
  /** How long a server may take to answer the upgrade. */
  readonly handshakeTimeoutMs?: number
  /** What it connects with; default: by the address and the password. It rises by order of the central system. */
  readonly securityProfile?: SecurityProfile
  /** 1.6: the address for the profiles 2 and 3; default: the same one with `wss:`. */
  readonly secureUrl?: string
  /** Variables (2.0.1) and keys (1.6) that it has besides the usual ones, or in their place. */
  readonly variables?: readonly VariableDeclaration[]
  readonly keys?: readonly KeyDeclaration[]
  /** Its meter signs the registers of each charge from the start (OCMF); later a setting decides. */
  readonly signsReadings?: boolean
  /** Whoever starts by an app is there and plugs in; default: yes. */
  readonly hasDriver?: boolean
  /** Tries of one transaction message, and the wait between them (multiplied by the number of tries). */
  readonly messageAttempts?: number
  readonly messageRetryIntervalMs?: number
  /** A frame that breaks its schema, an answer that never came; for the person who runs the station. */
  readonly problem?: (message: string) => void
}

/** What real firmware does differently where no single frame shows it. All absent: the station behaves. */
export interface Behaviour {
  /** Boots after every reconnect. */
  readonly bootsOnReconnect?: true
  /** Says statuses before it booted. */
  readonly statusBeforeBoot?: true
  /** Never boots. */
  readonly neverBoots?: true
  /** Authorizes with no card at all and starts when a cable is plugged in. */
  readonly plugAndCharge?: string
  /** Forgets an open transaction when it resets. */
  readonly forgetsOnReset?: true
  /** After a reconnect the statuses come before what waited. */
  readonly statusBeforeQueue?: true
  /** Loses and regains the connection so often, in simulated seconds. */
  readonly reconnectsEverySeconds?: number
  /** Accepts every setting and changes none. */
  readonly ignoresSettings?: true
  /** Always says that more pages of a report follow, and sends them. */
  readonly endlessReports?: true
  /** Names somebody else in its certificate requests. */
  readonly foreignSerial?: true
  /** Calls the signature of every firmware wrong. */
  readonly distrustsFirmware?: true
  /** Fails to install whatever it has fetched. */
  readonly failsInstallation?: true
  /** Loses the first attempt of each download in its middle. */
  readonly breaksOffDownload?: true
  /** Uploads a log that has no end. */
  readonly endlessUpload?: true
  /** Accepts charging profiles and charges as if there were none. */
  readonly ignoresProfiles?: true
  /** Has no profile any more after a boot. */
  readonly forgetsProfilesAtReboot?: true
  /** Has no profile any more once a charge goes on after a pause. */
  readonly forgetsAtResume?: true
  /** Has no profile any more once the connection is gone. */
  readonly forgetsOffline?: true
  /** Accepts a TxProfile while the charge is suspended, forgets all that it has, and goes on. */
  readonly discardsWhileSuspended?: true
  /** Takes no profile with a limit of zero. */
  readonly refusesZero?: true
  /** Takes profiles in watts alone. */
  readonly wattsOnly?: true
  /** What is a limit of all connectors together is one of each. */
  readonly limitsPerConnector?: true
  /** Has profiles of somebody else at the highest stack level. */
  readonly foreignProfile?: true
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
  /** An open transaction; its id is absent in 1.6 until the central system gave one. */
  readonly transaction?: {
    readonly transactionId?: string
    readonly energyWh: number
    readonly idToken: string
    /** What the display shows of its cost. */
    readonly cost?: number
  }
}

export interface Snapshot {
  readonly online: boolean
  readonly registered: boolean
  /** With which it connects. */
  readonly securityProfile: SecurityProfile
  readonly firmwareVersion: string
  /** Transaction messages that wait for a connection. */
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
  > {
  readonly id: string
  readonly protocol: Protocol
  connect(): Promise<void>
  /** Limits of others than the central system. */
  readonly outside: OutsideLimits
  /** What a card waits for its cable. */
  readonly connectionTimeoutSeconds: number
  /** The key of its meter: DER in hex. */
  readonly meterPublicKey: string
  /** The registration status of the answer; Pending and Rejected are asked again after the interval they name. */
  boot(reason?: BootReason): Promise<string>
  /** The status of this card: by the central system, or while it cannot be asked by what the station knows. */
  authorise(token: Token): Promise<string | undefined>
  heartbeat(): Promise<void>
  /** Closes the connection; charging goes on and its messages wait. `abrupt` pulls the cable. */
  disconnect(abrupt?: boolean): Promise<void>
  /** Resolves when every transaction message was taken, or the connection is gone. */
  flush(): Promise<void>
  /** Closes the connection and with it everything that is not kept: what is charging goes on only in the meter. */
  powerCut(): Promise<void>
  /** After a power cut: connects, boots and ends the transactions that were open. */
  powerUp(): Promise<void>
  /** A meter that forgets: it counts on from here. */
  setRegister(connectorId: number, registerWh: number): void
  /** Any text as a frame of its own. */
  say(text: string): void
  /** Any CALL, for tests that want to say something odd. */
  call(call: Call): Promise<Payload>
  snapshot(): Snapshot
  /** What was charged so far, oldest first. */
  readonly finished: readonly FinishedCharge[]
  /** How fast the physics run from now on. */
  setTimeScale(timeScale: number): void
  /** Ends everything: connection, timers, charges. */
  powerOff(): Promise<void>
}
