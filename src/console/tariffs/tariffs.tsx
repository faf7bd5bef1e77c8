/** Tariffs: made, changed, deleted, with a preview of what a charge would cost (ADMIN-H1). */

import { type ImaginedCharge, previewCost } from '../../application/tariffs/preview.ts'
import { AMOUNT_HINT, microsOf, RATE_NAMES, readRates } from '../../application/tariffs/rates.ts'
import * as order from '../../application/tariffs/tariffs.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { faultsAt, filledIn, typedWith } from '../kit/typed.ts'
import { again, ordering, showing, trying, type Visit } from '../visit.tsx'
import { ACTION, type Example, TariffPage, TariffsPage } from './tariffs-page.tsx'

const LIST = '/tariffs'
const FIELDS = ['currency', ...RATE_NAMES, 'chargePoint'] as const
/** A year. */
const MAX_MINUTES = 527_040
const MINUTES_HINT = 'must be a whole number of minutes, and the idle ones are among all of them'

export const showTariffs: ConsolePage = showing('see', (visit) => tariffsPage(visit))

export const createTariff: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const made = await create(visit, form)
  if (!('refused' in made)) return `${LIST}/${made.tariffId}`
  return again(await tariffsPage(visit, typedWith(form, made)), made)
})

async function create({ site, accountId }: Visit, form: URLSearchParams): Promise<Tariff | Refusal> {
  const { chargePoint: chargePointId, ...texts } = filledIn(form, FIELDS)
  const rates = readRates(texts)
  return 'faults' in rates ? refuseFaults(rates.faults) : order.createTariff(site, { accountId, chargePointId }, rates)
}

export const showTariff: ConsolePage = showing('see', async (visit) => {
  const tariff = await tariffOf(visit)
  return tariff && tariffPage(visit, tariff)
})

export const changeTariff: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const tariff = await tariffOf(visit)
  if (!tariff) return noSuch('tariff')
  const rates = readRates(filledIn(form, FIELDS))
  const changed = 'faults' in rates ? refuseFaults(rates.faults) : await order.changeTariff(visit.site, tariff, rates)
  if (!('refused' in changed)) return `${LIST}/${tariff.tariffId}`
  return again(tariffPage(visit, tariff, typedWith(form, changed)), changed)
})

export const tryTariff: ConsolePage = trying(ACTION, async (visit, form) => {
  const tariff = visit.context.req.param('tariffId') === undefined ? undefined : await tariffOf(visit)
  const priced = priceOf(readRates(filledIn(form, FIELDS)), form)
  const [typed, example] =
    'faults' in priced ? [{ form, faults: priced.faults }, undefined] : [{ form, faults: {} }, priced]
  const page = tariff ? tariffPage(visit, tariff, typed, example) : await tariffsPage(visit, typed, example)
  return { page, status: example ? 200 : 400 }
})

export const deleteTariff: ConsolePage = ordering(
  'administrator',
  ACTION,
  async ({ site, accountId, context }) =>
    (await order.deleteTariff(site, accountId, context.req.param('tariffId') ?? '')) ?? LIST,
)

function tariffOf({ site, context, accountId }: Visit): Promise<Tariff | undefined> {
  return site.reads.findTariff(accountId, context.req.param('tariffId') ?? '')
}

async function tariffsPage(visit: Visit, typed: Typed = NOTHING_TYPED, example?: Example) {
  const tariffs = await visit.site.reads.listTariffs(visit.accountId)
  return <TariffsPage {...{ visit, tariffs, typed, example }} />
}

function tariffPage(visit: Visit, tariff: Tariff, typed?: Typed, tried?: Example) {
  const query = new URL(visit.context.req.url).searchParams
  const imagined = query.has('energy') ? query : new URLSearchParams(DEFAULT_CHARGE)
  const priced = tried ?? (typed ? undefined : priceOf(tariff, imagined))
  const faults = priced && 'faults' in priced ? priced.faults : {}
  const example = priced && !('faults' in priced) ? priced : undefined
  const shown = typed ?? { form: query.has('energy') && !visit.administrator ? query : new URLSearchParams(), faults }
  return <TariffPage {...{ visit, tariff, typed: shown, example }} />
}

const DEFAULT_CHARGE = { energy: '20', minutes: '60', idle: '0' }

function priceOf(rates: ReturnType<typeof readRates>, form: URLSearchParams): Example | { readonly faults: Faults } {
  const charge = readCharge(form)
  const faults = { ...('faults' in rates && faultsAt(rates.faults)), ...('faults' in charge && charge.faults) }
  if ('faults' in rates || 'faults' in charge) return { faults }
  return { preview: previewCost(rates, charge), currency: rates.currency }
}

function readCharge(query: URLSearchParams): ImaginedCharge | { readonly faults: Faults } {
  const energyMilliWh = microsOf(query.get('energy')?.trim() ?? '')
  const minutes = minutesOf(query.get('minutes'))
  const idleMinutes = minutesOf(query.get('idle'))
  const idleFits = idleMinutes !== undefined && idleMinutes <= (minutes ?? MAX_MINUTES)
  if (energyMilliWh !== undefined && minutes !== undefined && idleFits) return { energyMilliWh, minutes, idleMinutes }
  return {
    faults: {
      ...(energyMilliWh === undefined && { energy: AMOUNT_HINT }),
      ...(minutes === undefined && { minutes: MINUTES_HINT }),
      ...(!idleFits && { idle: MINUTES_HINT }),
    },
  }
}

function minutesOf(text: string | null): number | undefined {
  const typed = text?.trim() ?? ''
  if (typed === '') return 0
  return /^\d{1,6}$/.test(typed) && Number(typed) <= MAX_MINUTES ? Number(typed) : undefined
}
