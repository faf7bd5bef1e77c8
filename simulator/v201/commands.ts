/**
 * The commands of OCPP 2.0.1 that this station really carries out. Requests are schema-checked before they come here.
 */
import type { Payload } from '../../src/ocpp/version.ts'
import { createCertificates } from '../commands/certificates.ts'
import { updateFirmware } from '../commands/files.ts'
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
import { timestamp, verdictOf } from '../model/dialect.ts'
import type { CardRules } from '../model/known-cards.ts'
import { createDeviceModel, type DeviceModel, type VariableName } from './device-model.ts'
import { createDisplay } from './display.ts'

/** Entries per NotifyReport: small enough that a report really comes in several parts. */
const REPORT_CHUNK = 8

/** Variables that say which cards charge without asking, in small letters. */
const CARD_RULES: Readonly<Record<string, keyof CardRules>> = {
  'localauthlistctrlr.enabled': 'listEnabled',
  'authcachectrlr.enabled': 'cacheEnabled',
  'authctrlr.localauthorizeoffline': 'knownOffline',
  'authctrlr.offlinetxforunknownidenabled': 'unknownOffline',
}

export function commands201(target: CommandTarget): ReadonlyMap<string, Command> {
  const model = createDeviceModel({
    evses: target.outlets.length,
    sampleIntervalSeconds: target.sampleIntervalSeconds,
    messageAttempts: target.messageRetries.attempts,
    messageRetrySeconds: target.messageRetries.intervalSeconds,
  })
  const certificates = createCertificates()
  const display = createDisplay(target)
  const notify = (method: string, request: Payload) => target.notify({ method, request })
  return new Map<string, Command>(
    Object.entries({
      ...commandsOfBoth(target, certificates),
      RequestStartTransaction: (request) => {
        const token = request.idToken as { idToken: string; type: string }
        const outlet = freeOutlet(target, request.evseId as number | undefined, token.idToken)
        if (!outlet) return { status: 'Rejected' }
        const source = request.chargingProfile as Payload | undefined
        if (source) {
          const profile = readProfile(source, outlet.connectorId)
          target.afterAnswer(() => target.useProfiles(install(target.profiles(), profile)))
        }
        startRemotely(target, outlet, { id: token.idToken, type: token.type }, Number(request.remoteStartId))
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
        const outlet = meantOutlets(target, Number(request.evseId))?.[0]
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
        const outlets = meantOutlets(target, (request.evse as { id: number } | undefined)?.id)
        const operative = request.operationalStatus === 'Operative'
        return outlets ? changeAvailability(target, outlets, operative) : { status: 'Rejected' }
      },
      TriggerMessage: (request) => {
        if (request.requestedMessage !== 'SignChargingStationCertificate')
          return trigger(target, String(request.requestedMessage), (request.evse as { id: number } | undefined)?.id)
        target.afterAnswer(() => certificates.request(target))
        return { status: 'Accepted' }
      },
      GetVariables: (request) => ({
        getVariableResult: (request.getVariableData as VariableQuery[]).map((query) => {
          const { status, value } = model.get(query, query.attributeType ?? 'Actual')
          return { ...named(query), attributeStatus: status, ...(value !== undefined && { attributeValue: value }) }
        }),
      }),
      SetVariables: (request) => ({
        setVariableResult: (request.setVariableData as VariableSetting[]).map((setting) => ({
          ...named(setting),
          attributeStatus: setVariable(target, model, setting),
        })),
      }),
      GetBaseReport: (request) => {
        if (request.reportBase === 'SummaryInventory') return { status: 'NotSupported' }
        sendReport(target, Number(request.requestId), model.report())
        return { status: 'Accepted' }
      },
      GetReport: (request) => {
        const wanted = request.componentVariable as { component: { name: string } }[] | undefined
        const names = wanted?.map((entry) => entry.component.name.toLowerCase())
        const entries = model.report((name) => !names || names.includes(name.component.name.toLowerCase()))
        if (entries.length === 0) return { status: 'EmptyResultSet' }
        sendReport(target, Number(request.requestId), entries)
        return { status: 'Accepted' }
      },
      SetVariableMonitoring: (request) => ({
        setMonitoringResult: (request.setMonitoringData as MonitoringSetting[]).map((setting) => ({
          ...named(setting),
          status: 'Rejected',
          type: setting.type,
          severity: setting.severity,
        })),
      }),
      ClearVariableMonitoring: (request) => ({
        clearMonitoringResult: (request.id as number[]).map((id) => ({ id, status: 'NotFound' })),
      }),
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
        const firmware = request.firmware as Payload
        const requestId = Number(request.requestId)
        const say = (status: string) => notify('FirmwareStatusNotification', { status, requestId })
        updateFirmware(target, {
          location: String(firmware.location),
          say,
          signed: firmware.signature !== undefined,
        })
        return { status: 'Accepted' }
      },
      GetInstalledCertificateIds: (request) => {
        const found = certificates.installed(request.certificateType as string[] | undefined)
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

interface VariableQuery extends VariableName {
  readonly attributeType?: string
}

interface VariableSetting extends VariableQuery {
  readonly attributeValue: string
}

interface MonitoringSetting extends VariableName {
  readonly type: string
  readonly severity: number
}

function named(name: VariableQuery): Payload {
  return {
    component: name.component,
    variable: name.variable,
    ...(name.attributeType !== undefined && { attributeType: name.attributeType }),
  }
}

function setVariable(target: CommandTarget, model: DeviceModel, setting: VariableSetting): string {
  const status = model.set(setting, setting.attributeType ?? 'Actual', setting.attributeValue)
  const name = setting.variable.name.toLowerCase()
  const value = Number(setting.attributeValue)
  const rule = CARD_RULES[`${setting.component.name}.${setting.variable.name}`.toLowerCase()]
  if (status === 'Accepted' && rule) target.cards.change({ [rule]: setting.attributeValue === 'true' })
  if (status === 'Accepted' && name === 'messageattempts') target.useMessageRetries({ attempts: value })
  if (status === 'Accepted' && name === 'messageattemptinterval') target.useMessageRetries({ intervalSeconds: value })
  if (status === 'Accepted' && name === 'basicauthpassword') target.usePassword(setting.attributeValue)
  if (status === 'Accepted' && name === 'heartbeatinterval') target.useHeartbeatInterval(Number(setting.attributeValue))
  if (status === 'Accepted' && name === 'txupdatedinterval') target.useSampleInterval(Number(setting.attributeValue))
  return status
}

function sendReport(target: CommandTarget, requestId: number, entries: readonly Payload[]): void {
  const generatedAt = timestamp(target.clock.now())
  target.afterAnswer(async () => {
    for (let from = 0, seqNo = 0; from < entries.length; from += REPORT_CHUNK, seqNo += 1) {
      const reportData = entries.slice(from, from + REPORT_CHUNK)
      const tbc = from + REPORT_CHUNK < entries.length
      await target.notify({ method: 'NotifyReport', request: { requestId, generatedAt, seqNo, tbc, reportData } })
    }
  })
}

async function resetWhenIdle(target: CommandTarget): Promise<void> {
  if (target.outlets.some((outlet) => outlet.transaction)) {
    target.clock.after(200, () => target.afterAnswer(() => resetWhenIdle(target)))
    return
  }
  await target.reset('SoftReset')
}
