/** Requests are schema-checked before they come here. */
import { parsedJson } from '../../src/domain/parsed-json.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { isObject } from '../../src/ocpp/translate/payload.ts'
import {
  clearProfiles,
  commandsOfBoth,
  compositeSchedule,
  listVersion,
  number,
  requestCertificate,
  reserve,
  setProfile,
  time,
  updateIn,
  updateList,
} from '../commands/of-both.ts'
import { settingEffects } from '../commands/setting-effects.ts'
import {
  type Command,
  type CommandTarget,
  changeAvailability,
  selectedOutlets,
  showCost,
  startRemotely,
  stopRemotely,
  trigger,
} from '../commands/target.ts'
import { createFirmwareUpdates } from '../commands/transfers/firmware.ts'
import { createLogs, type UploadStatus } from '../commands/transfers/logs.ts'
import { verdictOf } from '../model/dialect.ts'
import { createConfiguration } from './configuration.ts'
import { standardKeys } from './standard-keys.ts'

export function commands16(target: CommandTarget): ReadonlyMap<string, Command> {
  const effects = settingEffects(target)
  const configuration = createConfiguration([...standardKeys(target), ...target.keys], effects)
  target.onReset(() => configuration.booted())
  const notify = (method: string, request: Payload) => target.notify({ method, request })
  const firmware = createFirmwareUpdates(target)
  const logs = createLogs(target)
  const idle = (method: string) => () => notify(method, { status: 'Idle' })
  const triggers: Readonly<Record<string, () => Promise<void>>> = {
    SignChargePointCertificate: () => requestCertificate(target),
    FirmwareStatusNotification: () => firmware.sayProgress(idle('FirmwareStatusNotification')),
    DiagnosticsStatusNotification: () => logs.sayProgress(idle('DiagnosticsStatusNotification')),
    LogStatusNotification: () => logs.sayProgress(idle('LogStatusNotification')),
  }
  const triggerMessage: Command = ({ requestedMessage, connectorId }) =>
    trigger(target, requestedMessage, number(connectorId), triggers)
  return new Map<string, Command>(
    Object.entries({
      ...commandsOfBoth(target, logs),
      DataTransfer: (request) => costMessage(target, request),
      RemoteStartTransaction: (request) => {
        const idToken = { id: String(request.idTag), type: 'ISO14443' }
        const connectorId = number(request.connectorId)
        return startRemotely(target, { connectorId, idToken, profile: request.chargingProfile })
      },
      RemoteStopTransaction: ({ transactionId }) => stopRemotely(target, transactionId),
      UnlockConnector: (request) => {
        const outlet = selectedOutlets(target, Number(request.connectorId))?.[0]
        if (!outlet || request.connectorId === 0) return { status: 'NotSupported' }
        target.afterAnswer(() => target.charging.stop(outlet.connectorId, 'UnlockCommand'))
        return { status: 'Unlocked' }
      },
      Reset: (request) => {
        target.afterAnswer(() => target.reset(request.type === 'Hard' ? 'HardReset' : 'SoftReset'))
        return { status: 'Accepted' }
      },
      ChangeAvailability: (request) => {
        const outlets = selectedOutlets(target, Number(request.connectorId))
        return outlets ? changeAvailability(target, outlets, request.type === 'Operative') : { status: 'Rejected' }
      },
      GetConfiguration: (request) => ({ ...configuration.read((request.key as string[] | undefined) ?? []) }),
      ChangeConfiguration: (request) => ({
        status: target.behaviour.ignoresSettings
          ? 'Accepted'
          : configuration.set(String(request.key), String(request.value)),
      }),
      TriggerMessage: triggerMessage,
      ExtendedTriggerMessage: triggerMessage,
      ReserveNow: (request) =>
        reserve(target, {
          id: Number(request.reservationId),
          connectorId: number(request.connectorId) || undefined,
          idToken: String(request.idTag),
          groupId: request.parentIdTag as string | undefined,
          until: Date.parse(String(request.expiryDate)),
        }),
      GetLocalListVersion: () => ({ listVersion: listVersion(target) }),
      SendLocalList: (request) => {
        const entries = (request.localAuthorizationList as LocalEntry16[] | undefined) ?? []
        const changes = entries.map(({ idTag, idTagInfo }) => ({ idToken: idTag, verdict: verdictOf(idTagInfo) }))
        return updateList(target, request, Number(request.listVersion), changes)
      },
      SetChargingProfile: (request) =>
        setProfile(target, Number(request.connectorId), request.csChargingProfiles as Payload),
      ClearChargingProfile: (request) => clearProfiles(target, request.id, request.connectorId, request),
      GetCompositeSchedule: (request) => {
        const connectorId = Number(request.connectorId)
        const found = compositeSchedule(target, connectorId, request)
        if (!found) return { status: 'Rejected' }
        const { startAt, schedule } = found
        const chargingSchedule = { ...schedule, startSchedule: startAt }
        return { status: 'Accepted', connectorId, scheduleStart: startAt, chargingSchedule }
      },
      UpdateFirmware: (request) => {
        firmware.update({
          location: String(request.location),
          retrieveAt: time(request.retrieveDate),
          retries: number(request.retries),
          retrySeconds: number(request.retryInterval),
          isPlain: true,
          say: (status) => notify('FirmwareStatusNotification', { status }),
        })
        return {}
      },
      SignedUpdateFirmware: (request) => {
        const requestId = Number(request.requestId)
        const say = (status: string) => notify('SignedFirmwareStatusNotification', { status, requestId })
        return { status: firmware.update({ ...updateIn(request), say }) }
      },
      GetDiagnostics: (request) => {
        const fileName = `${target.serialNumber}-diagnostics.txt`
        logs.upload({
          location: String(request.location),
          fileName,
          fromAt: time(request.startTime),
          toAt: time(request.stopTime),
          retries: number(request.retries),
          say: (status) => notify('DiagnosticsStatusNotification', { status: diagnosticsStatus(status) }),
        })
        return { fileName }
      },
      GetInstalledCertificateIds: (request) => {
        const found = target.certificates.installed([String(request.certificateType)])
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

/** Diagnostics have one word for whatever went wrong. */
function diagnosticsStatus(status: UploadStatus): string {
  return status === 'Uploading' || status === 'Uploaded' ? status : 'UploadFailed'
}

/** Prices and costs on the display of a 1.6 station, by DataTransfer (OCA, California Pricing Requirements). */
const VENDOR = 'org.openchargealliance.costmsg'

function costMessage(target: CommandTarget, { vendorId, messageId, data }: Payload): Payload {
  if (vendorId !== VENDOR) return { status: 'UnknownVendorId' }
  if (messageId !== 'RunningCost' && messageId !== 'FinalCost' && messageId !== 'SetUserPrice')
    return { status: 'UnknownMessageId' }
  const content = parsedJson(String(data))
  if (!isObject(content)) return { status: 'Rejected' }
  if (messageId === 'SetUserPrice') return { status: typeof content.priceText === 'string' ? 'Accepted' : 'Rejected' }
  const { transactionId, cost } = content
  if (typeof cost !== 'number' || transactionId === undefined) return { status: 'Rejected' }
  // The final cost comes after the charge has ended, so only the display shows it.
  const isKnown = showCost(target, String(transactionId), cost) || messageId === 'FinalCost'
  return { status: isKnown ? 'Accepted' : 'Rejected' }
}
