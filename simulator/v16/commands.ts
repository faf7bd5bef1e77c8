/** The commands of OCPP 1.6 that this station really carries out. Requests are schema-checked before they come here. */
import { createConfiguration } from './configuration.ts'
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

export function commands16(target: CommandTarget): ReadonlyMap<string, Command> {
  const configuration = createConfiguration(target.outlets.length, target.sampleIntervalSeconds)
  const triggerMessage: Command = (request) =>
    trigger(target, String(request.requestedMessage), optionalNumber(request.connectorId))
  return new Map<string, Command>(
    Object.entries({
      RemoteStartTransaction: (request) => {
        const outlet = freeOutlet(target, optionalNumber(request.connectorId))
        if (!outlet) return { status: 'Rejected' }
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
        if (status === 'Accepted' && key === 'MeterValueSampleInterval') target.useSampleInterval(Number(value))
        return { status }
      },
      TriggerMessage: triggerMessage,
      ExtendedTriggerMessage: triggerMessage,
    } satisfies Record<string, Command>),
  )
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
