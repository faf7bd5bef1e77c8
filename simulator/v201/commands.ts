/**
 * The commands of OCPP 2.0.1 that this station really carries out. Requests are schema-checked before they come here.
 */
import type { Payload } from '../../src/ocpp/version.ts'
import { commandsOfBoth, number, requestCertificate, time } from '../commands/of-both.ts'
import { reserve } from '../commands/reservations.ts'
import { clearProfiles, compositeSchedule, setProfile } from '../commands/schedules.ts'
import {
  type Command,
  type CommandTarget,
  changeAvailability,
  freeOutlet,
  outletOfTransaction,
  profileOfStart,
  selectedOutlets,
  startRemotely,
  trigger,
} from '../commands/target.ts'
import { createFirmwareUpdates } from '../commands/transfers/firmware.ts'
import { createLogs } from '../commands/transfers/logs.ts'
import { timestamp, verdictOf } from '../model/dialect.ts'
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
      RequestStartTransaction: (request) => {
        const token = request.idToken as { idToken: string; type: string }
        const outlet = freeOutlet(target, request.evseId as number | undefined, token.idToken)
        const profile = profileOfStart(request.chargingProfile as Payload | undefined)
        if (!outlet || !profile) return { status: 'Rejected' }
        const idToken = { id: token.idToken, type: token.type }
        startRemotely(target, outlet, { idToken, remoteStartId: Number(request.remoteStartId), ...profile })
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
      GetLocalListVersion: () => ({ versionNumber: target.cards.list.version }),
      SendLocalList: (request) => {
        const entries = (request.localAuthorizationList as LocalEntry201[] | undefined) ?? []
        const changes = entries.map(({ idToken, idTokenInfo }) => ({
          idToken: idToken.idToken,
          verdict: verdictOf(idTokenInfo),
        }))
        const type = request.updateType === 'Full' ? 'Full' : 'Differential'
        return { status: target.cards.list.update(type, Number(request.versionNumber), changes) }
      },
      SetChargingProfile: (request) => setProfile(target, Number(request.evseId), request.chargingProfile as Payload),
      ClearChargingProfile: (request) => {
        const criteria = (request.chargingProfileCriteria ?? {}) as Payload
        return clearProfiles(target, {
          ...(request.chargingProfileId !== undefined && { id: Number(request.chargingProfileId) }),
          ...(criteria.evseId !== undefined && { connectorId: Number(criteria.evseId) }),
          ...(criteria.chargingProfilePurpose !== undefined && { purpose: String(criteria.chargingProfilePurpose) }),
          ...(criteria.stackLevel !== undefined && { stackLevel: Number(criteria.stackLevel) }),
        })
      },
      GetChargingProfiles: (request) => {
        const evseId = request.evseId as number | undefined
        const found = target.profiles().filter((profile) => evseId === undefined || profile.connectorId === evseId)
        if (found.length === 0) return { status: 'NoProfiles' }
        target.afterAnswer(async () => {
          for (const [position, profile] of found.entries()) {
            await notify('ReportChargingProfiles', {
              requestId: Number(request.requestId),
              chargingLimitSource: 'CSO',
              tbc: position < found.length - 1,
              evseId: profile.connectorId,
              chargingProfile: [profile.source],
            })
          }
        })
        return { status: 'Accepted' }
      },
      GetCompositeSchedule: (request) => {
        const unit = request.chargingRateUnit === 'W' ? 'W' : 'A'
        const evseId = Number(request.evseId)
        const schedule = compositeSchedule(target, evseId, Number(request.duration), unit)
        if (!schedule) return { status: 'Rejected' }
        return {
          status: 'Accepted',
          schedule: {
            evseId,
            duration: Number(request.duration),
            scheduleStart: schedule.startAt,
            chargingRateUnit: unit,
            chargingSchedulePeriod: schedule.periods,
          },
        }
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
      CustomerInformation: (request) => {
        const requestId = Number(request.requestId)
        if (request.report === true) {
          target.afterAnswer(() =>
            notify('NotifyCustomerInformation', {
              requestId,
              data: 'nothing is kept here',
              seqNo: 0,
              tbc: false,
              generatedAt: timestamp(target.clock.now()),
            }),
          )
        }
        return { status: 'Accepted' }
      },
    } satisfies Record<string, Command>),
  )
}

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
