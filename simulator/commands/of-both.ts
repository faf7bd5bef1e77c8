import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { LocalEntry } from '../model/local-list.ts'
import type { Reservation } from '../model/reservations.ts'
import type { ProfileMatch } from '../model/smart-charging/installed.ts'
import { type Command, type CommandTarget, refused, selectedOutlets } from './target.ts'
import type { Logs } from './transfers/logs.ts'

export function commandsOfBoth(target: CommandTarget, logs: Logs) {
  const { certificates } = target
  return {
    ClearCache: () => ({ status: target.cards.forget() ? 'Accepted' : 'Rejected' }),
    CancelReservation: (request) => cancelReservation(target, Number(request.reservationId)),
    GetLog: (request) => {
      const requestId = Number(request.requestId)
      const filename = `${target.serialNumber}-log.txt`
      const log = request.log as Payload
      const replaces = logs.upload({
        location: String(log.remoteLocation),
        fileName: filename,
        fromAt: time(log.oldestTimestamp),
        toAt: time(log.latestTimestamp),
        retries: number(request.retries),
        say: (status) =>
          // 1.6 has no word for an upload that another one ended.
          status === 'AcceptedCanceled' && target.protocol === 'ocpp1.6'
            ? Promise.resolve()
            : target.notify({ method: 'LogStatusNotification', request: { requestId, status } }),
      })
      return { status: replaces ? 'AcceptedCanceled' : 'Accepted', filename }
    },
    InstallCertificate: (request) => {
      const status = certificates.install(String(request.certificateType), String(request.certificate))
      if (status === 'Rejected') target.afterAnswer(() => target.securityEvent('InvalidCentralSystemCertificate'))
      return { status }
    },
    DeleteCertificate: (request) => ({ status: certificates.remove(request.certificateHashData as Payload) }),
    CertificateSigned: (request) => {
      const status = certificates.signed(String(request.certificateChain), target.clock.now())
      if (status === 'Rejected') target.afterAnswer(() => target.securityEvent('InvalidChargingStationCertificate'))
      // A02: the new one takes the place of the old one in the very next handshake.
      else if (target.network.present.securityProfile === 3) target.afterAnswer(() => target.reconnect())
      return { status }
    },
  } satisfies Record<string, Command>
}

/** The subject names the station by its serial number (A00.FR.405). */
export async function requestCertificate(target: CommandTarget): Promise<void> {
  const commonName = target.behaviour.foreignSerial ? 'SOMEBODY-ELSE' : target.serialNumber
  const csr = await target.certificates.request(commonName, target.rules.organization)
  await target.notify({ method: 'SignCertificate', request: { csr } })
}

export function time(value: unknown): number | undefined {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? undefined : at
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A firmware, perhaps signed, as SignedUpdateFirmware of 1.6 and UpdateFirmware of 2.0.1 have it. */
export function updateIn({ firmware, retries, retryInterval }: Payload) {
  const image = firmware as Payload
  return {
    location: String(image.location),
    retrieveAt: time(image.retrieveDateTime),
    installAt: time(image.installDateTime),
    retries: number(retries),
    retrySeconds: number(retryInterval),
    ...(image.signature !== undefined && {
      certificate: String(image.signingCertificate),
      signature: String(image.signature),
    }),
  }
}

/** `request` is the whole message, which may be too long for the station. */
export function updateList(
  target: CommandTarget,
  request: Payload,
  version: number,
  entries: readonly LocalEntry[],
): Payload {
  const { cards, protocol } = target
  const is16 = protocol === 'ocpp1.6'
  if (!cards.rules.listEnabled)
    return is16 ? { status: 'NotSupported' } : { status: 'Failed', statusInfo: { reasonCode: 'NotEnabled' } }
  const isFull = request.updateType === 'Full'
  const outcome = cards.list.update({ isFull, version, entries, bytes: Buffer.byteLength(JSON.stringify(request)) })
  if (outcome === 'Accepted' || outcome === 'VersionMismatch') return { status: outcome }
  return { status: 'Failed', ...(!is16 && { statusInfo: { reasonCode: outcome } }) }
}

/** 1.6 §5.10: -1 where there is no list at all. */
export function listVersion({ cards, protocol }: CommandTarget): number {
  if (!cards.rules.listEnabled) return protocol === 'ocpp1.6' ? -1 : 0
  return cards.list.version
}

export function setProfile(target: CommandTarget, connectorId: number, source: Payload): Payload {
  const reason = target.limits.set(connectorId, source)
  if (reason !== undefined) return refused(target, reason)
  target.afterAnswer(async () => {
    await target.charging.applyLimits()
    if (source.chargingProfilePurpose === 'TxProfile') await target.car.answered(target.charging.outlet(connectorId))
  })
  return { status: 'Accepted' }
}

export function matchOf({ chargingProfilePurpose: purpose, stackLevel }: Payload): ProfileMatch {
  return { purpose: purpose as string | undefined, stackLevel: number(stackLevel) }
}

export function clearProfiles(target: CommandTarget, id: unknown, connectorId: unknown, criteria: Payload): Payload {
  const match = {
    ids: id === undefined ? undefined : [Number(id)],
    connectorId: number(connectorId),
    ...matchOf(criteria),
  }
  if (!target.limits.clear(match)) return { status: 'Unknown' }
  target.afterAnswer(() => target.charging.applyLimits())
  return { status: 'Accepted' }
}

/** Undefined when there is no such connector, or no such unit. */
export function compositeSchedule(
  target: CommandTarget,
  connectorId: number,
  { duration, chargingRateUnit: unit }: Payload,
): { readonly startAt: string; readonly schedule: Payload } | undefined {
  const { limits, clock } = target
  const [usual = 'A'] = limits.rules.units
  const known = unit === undefined ? usual : limits.rules.units.find((candidate) => candidate === unit)
  if (!known || !selectedOutlets(target, connectorId)) return undefined
  const composite = limits.composite(connectorId, Number(duration), known)
  const schedule = {
    duration: composite.durationSeconds,
    chargingRateUnit: known,
    chargingSchedulePeriod: composite.periods,
  }
  return { startAt: isoTime(clock.now()), schedule }
}

export function reserve(target: CommandTarget, order: Reservation): Payload {
  const status = target.reservations.reserve(order)
  if (status === 'Accepted') target.afterAnswer(() => target.reservations.show())
  return { status }
}

function cancelReservation(target: CommandTarget, id: number): Payload {
  if (!target.reservations.cancel(id)) return { status: 'Rejected' }
  target.afterAnswer(() => target.reservations.show())
  return { status: 'Accepted' }
}
