/** Monitors of a 2.0.1 station (N02 to N08): set, sent in NotifyEvent, reported and cleared. */
import { grouped } from '../../src/domain/grouped.ts'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { CommandTarget } from '../commands/target.ts'
import { type DeviceModel, isSelected, type ReportRequest } from './device-model/device-model.ts'
import { type VariableName, variableKey } from './device-model/variable.ts'

export type MonitorType = 'UpperThreshold' | 'LowerThreshold' | 'Delta' | 'Periodic' | 'PeriodicClockAligned'

export interface MonitoringSetting extends VariableName {
  readonly id?: number
  readonly transaction?: boolean
  readonly value: number
  readonly type: MonitorType
  readonly severity: number
  /** Its values go out as a stream, and are no events (2.1 N11). */
  readonly periodicEventStream?: StreamParams
}

/** Seconds between two messages, and how many values each of them has. */
export type StreamParams = Readonly<Partial<Record<'interval' | 'values', number>>>

interface Monitor {
  readonly id: number
  readonly setting: MonitoringSetting
  /** Delta: the last value sent; periodic: when. */
  reportedValue: string
  reportedAt: number
  isBeyond: boolean
}

const LOOK_SECONDS = 5
const LEAST_SEVERE = 9
export const MAX_MONITORS = 100
const DAY_SECONDS = 24 * 3600

const CRITERIA: Readonly<Record<string, readonly MonitorType[]>> = {
  ThresholdMonitoring: ['UpperThreshold', 'LowerThreshold'],
  DeltaMonitoring: ['Delta'],
  PeriodicMonitoring: ['Periodic', 'PeriodicClockAligned'],
}

/** `origin`: what a report says of each besides (2.1). */
export function createMonitors(target: CommandTarget, model: DeviceModel, origin: Payload) {
  const monitors = new Map<number, Monitor>()
  let nextId = 1
  let nextEventId = 1
  let level = LEAST_SEVERE
  let looks = false

  const readValue = (name: VariableName): string => model.get(name, 'Actual').value ?? ''
  const tell = (found: readonly Payload[]): Promise<void> =>
    target.notify({
      method: 'NotifyEvent',
      request: { generatedAt: isoTime(target.clock.now()), seqNo: 0, tbc: false, eventData: found },
    })
  const eventOf = ({ id, setting }: Monitor, trigger: string, cleared?: boolean): Payload => {
    const { component, variable } = setting
    const outlet = target.outlets.find(({ connectorId }) => connectorId === component.evse?.id)
    const transactionId = outlet?.transaction?.transactionId
    return {
      eventId: nextEventId++,
      timestamp: isoTime(target.clock.now()),
      trigger,
      actualValue: readValue(setting),
      cleared,
      transactionId,
      variableMonitoringId: id,
      eventNotificationType: 'CustomMonitor',
      component,
      variable,
    }
  }
  const look = (): void => {
    if (monitors.size === 0) {
      looks = false
      return
    }
    looks = true
    target.time.after(LOOK_SECONDS * 1000, async () => {
      const events = [...monitors.values()].flatMap((monitor) => eventsOf(monitor))
      look()
      if (events.length > 0) await tell(events)
    })
  }
  const eventsOf = (monitor: Monitor): readonly Payload[] => {
    const { setting } = monitor
    const isOutside = setting.transaction && !isCharging(target, setting)
    if (setting.periodicEventStream || setting.severity > level || isOutside) return []
    const found = changeOf(monitor, readValue(setting), target.time.now())
    return found ? [eventOf(monitor, found.trigger, found.cleared)] : []
  }

  return {
    set(setting: MonitoringSetting): Payload {
      const { component, variable, type, severity } = setting
      const named = { type, severity, component, variable }
      const answer = (status: string, id?: number): Payload => ({ id, status, ...named })
      if (!model.hasComponent(setting)) return answer('UnknownComponent')
      const declared = model.find(setting)?.declared
      if (!declared) return answer('UnknownVariable')
      const isNumber = declared.dataType === 'integer' || declared.dataType === 'decimal'
      if (type.startsWith('Target') || !declared.monitored || (/Threshold$/.test(type) && !isNumber))
        return answer('UnsupportedMonitorType')
      const { maxLimit = Number.POSITIVE_INFINITY } = declared
      if (setting.value < 0 || (/Threshold$/.test(type) && setting.value > maxLimit)) return answer('Rejected')
      const key = variableKey(setting)
      const known = setting.id === undefined ? undefined : monitors.get(setting.id)
      if (setting.id !== undefined && (!known || variableKey(known.setting) !== key)) return answer('Rejected')
      const isTwin = (other: Monitor) =>
        other.id !== setting.id &&
        variableKey(other.setting) === key &&
        other.setting.type === type &&
        other.setting.severity === severity
      if ([...monitors.values()].some(isTwin)) return answer('Duplicate')
      if (monitors.size >= MAX_MONITORS && !known) return answer('Rejected')
      const id = known?.id ?? nextId++
      monitors.set(id, {
        id,
        setting,
        reportedValue: readValue(setting),
        reportedAt: target.time.now(),
        isBeyond: false,
      })
      if (!looks) look()
      return answer('Accepted', id)
    },
    clear: (id: number) => (monitors.delete(id) ? 'Accepted' : 'NotFound'),
    clearAll: () => monitors.clear(),
    /** Events above this severity are not reported. */
    useLevel(severity: number): void {
      level = severity
    },
    /** `monitor` of NotifyMonitoringReport. */
    report(wish: ReportRequest & { readonly monitoringCriteria?: readonly string[] }): readonly Payload[] {
      const types = wish.monitoringCriteria?.flatMap((criterion) => CRITERIA[criterion] ?? [])
      const named = wish.componentVariable
      const desired = [...monitors.values()].filter(
        ({ setting }) =>
          (!types || types.includes(setting.type)) && (!named || named.some((name) => isSelected(setting, name))),
      )
      return [...grouped(desired, ({ setting }) => variableKey(setting)).values()].map((monitorsOfOne) => ({
        component: monitorsOfOne[0]?.setting.component,
        variable: monitorsOfOne[0]?.setting.variable,
        variableMonitoring: monitorsOfOne.map(({ id, setting: { transaction, value, type, severity } }) => ({
          id,
          transaction: transaction === true,
          value,
          type,
          severity,
          ...origin,
        })),
      }))
    },
  }
}

