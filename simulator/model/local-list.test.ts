import { expect, it } from 'vitest'
import { createLocalList, type ListUpdate, type LocalEntry } from './local-list.ts'

const good = (...ids: string[]): LocalEntry[] => ids.map((idToken) => ({ idToken, verdict: { status: 'Accepted' } }))
const gone = (...ids: string[]): LocalEntry[] => ids.map((idToken) => ({ idToken }))
const full = (version: number, entries: readonly LocalEntry[] = []): ListUpdate => ({
  isFull: true,
  version,
  entries,
  bytes: 100,
})
const differential = (version: number, entries: readonly LocalEntry[]): ListUpdate => ({
  ...full(version, entries),
  isFull: false,
})

it.each<[string, ListUpdate, string, number, number]>([
  ['a full list takes the place of the old one', full(3, good('C')), 'Accepted', 3, 1],
  ['a full list may go back', full(1, good('C')), 'Accepted', 1, 1],
  ['D01.FR.04: a full list of nobody clears it', full(9), 'Accepted', 0, 0],
  ['D01.FR.18: a version below one', full(0, good('C')), 'ValuePositiveOnly', 5, 2],
  ['a full list names cards with what holds for them', full(9, gone('A')), 'MissingParam', 5, 2],
  ['a difference adds, changes and removes', differential(6, [...good('C', 'a'), ...gone('B')]), 'Accepted', 6, 2],
  ['D01.FR.17: who is not on it can go, too', differential(6, gone('Z')), 'Accepted', 6, 2],
  ['a difference of no newer version', differential(5, good('C')), 'VersionMismatch', 5, 2],
  ['one card twice', differential(6, good('C', 'c')), 'InvalidValue', 5, 2],
  ['more than one message may have', differential(6, good('C', 'D', 'E', 'F')), 'TooManyElements', 5, 2],
  ['a message that is too long', { ...differential(6, good('C')), bytes: 1_001 }, 'TooLargeElement', 5, 2],
  ['more than it keeps', differential(6, good('C', 'D')), 'OutOfStorage', 5, 2],
])('SIM-A25: %s', (_name, update, outcome, version, size) => {
  const list = createLocalList({ mostEntries: 3, mostPerMessage: 3, mostBytes: 1_000 })
  expect(list.update(full(5, good('A', 'B')))).toBe('Accepted')
  expect(list.update(update)).toBe(outcome)
  expect([list.version, list.size]).toEqual([version, size])
})
