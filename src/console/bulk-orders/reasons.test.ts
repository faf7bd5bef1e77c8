import { describe, expect, it } from 'vitest'
import { REASONS } from '../../domain/bulk-orders/reasons.ts'
import { AWAY, NEVER_CONNECTED } from '../../ocpp/orders/objection.ts'
import { shownReason } from './reasons.ts'

const german = (reason: string): string => shownReason({ language: 'de' }, reason)
const english = (reason: string): string => shownReason({ language: 'en' }, reason)

describe('BULK-B8: a reason on a page', () => {
  it.each(Object.entries(REASONS))('%s has words in both languages', (_, reason) => {
    expect(english(reason)).toBe(reason)
    expect(german(reason)).not.toBe(reason)
  })

  it.each([
    [AWAY.detail, 'nicht verbunden'],
    [NEVER_CONNECTED.detail, 'noch nie verbunden'],
    ['the charge point answered Rejected: <b>hot</b>', 'die Ladestation antwortete Rejected: <b>hot</b>'],
    ['ocpp1.6 has no such command to a charge point. It has: Reset.', 'ocpp1.6 kennt diesen Befehl'],
    ['the charge point said 🔌', 'the charge point said 🔌'],
    ['', ''],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('%s', (reason, shown) => {
    expect(german(reason)).toContain(shown)
    expect(english(reason)).toBe(reason)
  })
})