function changeOf(
  monitor: Monitor,
  value: string,
  now: number,
): { readonly trigger: string; readonly cleared?: boolean } | undefined {
  const { setting } = monitor
  switch (setting.type) {
    case 'UpperThreshold':
    case 'LowerThreshold': {
      const isBeyond = setting.type === 'UpperThreshold' ? Number(value) > setting.value : Number(value) < setting.value
      if (isBeyond === monitor.isBeyond) return undefined
      monitor.isBeyond = isBeyond
      return { trigger: 'Alerting', cleared: !isBeyond }
    }
    case 'Delta': {
      const change = Math.abs(Number(value) - Number(monitor.reportedValue))
      const isReported = Number.isNaN(change) ? value !== monitor.reportedValue : change > 0 && change >= setting.value
      if (!isReported) return undefined
      monitor.reportedValue = value
      return { trigger: 'Delta' }
    }
    default: {
      const seconds = Math.max(1, setting.value)
      const dueAt =
        setting.type === 'Periodic' ? monitor.reportedAt + seconds * 1000 : nextAligned(monitor.reportedAt, seconds)
      if (now < dueAt) return undefined
      monitor.reportedAt = setting.type === 'Periodic' ? dueAt : now
      return { trigger: 'Periodic' }
    }
  }
}

/** Counted from midnight. */
function nextAligned(after: number, seconds: number): number {
  const midnight = Math.floor(after / (DAY_SECONDS * 1000)) * DAY_SECONDS * 1000
  return midnight + (Math.floor((after - midnight) / (seconds * 1000)) + 1) * seconds * 1000
}

function isCharging({ outlets }: CommandTarget, { component: { evse } }: MonitoringSetting): boolean {
  return outlets.some(({ connectorId, transaction }) => transaction && (!evse || evse.id === connectorId))
}
