/** What sessions cost (COST-L1). */
import type { Command } from 'commander'
import { RATE_NAMES, readRates, textOfMicros } from '../../application/tariffs/rates.ts'
import type { Tariff, TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { type CliContext, examples, UsageError } from './cli-context.ts'
import { withReads, withWrites } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, chooseAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type Common = AccountOption & JsonOption
type SetOptions = { chargePoint?: string; currency?: string } & Partial<Record<(typeof RATE_NAMES)[number], string>> &
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

async function list(context: CliContext, options: Common): Promise<void> {
  await withReads(context, async ({ reads }) => {
    const account = await chooseAccount(reads, options.account)
    const rows = (await reads.listTariffs(account.id)).map(shown)
    printList(context, rows, ['id', 'evseControllerId', 'currency', ...RATE_NAMES, 'version'], options.json)
  })
}

/** The one there is gets a new version; where there is none, it is made. */
async function set(context: CliContext, options: SetOptions): Promise<void> {
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const { chargePoint } = options
    if (chargePoint !== undefined && (await reads.findChargePoint(chargePoint))?.accountId !== account.id) {
      throw new UsageError(`There is no charge point ${chargePoint} in this account: see pilotwire charge-point list`)
    }
    const before = (await reads.listTariffs(account.id)).find(({ chargePointId }) => chargePointId === chargePoint)
    const rates = ratesOf(options, before)
    const at = context.now()
    if (before) {
      const changed = await writes.updateTariff(account.id, before.tariffId, rates, at)
      if (!changed) throw new Error('The tariff is gone.')
      return printObject(context, shown(changed), options.json)
    }
    const tariff: Tariff = {
      tariffId: `tar_${context.random(12).toString('hex')}`,
      version: 1,
      accountId: account.id,
      ...(chargePoint !== undefined && { chargePointId: chargePoint }),
      ...rates,
      createdAt: at,
      updatedAt: at,
    }
    if ((await writes.createTariff(tariff)) === 'exists') throw new Error('Somebody else has just made this tariff.')
    printObject(context, shown(tariff), options.json)
  })
}

function ratesOf(options: SetOptions, before: Tariff | undefined): TariffRates {
  const texts = before && {
    currency: before.currency,
    perKwh: textOfMicros(before.perKwhMicros),
    perMinute: textOfMicros(before.perMinuteMicros),
    perSession: textOfMicros(before.perSessionMicros),
    idlePerMinute: textOfMicros(before.idlePerMinuteMicros),
  }
  const read = readRates({ ...texts, ...given(options) })
  if (!('faults' in read)) return read
  throw new UsageError(read.faults.map(({ pointer, message }) => `${pointer.slice(1)} ${message}.`).join(' '))
}

/** The flag is --per-kwh, which becomes `perKwh`. */
function given(options: SetOptions): Readonly<Record<string, string>> {
  const names = ['currency', ...RATE_NAMES] as const
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name] ?? '']])))
}

function shown(tariff: Tariff): Printable {
  const { tariffId, version, chargePointId, currency, createdAt, updatedAt } = tariff
  return {
    id: tariffId,
    version,
    ...(chargePointId !== undefined && { evseControllerId: chargePointId }),
    currency,
    perKwh: Number(textOfMicros(tariff.perKwhMicros)),
    perMinute: Number(textOfMicros(tariff.perMinuteMicros)),
    perSession: Number(textOfMicros(tariff.perSessionMicros)),
    idlePerMinute: Number(textOfMicros(tariff.idlePerMinuteMicros)),
    createdAt: shownTime(createdAt),
    updatedAt: shownTime(updatedAt),
  }
}
