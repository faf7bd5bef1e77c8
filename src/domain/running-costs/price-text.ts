/** What charging costs, in one line for the display of whoever shows a card (DRIVER-C4). Pure. */
import type { MessageLimits } from '../device-model/records.ts'
import type { Authorisation } from '../ports/id-tokens.ts'
import type { FrozenTariff } from '../ports/sessions.ts'

const MICROS = 1_000_000
const IDLE = { en: 'idle', de: 'Standzeit' }

/** What is accepted comes with the price, where the charge point says that it shows tariffs. */
export function withPrice(
  authorisation: Authorisation,
  { tariffAvailable, tariffEnabled = tariffAvailable }: MessageLimits = {},
  tariff: FrozenTariff | undefined,
  language = 'en',
): Authorisation {
  const isShown = tariffAvailable !== 0 && tariffEnabled === 1
  if (!isShown || !tariff || authorisation.status !== 'Accepted') return authorisation
  const spoken = /^de\b/i.test(language) ? 'de' : 'en'
  return { ...authorisation, price: { language: spoken, text: priceText(tariff, spoken) } }
}

/** Excluding VAT, like every amount; what is free is said to be. */
export function priceText(tariff: FrozenTariff, language: keyof typeof IDLE): string {
  const { currency, perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros } = tariff
  const of = (micros: number, unit = ''): string[] => (micros > 0 ? [`${shown(micros)} ${currency}${unit}`] : [])
  const idle = of(idlePerMinuteMicros, '/min').map((one) => `${IDLE[language]} ${one}`)
  const prices = [...of(perKwhMicros, '/kWh'), ...of(perMinuteMicros, '/min'), ...of(perSessionMicros), ...idle]
  return prices.length > 0 ? prices.join(' + ') : `0.00 ${currency}`
}

/** At least two digits behind the point. */
function shown(micros: number): string {
  const exact = String(micros / MICROS)
  const digits = exact.split('.')[1]?.length ?? 0
  return digits < 2 ? (micros / MICROS).toFixed(2) : exact
}
