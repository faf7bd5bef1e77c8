/** Answers to the central system's CALLs: what the station really does, then the plain answers, then NotImplemented. */

import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { commands16 } from '../v16/commands.ts'
import { commands21 } from '../v21/commands.ts'
import { commands201 } from '../v201/commands.ts'
import { AnswerError } from '../wire/frames.ts'
import type { Command, CommandTarget } from './target.ts'

interface Orders {
  readonly commands: ReadonlyMap<string, Command>
  readonly plain: Readonly<Record<string, Payload>>
  readonly qrCode?: (connectorId: number) => string | undefined
}

const orders: Readonly<Record<Protocol, (target: CommandTarget) => Orders>> = {
  'ocpp1.6': (target) => ({ commands: commands16(target), plain: plainAnswers16 }),
  'ocpp2.0.1': (target) => ({ commands: commands201(target), plain: plainAnswers201 }),
  'ocpp2.1': (target) => ({ ...commands21(target), plain: plainAnswers21 }),
}

/** With the address in the QR code of a connector, where one can pay so. */
export function createCommandAnswers(target: CommandTarget) {
  const { commands, plain, qrCode }: Orders = orders[target.protocol](target)
  return {
    qrCode,
    /** Throws the CALLERROR for an unknown action. */
    answer(method: string, request: Payload): Payload {
      const answer = commands.get(method)?.(request) ?? (Object.hasOwn(plain, method) ? plain[method] : undefined)
      if (!answer) throw new AnswerError('NotImplemented', `this station has no ${method}`)
      return answer
    },
  }
}

/** Schema-valid, and a refusal wherever the schema has one; the commands.ts of each version does the rest. */
export const plainAnswers16: Readonly<Record<string, Payload>> = {}

export const plainAnswers201: Readonly<Record<string, Payload>> = {
  DataTransfer: { status: 'UnknownVendorId' },
  PublishFirmware: { status: 'Rejected' },
  UnpublishFirmware: { status: 'NoFirmware' },
}

/** Without distributed energy, battery swaps and priority charging. */
export const plainAnswers21: Readonly<Record<string, Payload>> = {
  ...plainAnswers201,
  AFRRSignal: { status: 'Rejected' },
  ClearDERControl: { status: 'NotSupported' },
  GetDERControl: { status: 'NotSupported' },
  SetDERControl: { status: 'NotSupported' },
  NotifyAllowedEnergyTransfer: { status: 'Accepted' },
  RequestBatterySwap: { status: 'Rejected' },
  UsePriorityCharging: { status: 'NoProfile' },
}
