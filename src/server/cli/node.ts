/** The servers that share a database (STORE-N9). */
import type { Command } from 'commander'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import { databaseAt } from '../../storage/open.ts'
import { type ApiOptions, callApi, credentialFlag, URL_FLAG } from './api/call-api.ts'
import { type CliContext, examples, useSettings } from './cli-context.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList } from './output/print.ts'

const COLUMNS = ['name', 'version', 'since', 'lastSeenAt', 'connections', 'state']

export function register(program: Command, context: CliContext): void {
  const node = program.command('node').description('the servers that share a database')
  examples(
    node
      .command('list')
      .description('list them: from a PostgreSQL database itself, with a database file by the server that uses it')
      .option(...URL_FLAG)
      .addOption(credentialFlag())
      .option(...JSON_FLAG),
    'pilotwire node list',
  ).action((options: ApiOptions & JsonOption) => list(context, options))
}

async function list(context: CliContext, options: ApiOptions & JsonOption): Promise<void> {
  const { databaseUrl } = useSettings(context)
  const stored = await databaseAt(databaseUrl).nodes()
  const rows =
    stored?.map(({ since, lastSeenAt, ...facts }) => ({
      ...facts,
      since: isoTime(since),
      lastSeenAt: isoTime(lastSeenAt),
    })) ?? (await callApi(context, options, { method: 'GET', path: '/2/nodes' })).data
  printList(context, rows as readonly Printable[], COLUMNS, options.json)
}
