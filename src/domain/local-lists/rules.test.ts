import { expect, it } from 'vitest'
import { aStationList } from '../../../test/support/records.ts'
import { anIdToken } from '../../../test/support/storage-contract/records.ts'
import type { IdToken } from '../ports/id-tokens.ts'
import { changedEntry, entryOf, type StationList } from './records.ts'
import { isForgotten, nextStep } from './rules.ts'

const list = (facts: Partial<StationList>): StationList => aStationList(facts)

it.each([
  ['it never had one', { asksVersion: true, version: 0 }, { kind: 'askVersion' }],
  ['nothing of ours', {}, { kind: 'send', list: 'l', upTo: 5 }],
  ['another one', { held: 'k', heldAt: 9 }, { kind: 'send', list: 'l', upTo: 5 }],
  ['an older state of it', { held: 'l', heldAt: 2 }, { kind: 'send', list: 'l', upTo: 5, from: 3 }],
  ['all of it', { held: 'l', heldAt: 5 }, undefined],
  ['a part of it', { held: 'l', series: { upTo: 4, isFull: true, after: 'x' } }, { upTo: 4, after: 'x' }],
  [
    'a part of what changed',
    { held: 'l', heldAt: 1, series: { upTo: 4, isFull: false, after: 'x' } },
    { upTo: 4, from: 2, after: 'x' },
  ],
  ['a part that was given up', { held: 'l' }, { kind: 'send', list: 'l', upTo: 5 }],
  ['one, and it is to have none', { list: undefined, held: 'l', heldAt: 5 }, { kind: 'clear' }],
  ['none, as it is to be', { list: undefined }, undefined],
  ['no such function', { state: 'unsupported' }, undefined],
] as const)('LIST-A2, LIST-A3: what a charge point is sent next: it has %s', (_, facts, expected) => {
  const step = nextStep(list(facts))
  if (expected) expect(step).toMatchObject(expected)
  else expect(step).toBeUndefined()
  if (step?.kind === 'send' && !('from' in (expected ?? {}))) expect(step.from).toBeUndefined()
})

const token = (facts: Partial<IdToken>): IdToken => anIdToken({ accountId: 'a', id: 'Card', createdAt: 0, ...facts })

it.each([
  ['all', {}, true],
  ['all', { status: 'Blocked' }, true],
  ['all', { type: 'KeyCode' }, false],
  [{ groupId: 'G' }, { groupId: 'G' }, true],
  [{ groupId: 'G' }, { groupId: 'H' }, false],
  [{ groupId: 'G' }, {}, false],
  [{ ids: ['CARD'] }, {}, true],
  [{ ids: ['other'] }, {}, false],
] as const)('LIST-A1: of the list of %j a card %j is: %s', (tokens, facts, isListed) => {
  expect(entryOf(tokens, token(facts)) !== undefined).toBe(isListed)
})

it('LIST-A4: only what is another thing than before is an entry that changed', () => {
  const place = { accountId: 'a', list: 'l', idToken: 'card', changedAt: 7 }
  const entry = entryOf('all', token({}))
  const stored = changedEntry(place, undefined, entry)
  expect(stored).toMatchObject({ changedAt: 7, gone: false })
  expect(changedEntry({ ...place, changedAt: 8 }, stored, entry)).toBeUndefined()
  expect(changedEntry({ ...place, changedAt: 8 }, stored, entryOf('all', token({ status: 'Blocked' })))).toMatchObject({
    entry: { status: 'Blocked' },
    changedAt: 8,
  })
  const gone = changedEntry({ ...place, changedAt: 9 }, stored, undefined)
  expect(gone).toMatchObject({ gone: true, changedAt: 9 })
  expect(changedEntry(place, gone, undefined)).toBeUndefined()
  expect(changedEntry(place, gone, entry)).toMatchObject({ gone: false })
})

it.each([
  ['card', 7, true],
  ['card', 8, false],
  ['other', 7, false],
])('DRIVER-I4: the entry of %s that changed at %i is left out: %s', (idToken, changedAt, isLeftOut) => {
  expect(isForgotten({ forgotten: [{ idToken: 'card', at: 7 }] }, { idToken, changedAt })).toBe(isLeftOut)
  expect(isForgotten({}, { idToken, changedAt })).toBe(false)
})
