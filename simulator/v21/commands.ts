/** What OCPP 2.1 orders besides 2.0.1, and what it orders differently. */
import { passwordOf } from '../../src/domain/payments/one-time-password.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { type Command, type CommandTarget, outletOfTransaction, refused, selectedOutlets } from '../commands/target.ts'
import type { Tariff } from '../model/facts.ts'
import { commands201 } from '../v201/commands.ts'
import type { DeviceModel } from '../v201/device-model/device-model.ts'
import { modelOf } from '../v201/device-model-commands.ts'
import type { MonitoringSetting, StreamParams } from '../v201/monitors.ts'
import { createStreams, type Streams } from './streams.ts'
import { variables21 } from './variables.ts'

/** With the address in the QR code of a connector, which is absent where a payment is not possible. */
export function commands21(station: CommandTarget) {
  const target: CommandTarget = { ...station, variables: [...variables21(station), ...station.variables] }
  const model = modelOf(target)
  const streams = createStreams(target, model)
  // N02: each monitor says where it came from.
  const base = commands201(target, model, { eventNotificationType: 'CustomMonitor' })
  const of201 = (method: string, request: Payload) => base.get(method)?.(request) ?? {}
  const changed = {
    Reset: (request) => (request.type === 'ImmediateAndResume' ? { status: 'Rejected' } : of201('Reset', request)),
    SetChargingProfile: (request) => {
      const answer = of201('SetChargingProfile', request)
      const { id, dynUpdateInterval } = request.chargingProfile as Payload
      if (answer.status === 'Accepted' && Number(dynUpdateInterval) > 0) pullLater(target, Number(id))
      return answer
    },
    SetVariableMonitoring: (request) => {
      const settings = request.setMonitoringData as readonly MonitoringSetting[]
      const answer = of201('SetVariableMonitoring', request)
      const results = answer.setMonitoringResult as readonly Payload[]
      for (const [position, setting] of settings.entries()) {
        const { status, id } = results[position] ?? {}
        if (status === 'Accepted') streams.open(Number(id), setting)
      }
      return answer
    },
    ClearVariableMonitoring: (request) => {
      for (const id of request.id as readonly number[]) streams.close(id)
      return of201('ClearVariableMonitoring', request)
    },
  } satisfies Record<string, Command>
  const own = { ...changed, ...streamCommands(streams), ...tariffCommands(target), ...chargingCommands(target) }
  const commands: ReadonlyMap<string, Command> = new Map([...base, ...Object.entries(own)])
  return { commands, qrCode: (evseId: number) => qrCode(target, model, evseId) }
}

function streamCommands(streams: Streams) {
  return {
    AdjustPeriodicEventStream: ({ id, params }) => ({
      status: streams.adjust(Number(id), params as StreamParams) ? 'Accepted' : 'Rejected',
    }),
    GetPeriodicEventStream: () => ({ ...(streams.all().length > 0 && { constantStreamData: streams.all() }) }),
  } satisfies Record<string, Command>
}

function tariffCommands(target: CommandTarget) {
  const { tariffs } = target
  return {
    SetDefaultTariff: ({ evseId, tariff }) => ({ status: tariffs.setDefault(Number(evseId), tariff as Tariff) }),
    GetTariffs: ({ evseId }) => {
      const tariffAssignments = tariffs.assignments(Number(evseId))
      return tariffAssignments.length > 0 ? { status: 'Accepted', tariffAssignments } : { status: 'NoTariff' }
    },
    ClearTariffs: ({ evseId, tariffIds }) => ({
      clearTariffsResult: tariffs.clear(evseId as number | undefined, tariffIds as readonly string[] | undefined),
    }),
    ChangeTransactionTariff: ({ transactionId, tariff: given }) => {
      const tariff = given as Tariff
      const outlet = outletOfTransaction(target, String(transactionId))
      const before = outlet?.transaction?.tariff
      if (!outlet) return { status: 'TxNotFound' }
      if (before && before.currency !== tariff.currency) return { status: 'NoCurrencyChange' }
      const fault = tariffs.fault(tariff)
      if (fault !== undefined) return { status: fault }
      target.afterAnswer(() => target.charging.changeTariff(outlet.connectorId, tariff))
      return { status: 'Accepted' }
    },
  } satisfies Record<string, Command>
}

function chargingCommands(target: CommandTarget) {
  return {
    /** K28: only of a dynamic profile. */
    UpdateDynamicSchedule: ({ chargingProfileId, scheduleUpdate }) => {
      const isRefused = target.behaviour.refusesDynamicUpdates
      if (isRefused || !target.limits.update(Number(chargingProfileId), scheduleUpdate as Payload))
        return refused(target, 'InvalidProfile')
      target.afterAnswer(() => target.charging.applyLimits())
      return { status: 'Accepted' }
    },
    /** C25.FR.21: the driver who pays by the QR code has the connector for so long. */
    NotifyWebPaymentStarted: ({ evseId, timeout }) => {
      const until = target.clock.now() + Number(timeout) * 1000
      for (const outlet of selectedOutlets(target, Number(evseId)) ?? []) outlet.paymentUntil = until
      return {}
    },
  } satisfies Record<string, Command>
}

/** K28.FR.10: the station asks for the limit as long as it has the profile; each answer renews it. */
function pullLater(target: CommandTarget, chargingProfileId: number): void {
  const profile = () => target.limits.profiles().find(({ id }) => id === chargingProfileId)
  const installed = profile()
  target.time.after(Number(installed?.source.dynUpdateInterval) * 1000, async () => {
    if (!installed || profile()?.installedAt !== installed.installedAt) return
    pullLater(target, chargingProfileId)
    const call = { method: 'PullDynamicScheduleUpdate', request: { chargingProfileId } }
    const answer: Payload = await target.ask(call).catch(() => ({}))
    if (answer.status !== 'Accepted') return
    target.limits.update(chargingProfileId, (answer.scheduleUpdate ?? {}) as Payload)
    await target.charging.applyLimits()
  })
}

/** C25: the template with what stands for this connector, now. */
function qrCode({ id, clock }: CommandTarget, model: DeviceModel, connectorId: number): string | undefined {
  const read = (variable: string) => model.value('WebPaymentsCtrlr', variable) ?? ''
  const [template, secret] = [read('URLTemplate'), read('SharedSecret')]
  if (read('Enabled').toLowerCase() !== 'true' || template === '' || secret === '') return undefined
  const interval = Math.floor(clock.now() / 1000 / Number(read('ValidityTime')))
  const words: Readonly<Record<string, string>> = {
    chargingstationid: id,
    roamingevseid: `${id}*${connectorId}`,
    evse: String(connectorId),
    totp: passwordOf({ secret, length: Number(read('Length')) }, interval),
    version: read('TOTPVersion'),
  }
  return template.replaceAll(/\{([a-z]+)\}/g, (whole, word: string) => encodeURIComponent(words[word] ?? whole))
}
