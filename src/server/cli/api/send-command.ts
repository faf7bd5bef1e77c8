import type { Command } from 'commander'
import { parsedJson } from '../../../domain/parsed-json.ts'
import { type CliContext, EXIT, UsageError } from '../cli-context.ts'
import { declare } from '../declare.ts'
import { ExitCode } from '../output/exit-code.ts'
import { type JsonOption, printObject } from '../output/print.ts'
import { type ApiOptions, callApi, ofApi } from './call-api.ts'

type SendOptions = {
  chargePoint: string
  method: string
  request: string
  wait: string
  ttl?: string | undefined
} & ApiOptions &
  JsonOption

export function registerSend(command: Command, context: CliContext): void {
  declare(command, context, {
    usage: 'send',
    does: 'send an OCPP command and show what was answered; ends with 1 when it was not accepted as a message, or not answered while it waited',
    takes: (command) =>
      ofApi(
        command
          .requiredOption('--charge-point <id>', 'where to')
          .requiredOption('--method <name>', 'the command, such as Reset')
          .option('--request <json>', 'its payload', '{}')
          .option('--wait <seconds>', 'wait so long for the answer', '10')
          .option('--ttl <seconds>', 'wait so long for a charge point that is away'),
      ),
    examples: ['pilotwire command send --charge-point EV-001 --method Reset --request \'{"type":"Soft"}\''],
    run: send,
  })
}

async function send(context: CliContext, options: SendOptions): Promise<void> {
  const { chargePoint, method } = options
  const body = {
    method,
    request: requestOf(options.request),
    wait: seconds('--wait', options.wait),
    ttl: options.ttl === undefined ? undefined : seconds('--ttl', options.ttl),
  }
  const path = `/2/evse-controllers/${encodeURIComponent(chargePoint)}/commands`
  const row = await callApi(context, options, { method: 'POST', path, body })
  printObject(context, row, options.json)
  if (row.status === 'pending') {
    const waited = body.wait === 0 ? 'Did not wait for the answer' : `No answer within ${body.wait} s`
    context.note(
      `${waited}: the command is sent when ${chargePoint} is there (pilotwire charge-point list shows who is), until it expires.`,
    )
    if (body.wait === 0) return
  }
  if (row.status !== 'success') throw new ExitCode(EXIT.failure)
}

function requestOf(text: string): unknown {
  const request = parsedJson(text)
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) return request
  throw new UsageError(`--request ${JSON.stringify(text)} is no JSON object: expected something like {"type":"Soft"}`)
}

function seconds(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new UsageError(`${flag} ${JSON.stringify(text)} is no whole number of seconds.`)
}
