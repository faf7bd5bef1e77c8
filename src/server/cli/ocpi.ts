import { newUuid } from '../../domain/message-log/log-id.ts'
import { checkPlatform } from '../../ocpi/check/check-platform.ts'
import { visible } from '../visible-text.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { commandGroup } from './declare.ts'
import { ExitCode, type JsonOption } from './output/print.ts'

export const register = commandGroup('ocpi', 'roaming partners', [
  {
    usage: 'check',
    does: 'try a partner’s platform with a token that it gave, change nothing there, and print what does not conform; ends with 1 when there is something',
    takes: [
      ['<url>', 'its OCPI versions, such as https://partner.example.com/ocpi/versions'],
      ['[token]', 'with which we call it; better given as PILOTWIRE_OCPI_TOKEN'],
    ],
    examples: ['pilotwire ocpi check https://partner.example.com/ocpi/versions "$TOKEN"'],
    run: check,
  },
])

/** OCPI-B1. */
async function check(context: CliContext, url: string, given: string | undefined, { json }: JsonOption): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`<url> ${url} is not an address such as https://partner.example.com/ocpi/versions.`)
  }
  const token = given ?? context.environment.PILOTWIRE_OCPI_TOKEN ?? ''
  if (token === '')
    throw new UsageError('The token is missing: give it behind the address, or set PILOTWIRE_OCPI_TOKEN.')
  const newId = (): string => newUuid(context.now(), context.random)
  const faults = await checkPlatform(url, token, newId, (request) => {
    if (!json) context.note(visible(request))
  })
  if (json) context.out(JSON.stringify({ passed: faults.length === 0, faults }))
  else for (const line of faults.length > 0 ? faults : ['Everything conforms.']) context.out(visible(line))
  if (faults.length > 0) throw new ExitCode(EXIT.failure)
}
