import type { Clock, Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Charging } from '../model/charging.ts'
import type { Outlet } from '../model/connector.ts'
import type { DisplayMessages } from '../model/display.ts'
import type { BootReason, Call, FinishedCharge, NamePlate, Token } from '../model/facts.ts'
import type { KnownCards } from '../model/known-cards.ts'
import type { Tariffs } from '../model/payment/tariffs.ts'
import type { Reservations } from '../model/reservations.ts'
import type { CarSpeech } from '../model/smart-charging/needs.ts'
import type { SmartCharging } from '../model/smart-charging/smart-charging.ts'
import type { StationRules } from '../model/station-rules.ts'
import type { Certificates } from '../security/certificates.ts'
import type { NetworkAccess } from '../security/network-access.ts'
import type { Behaviour } from '../station.ts'
import type { StationTime } from '../time/simulated-time.ts'
import type { KeyDeclaration } from '../v16/configuration.ts'
import type { VariableDeclaration } from '../v201/device-model/variable.ts'

export interface CommandTarget {
  readonly protocol: Protocol
  readonly id: string
  readonly outlets: readonly Outlet[]
  readonly charging: Charging
  /** Time stamps. */
  readonly clock: Clock
  /** Physics and waits. */
  readonly time: StationTime
  readonly notify: (call: Call) => Promise<void>
  /** Rejects with the CALLERROR. */
  readonly ask: (call: Call) => Promise<Payload>
  /** A SEND. */
  readonly tell: (call: Call) => void
  readonly tariffs: Tariffs
  readonly boot: (reason: BootReason) => Promise<unknown>
  readonly heartbeat: () => Promise<void>
  readonly reset: (reason: 'SoftReset' | 'HardReset') => Promise<void>
  /** Comes back with another address or certificate, without a boot. */
  readonly reconnect: () => Promise<void>
  /** The status of this card: by the central system, or while it cannot be asked by what the station knows. */
  readonly authorise: (token: Token) => Promise<string | undefined>
  readonly rules: StationRules
  readonly network: NetworkAccess
  readonly certificates: Certificates
  readonly behaviour: Behaviour
  /** Variables (2.0.1) and keys (1.6) that it has besides the usual ones, or in their place. */
  readonly variables: readonly VariableDeclaration[]
  readonly keys: readonly KeyDeclaration[]
  /** Oldest first. */
  readonly journal: () => readonly { readonly at: number; readonly text: string }[]
  readonly securityEvent: (type: string) => Promise<void>
  /** Called after each boot that comes of a reset. */
  readonly onReset: (run: () => void) => void
  /** DER in hex, as printed on the meter. */
  readonly meterPublicKey: () => string
  /** Of each outlet. */
  readonly limitW: number
  /** A driver who started a charge by an app plugs in. */
  readonly hasDriver: boolean
  readonly plate: NamePlate
  readonly firmwareVersion: () => string
  readonly usePassword: (password: string) => void
  /** Real seconds: pings are about the other side. 0: none. */
  readonly usePingInterval: (seconds: number) => void
  readonly useHeartbeatInterval: (seconds: number) => void
  /** What the station starts with; 0: it samples only on request. */
  readonly sampleIntervalSeconds: number
  readonly useSampleInterval: (seconds: number) => void
  readonly useMessageRetries: (change: { readonly attempts?: number; readonly intervalSeconds?: number }) => void
  /** What the station starts with. */
  readonly messageRetries: { readonly attempts: number; readonly intervalSeconds: number }
  readonly queuedMessages: () => number
  readonly cards: KnownCards
  readonly limits: SmartCharging
  readonly reservations: Reservations
  readonly displayed: DisplayMessages
  /** Oldest first. */
  readonly finished: readonly FinishedCharge[]
  readonly car: CarSpeech
  readonly serialNumber: string
  readonly useFirmware: (version: string) => Promise<void>
  readonly statusOfStation: () => Promise<void>
  /** Runs once the answer to the command is on its way. */
  readonly afterAnswer: (work: () => Promise<unknown>) => void
}

export type Command = (request: Payload) => Payload

export interface RemoteStart {
  /** Absent: the first one that is free. */
  readonly connectorId: number | undefined
  readonly idToken: Token
  readonly remoteStartId?: number
  readonly profile: unknown
}

