/** The commands about variables, monitors and network profiles (2.0.1 B05 to B09, N02 to N06). */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { settingEffects } from '../commands/setting-effects.ts'
import type { Command, CommandTarget } from '../commands/target.ts'
import type { SecurityProfile } from '../security/network-access.ts'
import { AnswerError } from '../wire/frames.ts'
import {
  createDeviceModel,
  type DeviceModel,
  ofBase,
  ofRequest,
  type ReportRequest,
} from './device-model/device-model.ts'
import { REPORT_CHUNK, standardVariables } from './device-model/standard.ts'
import type { VariableName } from './device-model/variable.ts'
import { createMonitors, type MonitoringSetting } from './monitors.ts'
import { sendPages } from './pages.ts'

export function modelOf(target: CommandTarget): DeviceModel {
  return createDeviceModel([...standardVariables(target), ...target.variables], settingEffects(target))
}

export function deviceModelCommands(target: CommandTarget, model: DeviceModel, monitorOrigin: Payload) {
  const monitors = createMonitors(target, model, monitorOrigin)
  target.onReset(() => model.booted())
  const report = (requestId: unknown, variables: ReturnType<typeof ofBase>): Payload => {
    if (variables.length === 0) return { status: 'EmptyResultSet' }
    const entries = variables.map((variable) => model.reported(variable))
    sendReport(target, 'NotifyReport', Number(requestId), entries)
    return { status: 'Accepted' }
  }
  return {
    GetVariables: (request) => {
      const queries = request.getVariableData as readonly VariableQuery[]
      withinLimits(model, 'DeviceDataCtrlr', 'GetVariables', queries, request)
      return {
        getVariableResult: queries.map((query) => {
          const { status, value, reason } = model.get(query, query.attributeType ?? 'Actual')
          return {
            ...named(query),
            attributeStatus: status,
            attributeValue: value,
            ...(reason !== undefined && { attributeStatusInfo: { reasonCode: reason } }),
          }
        }),
      }
    },
    SetVariables: (request) => {
      const settings = request.setVariableData as readonly VariableSetting[]
      withinLimits(model, 'DeviceDataCtrlr', 'SetVariables', settings, request)
      return {
        setVariableResult: settings.map((setting) => {
          if (target.behaviour.ignoresSettings) return { ...named(setting), attributeStatus: 'Accepted' }
          const { status, reason } = model.set(setting, setting.attributeType ?? 'Actual', setting.attributeValue)
          return {
            ...named(setting),
            attributeStatus: status,
            ...(reason !== undefined && { attributeStatusInfo: { reasonCode: reason } }),
          }
        }),
      }
    },
    GetBaseReport: (request) => report(request.requestId, ofBase(model, String(request.reportBase))),
    GetReport: (request) => {
      const { componentVariable } = request as ReportRequest
      if (componentVariable) withinLimits(model, 'DeviceDataCtrlr', 'GetReport', componentVariable, request)
      return report(request.requestId, ofRequest(model, request as ReportRequest))
    },
    SetVariableMonitoring: (request) => {
      const settings = request.setMonitoringData as readonly MonitoringSetting[]
      withinLimits(model, 'MonitoringCtrlr', 'SetVariableMonitoring', settings, request)
      return { setMonitoringResult: settings.map((setting) => monitors.set(setting)) }
    },
    ClearVariableMonitoring: (request) => {
      const ids = request.id as readonly number[]
      withinLimits(model, 'MonitoringCtrlr', 'ClearVariableMonitoring', ids, request)
      return { clearMonitoringResult: ids.map((id) => ({ id, status: monitors.clear(id) })) }
    },
    GetMonitoringReport: (request) => {
      const entries = monitors.report(request as ReportRequest)
      if (entries.length === 0) return { status: 'EmptyResultSet' }
      const requestId = Number(request.requestId)
      sendReport(target, 'NotifyMonitoringReport', requestId, entries)
      return { status: 'Accepted' }
    },
    SetMonitoringBase: (request) => {
      if (request.monitoringBase !== 'All') monitors.clearAll()
      return { status: 'Accepted' }
    },
    SetMonitoringLevel: (request) => {
      const severity = Number(request.severity)
      if (severity < 0 || severity > 9) return { status: 'Rejected' }
      monitors.useLevel(severity)
      return { status: 'Accepted' }
    },
    SetNetworkProfile: (request) => setNetworkProfile(target, request),
  } satisfies Record<string, Command>
}

/** B09: a slot that there is, a transport that the station has, and no lower security than now. */
function setNetworkProfile({ network }: CommandTarget, request: Payload): Payload {
  const { securityProfile, ocppCsmsUrl, ocppTransport } = request.connectionData as Payload
  const url = String(ocppCsmsUrl)
  const profile = Number(securityProfile)
  if (ocppTransport !== 'JSON' || !URL.canParse(url) || !/^wss?:/.test(url)) return { status: 'Rejected' }
  if (profile < network.present.securityProfile || profile > 3) return { status: 'Rejected' }
  if (profile >= 2 && !url.startsWith('wss:')) return { status: 'Rejected' }
  const isFilled = network.fill(Number(request.configurationSlot), { url, securityProfile: profile as SecurityProfile })
  return { status: isFilled ? 'Accepted' : 'Rejected' }
}

/** What is more than a message may hold is refused whole (B05.FR.11, B06.FR.16 and 17, N04). */
function withinLimits(
  model: DeviceModel,
  component: string,
  instance: string,
  items: readonly unknown[],
  request: Payload,
): void {
  const most = Number(model.value(component, 'ItemsPerMessage', instance))
  if (items.length > most)
    throw new AnswerError('OccurrenceConstraintViolation', `${instance} takes at most ${most} entries here`)
  const bytes = Number(model.value(component, 'BytesPerMessage', instance))
  if (Buffer.byteLength(JSON.stringify(request)) > bytes)
    throw new AnswerError('FormatViolation', `${instance} takes at most ${bytes} bytes here`)
}

interface VariableQuery extends VariableName {
  readonly attributeType?: string
}

interface VariableSetting extends VariableQuery {
  readonly attributeValue: string
}

function named({ component, variable, attributeType }: VariableQuery): Payload {
  return { component, variable, ...(attributeType !== undefined && { attributeType }) }
}

function sendReport(
  target: CommandTarget,
  method: 'NotifyReport' | 'NotifyMonitoringReport',
  requestId: number,
  entries: readonly Payload[],
): void {
  const generatedAt = isoTime(target.clock.now())
  const member = method === 'NotifyReport' ? 'reportData' : 'monitor'
  sendPages(target, entries, REPORT_CHUNK, (page, seqNo, tbc) => ({
    method,
    request: { requestId, generatedAt, seqNo, tbc, [member]: page },
  }))
}
