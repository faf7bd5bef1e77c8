import type { Command } from 'commander'
import { missingForAfir } from '../../domain/locations/afir-elements.ts'
import type { Location } from '../../domain/locations/records.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { type TariffsAt, tariffsAt } from '../../domain/tariffs/priced-by.ts'
import { type CliContext, EXIT } from './cli-context.ts'
import { declare, ofAccount } from './declare.ts'
import { type AccountOption, withAccount } from './options/choose-account.ts'
import { ExitCode, type JsonOption, type Printable, printList } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  const afir = program.command('afir').description('the public feed for national access points')
  declare(afir, context, {
    usage: 'check',
    does: 'say of each location which element of the regulation is missing; ends with 1 while a published one misses any',
    takes: ofAccount,
    examples: ['pilotwire afir check', 'pilotwire afir check --json'],
    run: check,
  })
}

/** AFIR-A3. */
async function check(context: CliContext, options: AccountOption & JsonOption): Promise<void> {
  const rows = await withAccount(context, options, async ({ reads, accountId }) => {
    const pricing = tariffsAt(await reads.listTariffs(accountId))
    const found: Printable[] = []
    for await (const page of recordPages(reads, 'locations', { accountId })) {
      for (const location of page) if (!location.isRemoved) found.push(...missingIn(location, pricing))
    }
    return found
  })
  printList(context, rows, ['location', 'publish', 'evse', 'connector', 'member', 'element'], options.json)
  if (rows.some(({ publish }) => publish)) throw new ExitCode(EXIT.failure)
  context.note(rows.length > 0 ? 'Nothing is missing of what is published.' : 'Nothing is missing.')
}

/** A tariff of the charge point or of the account is a price as well. */
function missingIn(location: Location, pricing: TariffsAt<Tariff>): readonly Printable[] {
  return missingForAfir(location).flatMap(({ member, element, evseUid, connectorId }) => {
    const evse = location.evses.find(({ uid }) => uid === evseUid)
    const connector = evse?.connectors.find((one) => one.connectorId === connectorId)
    const isPriced = member.endsWith('tariffIds') && evse && connector && pricing(evse, connector).length > 0
    const { locationId, publish } = location
    return isPriced ? [] : [{ location: locationId, publish, evse: evseUid, connector: connectorId, member, element }]
  })
}
