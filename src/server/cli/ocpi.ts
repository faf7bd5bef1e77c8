import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { newUuid } from '../../domain/message-log/log-id.ts'
import { OCPI_VERSIONS } from '../../domain/partners/records.ts'
import { type Judged, judgePlatform } from '../../ocpi/check/checks.ts'
import { chosenVersion, type Probed } from '../../ocpi/check/exchange.ts'
import { probePlatform } from '../../ocpi/check/probe.ts'
import { visible } from '../visible-text.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { declare } from './declare.ts'
import { ExitCode, type JsonOption } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  const ocpi = program.command('ocpi').description('roaming partners')
  declare(ocpi, context, {
    usage: 'check',
    does: 'try a partner’s platform with a token that it gave, change nothing there, and print what does not conform; ends with 1 when a demand of OCPI is not met',
    takes: (command) =>
      command
        .argument('<url>', 'its OCPI versions, such as https://partner.example.com/ocpi/versions')
        .argument('[token]', 'with which we call it; better given as PILOTWIRE_OCPI_TOKEN'),
    examples: [
      'pilotwire ocpi check https://partner.example.com/ocpi/versions "$TOKEN"',
      'PILOTWIRE_OCPI_TOKEN=… pilotwire ocpi check https://partner.example.com/ocpi/versions --json',
    ],
    run: check,
  })
}

/** OCPI-B1. */
async function check(context: CliContext, url: string, given: string | undefined, { json }: JsonOption): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`<url> ${url} is not an address such as https://partner.example.com/ocpi/versions.`)
  }
  const token = given ?? context.environment.PILOTWIRE_OCPI_TOKEN ?? ''
  if (token === '')
    throw new UsageError('The token is missing: give it behind the address, or set PILOTWIRE_OCPI_TOKEN.')
  const { now, random } = context
  const exchanges = await probePlatform({
    versionsUrl: url,
    token,
    userAgent: `Pilotwire/${packageJson.version}`,
    now,
    newId: () => newUuid(now(), random),
    probed: (one) => {
      if (!json) context.note(visible(`${one.method} ${one.url} -> ${one.status ?? one.error}`))
    },
  })
  const checks = judgePlatform(exchanges)
  const passed = !checks.some(({ level, result }) => level === 'must' && result === 'fault')
  if (json) {
    const versions = exchanges.find(({ purpose }) => purpose === 'versions')
    const { version } = chosenVersion(versions?.envelope, OCPI_VERSIONS) ?? {}
    context.out(JSON.stringify({ passed, version, checks, requests: exchanges.map(shown) }))
  } else for (const one of checks) for (const line of lines(one)) context.out(visible(line))
  if (!passed) throw new ExitCode(EXIT.failure)
}

function lines({ id, level, title, result, faults }: Judged): readonly string[] {
  const word = result === 'ok' ? 'ok' : result === 'unjudged' ? '-' : level === 'must' ? 'WRONG' : 'unwise'
  return [`${word.padEnd(8)}${id.padEnd(22)}${title}`, ...faults.map((fault) => `${''.padEnd(8)}${fault}`)]
}

/** Without the token. */
function shown({ purpose, method, url, status, error, durationMs }: Probed): object {
  return { purpose, method, url, status, error, durationMs }
}
