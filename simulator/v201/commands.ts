/**
 * The commands of OCPP 2.0.1 that this station really carries out. Requests are schema-checked before they come here.
 */
import type { Payload } from '../../src/ocpp/version.ts'
import { createDeviceModel, type DeviceModel, type VariableName } from './device-model.ts'
import { timestamp } from '../model/dialect.ts'
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

/** Entries per NotifyReport: small enough that a report really comes in several parts. */
const REPORT_CHUNK = 8

export function commands201(target: CommandTarget): ReadonlyMap<string, Command> {
  const model = createDeviceModel(target.outlets.length, target.sampleIntervalSeconds)
  return new Map<string, Command>(
    Object.entries({
      RequestStartTransaction: (request) => {
        const outlet = freeOutlet(target, request.evseId as number | undefined)
        if (!outlet) return { status: 'Rejected' }
        const token = request.idToken as { idToken: string; type: string }
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
      TriggerMessage: (request) =>
        trigger(target, String(request.requestedMessage), (request.evse as { id: number } | undefined)?.id),
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
    } satisfies Record<string, Command>),
  )
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
