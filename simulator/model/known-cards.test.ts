import { expect, it } from 'vitest'
import { type CardRules, createKnownCards, FIRST_RULES, offlineStatus } from './known-cards.ts'

const NOW = 1_000_000
const card = (id: string) => ({ id, type: 'ISO14443' })
const HERE = 'not allowed while the station is offline'
const UNKNOWN = 'not known to the station, which is offline'

it.each<[string, Parameters<typeof offlineStatus>[0], Partial<CardRules>, string]>([
  ['a good card', { status: 'Accepted' }, {}, 'Accepted'],
  ['a good card for a while', { status: 'Accepted', until: NOW + 1 }, {}, 'Accepted'],
  ['a card that held until now', { status: 'Accepted', until: NOW }, {}, 'Expired'],
  ['a blocked card', { status: 'Blocked' }, {}, 'Blocked'],
  ['a good card of a station that asks for each', { status: 'Accepted' }, { knownOffline: false }, HERE],
  ['a blocked card where unknown ones may charge', { status: 'Blocked' }, { knownOffline: false }, 'Blocked'],
  ['an unknown card', undefined, {}, 'Accepted'],
  ['an unknown card where only known ones may', undefined, { unknownOffline: false }, UNKNOWN],
  ['an unknown card where known ones may not', undefined, { knownOffline: false }, 'Accepted'],
])('SIM-A8: %s', (_name, known, rules, status) => {
  expect(offlineStatus(known, { ...FIRST_RULES, ...rules }, NOW)).toBe(status)
})

it('SIM-A8: the list goes before the cache, each as far as it is switched on', () => {
  const cards = createKnownCards()
  cards.change({ unknownOffline: false })
  cards.remember(card('A'), { status: 'Accepted' })
  expect(cards.decide(card('a'), NOW)).toBe('Accepted')
  cards.list.update({
    isFull: true,
    version: 1,
    entries: [{ idToken: 'a', verdict: { status: 'Blocked' } }],
    bytes: 9,
  })
  expect(cards.decide(card('A'), NOW)).toBe('Blocked')
  cards.change({ listEnabled: false })
  expect(cards.decide(card('A'), NOW)).toBe('Accepted')
  expect(cards.forget()).toBe(true)
  expect(cards.decide(card('A'), NOW)).toBe(UNKNOWN)
  cards.change({ cacheEnabled: false })
  cards.remember(card('A'), { status: 'Accepted' })
  expect(cards.decide(card('A'), NOW)).toBe(UNKNOWN)
  expect(cards.forget()).toBe(false)
})

it('SIM-A8: remembers a thousand cards and forgets the oldest first', () => {
  const cards = createKnownCards()
  cards.change({ unknownOffline: false })
  for (let number = 0; number <= 1_000; number++) cards.remember(card(`C${number}`), { status: 'Accepted' })
  expect(cards.decide(card('C0'), NOW)).toBe(UNKNOWN)
  expect(cards.decide(card('C1'), NOW)).toBe('Accepted')
})
