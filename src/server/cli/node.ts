/** The servers that share a database (STORE-N9). */
import { isoTime } from '../../domain/iso-time.ts'
import { databaseAt } from '../../storage/open.ts'
import { type ApiOptions, callApi } from './call-api.ts'
import { type CliContext, useSettings } from './cli-context.ts'
import { commandGroup, type Listed, OF_SERVER } from './declare.ts'
import type { Printable } from './output/print.ts'

const COLUMNS = ['name', 'version', 'since', 'lastSeenAt', 'connections', 'state']

export const register = commandGroup('node', 'the servers that share a database', [
  {
    usage: 'list',
    does: 'list them: from a PostgreSQL database itself, with a database file by the server that uses it',
    takes: OF_SERVER,
    examples: ['pilotwire node list'],
    run: list,
  },
])

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
