/** What sessions cost (COST-L1). */
import type { Command } from 'commander'
import { RATE_NAMES, readRates, textOfMicros } from '../../application/tariffs/rates.ts'
import { changeTariff, createTariff, MICROS, representTariff } from '../../application/tariffs/tariffs.ts'
import type { Tariff, TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { type CliContext, orFail } from './cli-context.ts'
import { declare, type Listed, ofAccount } from './declare.ts'
import { type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import type { Printable } from './output/print.ts'

type SetOptions = { chargePoint?: string | undefined; currency?: string | undefined } & Partial<
  Record<(typeof RATE_NAMES)[number], string>
> &
  AccountOption

export function register(program: Command, context: CliContext): void {
  const tariff = program.command('tariff').description('what sessions cost, excluding VAT')
  declare(tariff, context, {
    usage: 'list',
    does: 'list the tariffs of an account',
    takes: ofAccount,
    run: list,
  })
  declare(tariff, context, {
    usage: 'set',
    does: 'set the tariff of the account, or of one charge point; rates that are left out stay as they are',
    takes: (command) =>
      ofAccount(
        command
          .option('--charge-point <id>', 'of this one; default: of all that have none of their own')
          .option('--currency <code>', 'ISO 4217')
          .option('--per-kwh <amount>', 'per kilowatt-hour')
          .option('--per-minute <amount>', 'per minute between start and stop')
          .option('--per-session <amount>', 'once per session')
          .option('--idle-per-minute <amount>', 'per minute suspended after charging, on top'),
      ),
    examples: [
      'pilotwire tariff set --currency EUR --per-kwh 0.49',
      'pilotwire tariff set --charge-point EV-001 --currency EUR --per-kwh 0.59 --per-minute 0.02',
    ],
    run: set,
  })
}

function list(context: CliContext, options: AccountOption): Promise<Listed> {
  return withAccount(context, options, async ({ reads, accountId }) => ({
    rows: (await reads.listTariffs(accountId)).map(representTariff),
    columns: ['id', 'evseControllerId', 'currency', ...RATE_NAMES, 'version'],
  }))
}

/** The one there is gets a new version; where there is none, it is made. */
function set(context: CliContext, options: SetOptions): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const { reads, accountId } = access
    const { chargePoint: chargePointId } = options
    const before = (await reads.listTariffs(accountId)).find((tariff) => tariff.chargePointId === chargePointId)
    const rates = ratesOf(options, before)
    const tariff = before
      ? await changeTariff(access, before, rates)
      : await createTariff(access, { accountId, chargePointId }, rates)
    const hints = {
      not_found: `There is no charge point ${chargePointId} in this account: see pilotwire charge-point list`,
      tariff_exists: 'This tariff was just created elsewhere.',
    }
    return representTariff(orFail(tariff, hints))
  })
}

function ratesOf(options: SetOptions, before: Tariff | undefined): TariffRates {
  const texts = RATE_NAMES.flatMap((name) => {
    const text = options[name] ?? (before && textOfMicros(before[MICROS[name]]))
    return text === undefined ? [] : [[name, text]]
  })
  const read = readRates({ currency: options.currency ?? before?.currency ?? '', ...Object.fromEntries(texts) })
  return orFail<TariffRates>('faults' in read ? refuseFaults(read.faults) : read)
}
