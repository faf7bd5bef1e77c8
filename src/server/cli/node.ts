/** The servers that share a database (STORE-N9). */
import type { Command } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import { databaseAt } from '../../storage/open.ts'
import { type ApiOptions, callApi, ofApi } from './api/call-api.ts'
import { type CliContext, useSettings } from './cli-context.ts'
import { declare, type Listed } from './declare.ts'
import type { Printable } from './output/print.ts'

const COLUMNS = ['name', 'version', 'since', 'lastSeenAt', 'connections', 'state']

export function register(program: Command, context: CliContext): void {
  const node = program.command('node').description('the servers that share a database')
  declare(node, context, {
    usage: 'list',
    does: 'list them: from a PostgreSQL database itself, with a database file by the server that uses it',
    takes: ofApi,
    examples: ['pilotwire node list'],
    run: list,
  })
}

async function list(context: CliContext, options: ApiOptions): Promise<Listed> {
  const { databaseUrl } = useSettings(context)
  const stored = await databaseAt(databaseUrl).nodes()
  const rows =
    stored?.map(({ since, lastSeenAt, ...facts }) => ({
      ...facts,
      since: isoTime(since),
      lastSeenAt: isoTime(lastSeenAt),
    })) ?? (await callApi(context, options, { method: 'GET', path: '/2/nodes' })).data
  return { rows: rows as readonly Printable[], columns: COLUMNS }
}
