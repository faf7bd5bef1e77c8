/** The commands of OCPP 1.6 that this station really carries out. Requests are schema-checked before they come here. */
import type { Payload } from '../../src/ocpp/version.ts'
import { createCertificates } from '../commands/certificates.ts'
import { updateFirmware, uploadLog } from '../commands/files.ts'
import { commandsOfBoth } from '../commands/of-both.ts'
import { reserve } from '../commands/reservations.ts'
import { clearProfiles, compositeSchedule, setProfile } from '../commands/schedules.ts'
import {
  type Command,
  type CommandTarget,
  changeAvailability,
  freeOutlet,
  meantOutlets,
  outletOfTransaction,
  startRemotely,
  trigger,
} from '../commands/target.ts'
import { install, readProfile } from '../model/charging-profiles.ts'
import { verdictOf } from '../model/dialect.ts'
import type { CardRules } from '../model/known-cards.ts'
import { createConfiguration } from './configuration.ts'

/** Keys of OCPP 1.6 §9 that say which cards charge without asking. */
const CARD_RULES: Readonly<Record<string, keyof CardRules>> = {
  LocalAuthListEnabled: 'listEnabled',
  AuthorizationCacheEnabled: 'cacheEnabled',
  LocalAuthorizeOffline: 'knownOffline',
  AllowOfflineTxForUnknownId: 'unknownOffline',
}

