/** Tariffs: made, changed, deleted, with a preview of what a charge would cost (ADMIN-H1). */
import { noSuch, refuseFaults } from '../../application/refuse.ts'
import { type ImaginedCharge, previewCost } from '../../application/tariffs/preview.ts'
import { AMOUNT_HINT, microsOf, RATE_NAMES, readRates } from '../../application/tariffs/rates.ts'
import * as order from '../../application/tariffs/tariffs.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { filledIn, typedWith } from '../kit/typed.ts'
import { again, ordering, showing, type Visit } from '../visit.tsx'
import { ACTION, TariffPage, TariffsPage } from './tariffs-page.tsx'

const LIST = '/tariffs'
const FIELDS = ['currency', ...RATE_NAMES, 'chargePoint'] as const
/** A year. */
const MOST_MINUTES = 527_040
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

/** The preview is asked for in the address: it changes nothing. */
export const showTariff: ConsolePage = showing('see', async (visit) => {
  const tariff = await tariffOf(visit)
  return tariff && tariffPage(visit, tariff)
})

export const changeTariff: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const tariff = await tariffOf(visit)
  if (!tariff) return noSuch('tariff')
  const rates = readRates(filledIn(form, FIELDS))
  if ('faults' in rates) {
    const refusal = refuseFaults(rates.faults)
    return again(tariffPage(visit, tariff, typedWith(form, refusal)), refusal)
  }
  const changed = await order.changeTariff(visit.site, tariff, rates)
  return 'refused' in changed ? changed : `${LIST}/${tariff.tariffId}`
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

async function tariffsPage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  return <TariffsPage visit={visit} tariffs={await visit.site.reads.listTariffs(visit.accountId)} typed={typed} />
}

function tariffPage(visit: Visit, tariff: Tariff, typed: Typed = NOTHING_TYPED) {
  const query = new URL(visit.context.req.url).searchParams
  const charge = query.has('energy') ? readCharge(query) : undefined
  const faults = charge && 'faults' in charge ? charge.faults : {}
  return (
    <TariffPage
      visit={visit}
      tariff={tariff}
      typed={typed}
      imagined={{ form: charge ? query : new URLSearchParams(), faults }}
      preview={charge && !('faults' in charge) ? previewCost(tariff, charge) : undefined}
    />
  )
}

function readCharge(query: URLSearchParams): ImaginedCharge | { readonly faults: Faults } {
  const energyMilliWh = microsOf(query.get('energy')?.trim() ?? '')
  const minutes = minutesOf(query.get('minutes'))
  const idleMinutes = minutesOf(query.get('idle'))
  const idleFits = idleMinutes !== undefined && idleMinutes <= (minutes ?? MOST_MINUTES)
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
  return /^\d{1,6}$/.test(typed) && Number(typed) <= MOST_MINUTES ? Number(typed) : undefined
}
