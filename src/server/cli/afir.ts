import { missingForAfir } from '../../domain/locations/afir-elements.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { tariffsAt } from '../../domain/tariffs/places.ts'
import { type CliContext, EXIT } from './cli-context.ts'
import { commandGroup, OF_ACCOUNT } from './declare.ts'
import { type AccountOption, withAccount } from './options.ts'
import { ExitCode, type JsonOption, type Printable, printList } from './output/print.ts'

export const register = commandGroup('afir', 'the public feed for national access points', [
  {
    usage: 'check',
    does: 'say of each location which element of the regulation is missing; ends with 1 while a published one misses any',
    takes: OF_ACCOUNT,
    examples: ['pilotwire afir check', 'pilotwire afir check --json'],
    run: check,
  },
])

/** AFIR-A3. */
async function check(context: CliContext, options: AccountOption & JsonOption): Promise<void> {
  const rows = await withAccount(context, options, async ({ reads, accountId }) => {
    const pricing = tariffsAt(await reads.listTariffs(accountId))
    const found: Printable[] = []
    for await (const page of recordPages(reads, 'locations', { accountId })) {
      for (const location of page) {
        const { locationId, publish, isRemoved } = location
        const missing = isRemoved ? [] : missingForAfir(location, pricing)
        for (const { evseUid: evse, connectorId: connector, ...one } of missing) {
          found.push({ location: locationId, publish, evse, connector, ...one })
        }
      }
    }
    return found
  })
  printList(context, rows, ['location', 'publish', 'evse', 'connector', 'member', 'element'], options.json)
  if (rows.some(({ publish }) => publish)) throw new ExitCode(EXIT.failure)
  context.note(rows.length > 0 ? 'Nothing is missing of what is published.' : 'Nothing is missing.')
}
