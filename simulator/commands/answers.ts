/** Answers to the central system's CALLs: what the station really does, then the plain answers, then NotImplemented. */

import type { Payload } from '../../src/ocpp/payload.ts'
import { commands16 } from '../v16/commands.ts'
import { commands201 } from '../v201/commands.ts'
import { AnswerError } from '../wire/frames.ts'
import type { CommandTarget } from './target.ts'

export interface CommandAnswers {
  /** Throws the CALLERROR for an unknown action. */
  answer(method: string, request: Payload): Payload
}

export function createCommandAnswers(target: CommandTarget): CommandAnswers {
  const [commands, plain] =
    target.protocol === 'ocpp1.6' ? [commands16(target), plainAnswers16] : [commands201(target), plainAnswers201]
  return {
    answer(method, request) {
      const answer = commands.get(method)?.(request) ?? (Object.hasOwn(plain, method) ? plain[method] : undefined)
      if (!answer) throw new AnswerError('NotImplemented', `this station has no ${method}`)
      return answer
    },
  }
}

/** Schema-valid, and a refusal wherever the schema has one; v16/commands.ts and v201/commands.ts do the rest. */
export const plainAnswers16: Readonly<Record<string, Payload>> = {}

export const plainAnswers201: Readonly<Record<string, Payload>> = {
  DataTransfer: { status: 'UnknownVendorId' },
  PublishFirmware: { status: 'Rejected' },
  UnpublishFirmware: { status: 'NoFirmware' },
}
