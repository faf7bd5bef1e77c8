/** What sessions cost (COST-L1). */
import type { Command } from 'commander'
import { RATE_NAMES, readRates, textOfMicros } from '../../application/tariffs/rates.ts'
import { changeTariff, createTariff, MICROS, representTariff } from '../../application/tariffs/tariffs.ts'
import type { Tariff, TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { type CliContext, examples, orFail } from './cli-context.ts'
import { ACCOUNT_FLAG, type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, printList, printObject } from './output/print.ts'

type Common = AccountOption & JsonOption
type SetOptions = { chargePoint?: string | undefined; currency?: string | undefined } & Partial<
  Record<(typeof RATE_NAMES)[number], string>
> &
  Common

export function register(program: Command, context: CliContext): void {
  const tariff = program.command('tariff').description('what sessions cost, excluding VAT')
  tariff
    .command('list')
    .description('list the tariffs of an account')
    .option(...ACCOUNT_FLAG)
    .option(...JSON_FLAG)
    .action((options: Common) => list(context, options))
  examples(
    tariff
      .command('set')
      .description('set the tariff of the account, or of one charge point; rates that are left out stay as they are')
      .option('--charge-point <id>', 'of this one; default: of all that have none of their own')
      .option('--currency <code>', 'ISO 4217')
      .option('--per-kwh <amount>', 'per kilowatt-hour')
      .option('--per-minute <amount>', 'per minute between start and stop')
      .option('--per-session <amount>', 'once per session')
      .option('--idle-per-minute <amount>', 'per minute suspended after charging, on top')
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire tariff set --currency EUR --per-kwh 0.49',
    'pilotwire tariff set --charge-point EV-001 --currency EUR --per-kwh 0.59 --per-minute 0.02',
  ).action((options: SetOptions) => set(context, options))
}

function list(context: CliContext, options: Common): Promise<void> {
  return withAccount(context, options, async ({ reads, accountId }) => {
    const rows = (await reads.listTariffs(accountId)).map(representTariff)
    printList(context, rows, ['id', 'evseControllerId', 'currency', ...RATE_NAMES, 'version'], options.json)
  })
}

/** The one there is gets a new version; where there is none, it is made. */
function set(context: CliContext, options: SetOptions): Promise<void> {
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
      tariff_exists: 'Somebody else has just made this tariff.',
    }
    printObject(context, representTariff(orFail(tariff, hints)), options.json)
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