export function commands16(target: CommandTarget): ReadonlyMap<string, Command> {
  const configuration = createConfiguration({
    connectors: target.outlets.length,
    sampleIntervalSeconds: target.sampleIntervalSeconds,
    messageAttempts: target.messageRetries.attempts,
    messageRetrySeconds: target.messageRetries.intervalSeconds,
  })
  const certificates = createCertificates()
  const notify = (method: string, request: Payload) => target.notify({ method, request })
  const triggerMessage: Command = (request) => {
    if (request.requestedMessage !== 'SignChargePointCertificate')
      return trigger(target, String(request.requestedMessage), optionalNumber(request.connectorId))
    target.afterAnswer(() => certificates.request(target))
    return { status: 'Accepted' }
  }
  return new Map<string, Command>(
    Object.entries({
      ...commandsOfBoth(target, certificates),
      RemoteStartTransaction: (request) => {
        const outlet = freeOutlet(target, optionalNumber(request.connectorId), String(request.idTag))
        if (!outlet) return { status: 'Rejected' }
        const source = request.chargingProfile as Payload | undefined
        if (source) {
          const profile = readProfile(source, outlet.connectorId)
          target.afterAnswer(() => target.useProfiles(install(target.profiles(), profile)))
        }
        startRemotely(target, outlet, { id: String(request.idTag), type: 'ISO14443' })
        return { status: 'Accepted' }
      },
      RemoteStopTransaction: (request) => {
        const outlet = outletOfTransaction(target, String(request.transactionId))
        if (!outlet) return { status: 'Rejected' }
        target.afterAnswer(() => target.charging.stop(outlet.connectorId, 'Remote'))
        return { status: 'Accepted' }
      },
      UnlockConnector: (request) => {
        const outlet = meantOutlets(target, Number(request.connectorId))?.[0]
        if (!outlet || request.connectorId === 0) return { status: 'NotSupported' }
        target.afterAnswer(() => target.charging.stop(outlet.connectorId, 'UnlockCommand'))
        return { status: 'Unlocked' }
      },
      Reset: (request) => {
        target.afterAnswer(() => target.reset(request.type === 'Hard' ? 'HardReset' : 'SoftReset'))
        return { status: 'Accepted' }
      },
      ChangeAvailability: (request) => {
        const outlets = meantOutlets(target, Number(request.connectorId))
        return outlets ? changeAvailability(target, outlets, request.type === 'Operative') : { status: 'Rejected' }
      },
      GetConfiguration: (request) => ({ ...configuration.read((request.key as string[] | undefined) ?? []) }),
      ChangeConfiguration: (request) => {
        const [key, value] = [String(request.key), String(request.value)]
        const status = configuration.set(key, value)
        if (status === 'Accepted' && key === 'AuthorizationKey') target.usePassword(value)
        if (status === 'Accepted' && key === 'HeartbeatInterval') target.useHeartbeatInterval(Number(value))
        if (status === 'Accepted' && key === 'TransactionMessageAttempts')
          target.useMessageRetries({ attempts: Number(value) })
        if (status === 'Accepted' && key === 'TransactionMessageRetryInterval')
          target.useMessageRetries({ intervalSeconds: Number(value) })
        const rule = CARD_RULES[key]
        if (status === 'Accepted' && rule) target.cards.change({ [rule]: value === 'true' })
        if (status === 'Accepted' && key === 'MeterValueSampleInterval') target.useSampleInterval(Number(value))
        return { status }
      },
      TriggerMessage: triggerMessage,
      ExtendedTriggerMessage: triggerMessage,
      ReserveNow: (request) =>
        reserve(target, {
          id: Number(request.reservationId),
          connectorId: Number(request.connectorId),
          idToken: String(request.idTag),
          ...(request.parentIdTag !== undefined && { groupId: String(request.parentIdTag) }),
          until: Date.parse(String(request.expiryDate)),
        }),
      GetLocalListVersion: () => ({ listVersion: target.cards.list.version }),
      SendLocalList: (request) => {
        const entries = (request.localAuthorizationList as LocalEntry16[] | undefined) ?? []
        const changes = entries.map(({ idTag, idTagInfo }) => ({ idToken: idTag, verdict: verdictOf(idTagInfo) }))
        const type = request.updateType === 'Full' ? 'Full' : 'Differential'
        return { status: target.cards.list.update(type, Number(request.listVersion), changes) }
      },
      SetChargingProfile: (request) =>
        setProfile(target, Number(request.connectorId), request.csChargingProfiles as Payload),
      ClearChargingProfile: (request) =>
        clearProfiles(target, {
          ...(request.id !== undefined && { id: Number(request.id) }),
          ...(request.connectorId !== undefined && { connectorId: Number(request.connectorId) }),
          ...(request.chargingProfilePurpose !== undefined && { purpose: String(request.chargingProfilePurpose) }),
          ...(request.stackLevel !== undefined && { stackLevel: Number(request.stackLevel) }),
        }),
      GetCompositeSchedule: (request) => {
        const unit = request.chargingRateUnit === 'W' ? 'W' : 'A'
        const connectorId = Number(request.connectorId)
        const schedule = compositeSchedule(target, connectorId, Number(request.duration), unit)
        if (!schedule) return { status: 'Rejected' }
        return {
          status: 'Accepted',
          connectorId,
          scheduleStart: schedule.startAt,
          chargingSchedule: {
            duration: Number(request.duration),
            startSchedule: schedule.startAt,
            chargingRateUnit: unit,
            chargingSchedulePeriod: schedule.periods,
          },
        }
      },
      UpdateFirmware: (request) => {
        const say = (status: string) => notify('FirmwareStatusNotification', { status })
        updateFirmware(target, { location: String(request.location), say, signed: false })
        return {}
      },
      SignedUpdateFirmware: (request) => {
        const requestId = Number(request.requestId)
        const say = (status: string) => notify('SignedFirmwareStatusNotification', { status, requestId })
        updateFirmware(target, { location: String((request.firmware as Payload).location), say, signed: true })
        return { status: 'Accepted' }
      },
      GetDiagnostics: (request) => {
        const fileName = `${target.serialNumber}-diagnostics.txt`
        uploadLog(target, {
          location: String(request.location),
          fileName,
          say: (status) =>
            notify('DiagnosticsStatusNotification', { status: status === 'failed' ? 'UploadFailed' : status }),
        })
        return { fileName }
      },
      GetInstalledCertificateIds: (request) => {
        const found = certificates.installed([String(request.certificateType)])
        if (found.length === 0) return { status: 'NotFound' }
        return { status: 'Accepted', certificateHashData: found.map(({ hash }) => hash) }
      },
    } satisfies Record<string, Command>),
  )
}

interface LocalEntry16 {
  readonly idTag: string
  readonly idTagInfo?: Payload
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
