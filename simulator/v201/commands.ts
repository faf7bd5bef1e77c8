/** Requests are schema-checked before they come here. */
import type { Payload } from '../../src/ocpp/payload.ts'
import { listVersion, updateList } from '../commands/local-list.ts'
import { commandsOfBoth, number, requestCertificate, time } from '../commands/of-both.ts'
import { reserve } from '../commands/reservations.ts'
import { refused } from '../commands/schedules.ts'
import {
  type Command,
  type CommandTarget,
  changeAvailability,
  freeOutlet,
  outletOfTransaction,
  selectedOutlets,
  showCost,
  startRemotely,
  trigger,
} from '../commands/target.ts'
import { createFirmwareUpdates } from '../commands/transfers/firmware.ts'
import { createLogs } from '../commands/transfers/logs.ts'
import { verdictOf } from '../model/dialect.ts'
import { chargingProfileCommands } from './charging-profiles.ts'
import { customerInformation } from './customer-information.ts'
import { deviceModelCommands } from './device-model-commands.ts'
import { createDisplay } from './display.ts'

export function commands201(target: CommandTarget): ReadonlyMap<string, Command> {
  const firmware = createFirmwareUpdates(target)
  const logs = createLogs(target)
  const display = createDisplay(target)
  const notify = (method: string, request: Payload) => target.notify({ method, request })
  const triggers: Readonly<Record<string, () => Promise<void>>> = {
    SignChargingStationCertificate: () => requestCertificate(target),
    FirmwareStatusNotification: () =>
      firmware.sayProgress(() => notify('FirmwareStatusNotification', { status: 'Idle' })),
    LogStatusNotification: () => logs.sayProgress(() => notify('LogStatusNotification', { status: 'Idle' })),
  }
  return new Map<string, Command>(
    Object.entries({
      ...commandsOfBoth(target, logs),
      ...deviceModelCommands(target),
      ...chargingProfileCommands(target),
      RequestStartTransaction: (request) => {
        const token = request.idToken as { idToken: string; type: string }
        const outlet = freeOutlet(target, request.evseId as number | undefined, { id: token.idToken, type: token.type })
        const { refused: reason, profile } = target.limits.readStart(request.chargingProfile as Payload | undefined)
        if (reason !== undefined) return refused(target, reason)
        if (!outlet) return { status: 'Rejected' }
        const idToken = { id: token.idToken, type: token.type }
        startRemotely(target, outlet, {
          idToken,
          remoteStartId: Number(request.remoteStartId),
          ...(profile && { profile }),
        })
        return { status: 'Accepted' }
      },
      RequestStopTransaction: (request) => {
        const outlet = outletOfTransaction(target, String(request.transactionId))
        if (!outlet) return { status: 'Rejected' }
        target.afterAnswer(() => target.charging.stop(outlet.connectorId, 'Remote'))
        return { status: 'Accepted' }
      },
      GetTransactionStatus: (request) => {
        const transactionId = request.transactionId as string | undefined
        const messagesInQueue = target.queuedMessages() > 0
        if (transactionId === undefined) return { messagesInQueue }
        return { messagesInQueue, ongoingIndicator: outletOfTransaction(target, transactionId) !== undefined }
      },
      UnlockConnector: (request) => {
        const outlet = selectedOutlets(target, Number(request.evseId))?.[0]
        if (!outlet || request.evseId === 0 || request.connectorId !== 1) return { status: 'UnknownConnector' }
        if (outlet.transaction) return { status: 'OngoingAuthorizedTransaction' }
        return { status: 'Unlocked' }
      },
      Reset: (request) => {
        if (request.evseId !== undefined) return { status: 'Rejected' }
        if (request.type === 'OnIdle' && target.outlets.some((outlet) => outlet.transaction)) {
          target.afterAnswer(() => resetWhenIdle(target))
          return { status: 'Scheduled' }
        }
        target.afterAnswer(() => target.reset('HardReset'))
        return { status: 'Accepted' }
      },
      ChangeAvailability: (request) => {
        const outlets = selectedOutlets(target, (request.evse as { id: number } | undefined)?.id)
        const operative = request.operationalStatus === 'Operative'
        return outlets ? changeAvailability(target, outlets, operative) : { status: 'Rejected' }
      },
      TriggerMessage: (request) => {
        const own = triggers[String(request.requestedMessage)]
        if (!own)
          return trigger(target, String(request.requestedMessage), (request.evse as { id: number } | undefined)?.id)
        target.afterAnswer(own)
        return { status: 'Accepted' }
      },
      ReserveNow: (request) => {
        if (!CONNECTOR_TYPES.has(request.connectorType)) return refused(target, 'UnknownConnectorType')
        const token = request.idToken as { idToken: string }
        const group = request.groupIdToken as { idToken: string } | undefined
        return reserve(target, {
          id: Number(request.id),
          ...(request.evseId !== undefined && { connectorId: Number(request.evseId) }),
          idToken: token.idToken,
          ...(group && { groupId: group.idToken }),
          until: Date.parse(String(request.expiryDateTime)),
        })
      },
      GetLocalListVersion: () => ({ versionNumber: listVersion(target) }),
      SendLocalList: (request) => {
        const entries = (request.localAuthorizationList as LocalEntry201[] | undefined) ?? []
        const changes = entries.map(({ idToken, idTokenInfo }) => ({
          idToken: idToken.idToken,
          verdict: verdictOf(idTokenInfo),
        }))
        return updateList(target, request, Number(request.versionNumber), changes)
      },
      UpdateFirmware: (request) => {
        const image = request.firmware as Payload
        const requestId = Number(request.requestId)
        const status = firmware.update({
          location: String(image.location),
          retrieveAt: time(image.retrieveDateTime),
          installAt: time(image.installDateTime),
          retries: number(request.retries),
          retrySeconds: number(request.retryInterval),
          ...(image.signature !== undefined && {
            certificate: String(image.signingCertificate),
            signature: String(image.signature),
          }),
          say: (status) => notify('FirmwareStatusNotification', { status, requestId }),
        })
        return { status }
      },
      GetInstalledCertificateIds: (request) => {
        const found = target.certificates.installed(request.certificateType as string[] | undefined)
        if (found.length === 0) return { status: 'NotFound' }
        return {
          status: 'Accepted',
          certificateHashDataChain: found.map(({ type, hash }) => ({
            certificateType: type,
            certificateHashData: hash,
          })),
        }
      },
      SetDisplayMessage: display.set,
      GetDisplayMessages: display.get,
      ClearDisplayMessage: display.clear,
      CostUpdated: (request) => {
        showCost(target, String(request.transactionId), Number(request.totalCost))
        return {}
      },
      CustomerInformation: customerInformation(target),
    } satisfies Record<string, Command>),
  )
}

/** What this station has, and what may be any (H01). */
const CONNECTOR_TYPES = new Set<unknown>([undefined, 'cType2', 'Undetermined', 'Unknown'])

interface LocalEntry201 {
  readonly idToken: { readonly idToken: string }
  readonly idTokenInfo?: Payload
}

async function resetWhenIdle(target: CommandTarget): Promise<void> {
  if (target.outlets.some((outlet) => outlet.transaction)) {
    target.clock.after(200, () => target.afterAnswer(() => resetWhenIdle(target)))
    return
  }
  await target.reset('SoftReset')
}
