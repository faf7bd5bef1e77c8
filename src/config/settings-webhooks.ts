import { byMode, setting } from './setting.ts'
import { cidr, listOf, wholeNumber } from './setting-kinds.ts'

const MAX_DELAY_SECONDS = 14 * 86_400

/** When deliveries are tried again (seconds), and which private addresses they may reach. */
export const webhookSettings = {
  webhookFiguresIntervalSeconds: setting(wholeNumber(0, 86_400, 'seconds'), {
    name: 'PILOTWIRE_WEBHOOK_FIGURES_INTERVAL',
    description:
      'At most one event per session and this interval tells changed energy or cost figures; 0 = every change. Changes of state are always sent at once.',
    example: '30',
    default: () => 30,
  }),
  webhookScheduleSeconds: setting(listOf(wholeNumber(0, MAX_DELAY_SECONDS), 'delays in seconds'), {
    name: 'PILOTWIRE_WEBHOOK_SCHEDULE',
    description: 'Delays after each failed attempt; after the last one the delivery has failed. none: one attempt.',
    example: '1,2,4',
    // HOOK-R4: 12 attempts over 70 h 42 m 35 s, so a receiver that dies on Friday evening is met on Monday.
    default: () => [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400],
  }),
  webhookAllowPrivate: setting(listOf(cidr, 'address blocks such as 10.0.0.0/8'), {
    name: 'PILOTWIRE_WEBHOOK_ALLOW_PRIVATE',
    description: 'Non-public addresses that webhooks may reach, also by http.',
    example: '10.1.2.0/24',
    default: byMode(['127.0.0.0/8', '::1/128'], []),
  }),
}
