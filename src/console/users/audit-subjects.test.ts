import { expect, it } from 'vitest'
import { orderIn } from './audit.tsx'

const ID = '01a0a563-74cf-7827-9a27-ac36f1cba9c8'

it.each([
  ['Reset (hard) of LOG-0020: Accepted', 'Reset (hart) von LOG-0020: Accepted'],
  [
    `Reset (soft) of 59 charge points: 57 done, 2 refused, ${ID}`,
    `Reset (sanft) von 59 Ladestationen: 57 erledigt, 2 ausgelassen, ${ID}`,
  ],
  ['Unlock (EVSE 1 connector 2) of 1 charge point', 'Entriegeln (EVSE 1 Anschluss 2) von 1 Ladestation'],
  [`Stop (connector 1) of session ${ID}`, `Stopp (Anschluss 1) von Ladevorgang ${ID}`],
  ['ChangeAvailability (Inoperative) of CP1: Scheduled', 'ChangeAvailability (Inoperative) von CP1: Scheduled'],
  ['LOG-0020', 'LOG-0020'],
])('ADMIN-C7: %s', (english, german) => {
  expect(orderIn({ language: 'en' }, english)).toBe(english)
  expect(orderIn({ language: 'de' }, english)).toBe(german)
})