/** SIM-A9: the driver plugs in now; a card refused beforehand starts nothing; a missing driver is awaited as usual. */
export function startRemotely(target: CommandTarget, request: RemoteStart): Payload {
  const { connectorId, idToken, remoteStartId } = request
  const { refused: reason, profile } = target.limits.readStart(request.profile as Payload | undefined)
  if (reason !== undefined) return refused(target, reason)
  const outlet = target.outlets.find(
    (one) =>
      one.operative &&
      !one.fault &&
      !one.transaction &&
      (connectorId === undefined || one.connectorId === connectorId) &&
      !target.reservations.isFromOthers(one, idToken),
  )
  if (!outlet) return { status: 'Rejected' }
  target.afterAnswer(async () => {
    if (target.rules.authoriseRemoteStart && idToken.type !== 'DirectPayment') {
      const status = await target.authorise(idToken)
      if (status !== undefined && status !== 'Accepted') return
    }
    const order = { idToken, remote: { remoteStartId }, profile }
    if (outlet.plugged || target.hasDriver) {
      if (!outlet.plugged) await target.charging.plug(outlet.connectorId)
      await target.charging.start(outlet.connectorId, order)
      return
    }
    await target.charging.awaitCable(outlet.connectorId, order, target.rules.connectionTimeoutSeconds)
  })
  return { status: 'Accepted' }
}

/** The reason is for 2.0.1; 1.6 has no word for it. */
export function refused(target: CommandTarget, reasonCode: string): Payload {
  return { status: 'Rejected', ...(target.protocol !== 'ocpp1.6' && { statusInfo: { reasonCode } }) }
}

export function outletOfTransaction(target: CommandTarget, transactionId: string): Outlet | undefined {
  return target.outlets.find((outlet) => outlet.transaction?.transactionId === transactionId)
}

export function stopRemotely(target: CommandTarget, transactionId: unknown): Payload {
  const outlet = outletOfTransaction(target, String(transactionId))
  if (!outlet) return { status: 'Rejected' }
  target.afterAnswer(() => target.charging.stop(outlet.connectorId, 'Remote'))
  return { status: 'Accepted' }
}

/** The running cost of a charge, for its driver; of one that there is not it means nothing (I02). */
export function showCost(target: CommandTarget, transactionId: string, cost: number): boolean {
  const transaction = outletOfTransaction(target, transactionId)?.transaction
  if (transaction) transaction.cost = cost
  return transaction !== undefined
}

/** One, or all (absent or 0); undefined when the station has no such connector. */
export function selectedOutlets(target: CommandTarget, connectorId: number | undefined): readonly Outlet[] | undefined {
  if (connectorId === undefined || connectorId === 0) return target.outlets
  const outlet = target.outlets.find((candidate) => candidate.connectorId === connectorId)
  return outlet && [outlet]
}

/** Availability takes effect at once, or after the running transaction (`Scheduled`). */
export function changeAvailability(target: CommandTarget, outlets: readonly Outlet[], operative: boolean): Payload {
  const scheduled = outlets.some((outlet) => outlet.transaction)
  target.afterAnswer(async () => {
    for (const outlet of outlets) await target.charging.setOperative(outlet.connectorId, operative)
  })
  return { status: scheduled ? 'Scheduled' : 'Accepted' }
}

type Effects = Readonly<Record<string, () => Promise<unknown>>>

/** `own`: what its version can be asked for besides, of the whole station. */
export function trigger(target: CommandTarget, asked: unknown, connectorId: number | undefined, own: Effects): Payload {
  const message = String(asked)
  const outlets = selectedOutlets(target, connectorId)
  if (!outlets && !own[message]) return { status: 'Rejected' }
  const each = async (run: (connectorId: number) => Promise<void>, of = outlets ?? []) => {
    for (const outlet of of) await run(outlet.connectorId)
  }
  const effects: Effects = {
    ...own,
    BootNotification: () => target.boot('Triggered'),
    Heartbeat: () => target.heartbeat(),
    StatusNotification: async () => {
      if (connectorId === 0 && target.protocol === 'ocpp1.6') await target.statusOfStation()
      await each(target.charging.reportStatus)
    },
    MeterValues: () => each(target.charging.triggerMeterValues),
    TransactionEvent: () =>
      each(
        (id) => target.charging.meterValues(id, 'Trigger'),
        outlets?.filter(({ transaction }) => transaction),
      ),
  }
  const effect = effects[message]
  if (!effect) return { status: 'NotImplemented' }
  target.afterAnswer(effect)
  return { status: 'Accepted' }
}
