/** Every record of the list, whatever block it belongs to: what a declaration promises holds in every engine. */

import { describe, expect, it } from 'vitest'
import type { Column, Declaration } from '../../../src/domain/records/record.ts'
import {
  RECORDS,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type RecordOfKind,
} from '../../../src/domain/records/records.ts'
import { loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, aCommand, aSession, changeSet } from './records.ts'

type Members = Readonly<Record<string, unknown>>

/** Of the charge point CP1, told from others by `n`; what only leads to the end of an index is alike in all. */
function sample(declaration: Declaration, n: number, which: 'all' | 'required' = 'all'): Members {
  const { columns, key, indexes } = declaration
  const ends = [key, ...indexes].map((names) => names.at(-1))
  const leads = [key, ...indexes].flatMap((names) => names.slice(0, -1)).filter((name) => !ends.includes(name))
  const members = Object.entries(columns).filter(([, { isOptional }]) => which === 'all' || !isOptional)
  const values = Object.fromEntries(
    members.map(([name, column]) => [name, sampleValue(name, column, leads.includes(name) ? 0 : n)]),
  )
  // Of a record that a charge point has one of, only the charge point tells it from others.
  return key.length === 1 && key[0] === 'chargePointId' ? { ...values, chargePointId: `CP${n}` } : values
}

/**
 * What leads to the end of this index is alike in all: where it tells the rows of one charge point apart, they are of
 * several.
 */
function alikeBefore(
  { key, indexes }: Declaration,
  last: string,
  rows: readonly [Members, Members, Members],
): readonly [Members, Members, Members] {
  const index = [key, ...indexes].find((names) => names.at(-1) === last) ?? []
  const ends = [key, ...indexes].map((names) => names.at(-1))
  const leads = index.slice(0, -1).filter((name) => ends.includes(name))
  if (leads.length === 0) return rows
  const alike = Object.fromEntries(leads.map((name) => [name, rows[0][name]]))
  const of = (row: Members, n: number): Members => ({
    ...row,
    ...alike,
    ...('chargePointId' in row && { chargePointId: `CP${n}` }),
  })
  return [of(rows[0], 1), of(rows[1], 2), of(rows[2], 3)]
}

/** Of another charge point, and like the second one of CP1 in everything else that its key allows. */
function foreign(declaration: Declaration): Members | undefined {
  if (!('chargePointId' in declaration.columns)) return undefined
  const isReported = declaration.key.includes('chargePointId')
  return { ...sample(declaration, isReported ? 2 : 4), chargePointId: 'CP9' }
}

function sampleValue(name: string, { type, isSum }: Column, n: number): unknown {
  if (name === 'chargePointId') return 'CP1'
  if (isSum) return n
  if (type === 'integer') return 2 ** 52 + n
  if (type === 'flag') return n % 2 === 0
  return type === 'json' ? { n, deep: [null, { text: '"\\\u0000\u{1F50C}' }] } : `text ${n} \u00e9\u{1F50C}`
}

/** RECORD-D9: of what is put again the sums are added up. */
function together({ columns }: Declaration, earlier: Members, later: Members): Members {
  const sums = Object.keys(columns).filter((name) => columns[name]?.isSum)
  return { ...later, ...Object.fromEntries(sums.map((name) => [name, Number(earlier[name]) + Number(later[name])])) }
}

function keyOf({ key }: Declaration, members: Members): Members {
  return Object.fromEntries(key.map((name) => [name, members[name]]))
}

const put = (kind: RecordKind, members: Members): RecordChange => ({ kind, put: members }) as unknown as RecordChange
const remove = (kind: RecordKind, key: Members): RecordChange => ({ kind, remove: key }) as unknown as RecordChange

export function blockRecordBehaviour({ store, reopen }: StoreFixture): void {
  // A database has facts about itself from its start.
  const others = RECORDS.filter(({ name }) => name !== 'meta')
  const everyone = others.map((declaration) => [declaration.name, declaration as Declaration] as const)

  describe.each(everyone)('%s', (kind, declaration) => {
    const get = (key: Members, reads = store().reads) =>
      reads.getRecord(kind, keyOf(declaration, key) as unknown as RecordKey<typeof kind>)
    const commit = (records: readonly RecordChange[]) => store().core.commit([changeSet({ records })])
    const [one, two, three] = [1, 2, 3].map((n) => sample(declaration, n)) as [Members, Members, Members]
    const other = foreign(declaration)
    const others = other ? [put(kind, other)] : []

    it('RECORD-D1: comes back with every member, and without those that are absent', async () => {
      const bare = sample(declaration, 2, 'required')
      expect(await commit([put(kind, one), put(kind, bare)])).toEqual([{ ok: true }])
      expect([await get(one), await get(bare)]).toEqual([one, bare])
      const { reads } = await reopen()
      expect([await get(one, reads), await get(bare, reads)]).toEqual([one, bare])
    })

    it('RECORD-D1, RECORD-D6: put again it is replaced whole, unless it is written once; removed it is gone, and removing it twice is no fault', async () => {
      const later = { ...sample(declaration, 9, 'required'), ...keyOf(declaration, one) }
      await commit([put(kind, one), put(kind, two), put(kind, later), ...others])
      expect(await get(one)).toEqual(declaration.writtenOnce ? one : together(declaration, one, later))
      const results = await commit([remove(kind, keyOf(declaration, one)), remove(kind, keyOf(declaration, one))])
      expect(results).toEqual([{ ok: true }])
      expect([await get(one), await get(two)]).toEqual([undefined, two])
      await commit([remove(kind, keyOf(declaration, two))])
      expect([await get(two), other && (await get(other))]).toEqual([undefined, other])
    })

    const sums = Object.entries(declaration.columns).filter(([, { isSum }]) => isSum)
    if (sums.length > 0) {
      it('RECORD-D9: each put adds to the sums, of one message, of one group and of several', async () => {
        const { core } = store()
        const times = (n: number): Members => ({
          ...one,
          ...Object.fromEntries(sums.map(([name]) => [name, n * Number(one[name])])),
        })
        await commit([put(kind, one), put(kind, two), put(kind, one)])
        const sets = [1, 2].map((n) => changeSet({ chargePointId: `CP${n}`, records: [put(kind, one)] }))
        await core.commit(sets)
        const faulty = changeSet({ records: [put(kind, one)], sessions: [aSession({ energyMilliWh: Number.NaN })] })
        await core.commit([faulty, changeSet({ chargePointId: 'CP2', records: [put(kind, times(-1))] })])
        // Four times, once less; what could not be stored adds nothing.
        expect(await get(one)).toEqual(times(3))
        expect(await get(two)).toEqual(two)
      })
    }

    it('RECORD-D1: is stored with the message that changes it, or not at all', async () => {
      const { core } = store()
      const failing = changeSet({
        records: [put(kind, one)],
        sessions: [aSession({ energyMilliWh: Number.NaN })],
      })
      const faulty = changeSet({ command: aCommand(1), records: [put(kind, { ...one, ...faultOf(declaration) })] })
      const results = await core.commit([failing, { ...faulty, chargePointId: 'CP2' }])
      expect(results.map(({ ok }) => ok)).toEqual([false, false])
      expect(await get(one)).toBeUndefined()
      expect(await store().reads.findCommand('CP1', aCommand(1).id)).toBeUndefined()
    })

    it('RECORD-D4: lists come in pages in the order of the key, for both sides of the port', async () => {
      await commit([put(kind, three), put(kind, one), put(kind, two)])
      for (const side of [store().reads, store().core]) {
        const page = (after?: Members) =>
          side.listRecords(kind, {
            limit: 2,
            ...(after && { after: keyOf(declaration, after) as unknown as RecordKey<typeof kind> }),
          })
        expect(await page()).toEqual([one, two])
        expect(await page(two)).toEqual([three])
        const back = { newestFirst: true, limit: 2 } as const
        expect(await side.listRecords(kind, back)).toEqual([three, two])
        const after = keyOf(declaration, two) as unknown as RecordKey<typeof kind>
        expect(await side.listRecords(kind, { ...back, after })).toEqual([one])
      }
    })

    it.each([declaration.key, ...declaration.indexes].map((index) => index.at(-1) ?? ''))(
      'RECORD-D4: is found by %s, one value, several or a range of them',
      async (last) => {
        const { reads } = store()
        const [first, second, third] = alikeBefore(declaration, last, [one, two, three])
        await commit([put(kind, first), put(kind, second), put(kind, third)])
        // What no condition names may be of anybody.
        const isOfOne = [declaration.key, ...declaration.indexes].some(
          (names) => names.at(-1) === last && names[0] === 'chargePointId' && names.length > 1,
        )
        if (isOfOne) await commit(others)
        const index = [declaration.key, ...declaration.indexes].find((names) => names.at(-1) === last) ?? []
        const found = (condition: unknown): Promise<readonly RecordOfKind<typeof kind>[]> => {
          const where = { ...Object.fromEntries(index.map((name) => [name, first[name]])), [last]: condition }
          return reads.listRecords(kind, { where: where as object, limit: 10 })
        }
        expect(await found(second[last])).toEqual([second])
        const where = {
          ...Object.fromEntries(index.map((name) => [name, first[name]])),
          [last]: { from: second[last] },
        }
        expect(await reads.countRecords(kind, { where: where as object, limit: 10 })).toBe(2)
        expect(await reads.countRecords(kind, { where: where as object, limit: 1 })).toBe(1)
        expect(await found({ in: [first[last], third[last]] })).toEqual([first, third])
        expect(await found({ in: [] })).toEqual([])
        expect(await found({ from: second[last] })).toEqual([second, third])
        expect(await found({ below: third[last] })).toEqual([first, second])
        expect(await found({ from: second[last], below: third[last] })).toEqual([second])
      },
    )

    it('RECORD-D4: a list that no index serves is refused', async () => {
      const starts = [declaration.key, ...declaration.indexes].map(([first]) => first)
      const others = Object.keys(declaration.columns).filter((name) => !starts.includes(name))
      for (const name of others) {
        const where = { [name]: one[name] } as object
        await expect(store().reads.listRecords(kind, { where, limit: 1 })).rejects.toThrow('No index')
      }
    })

    it('RECORD-D7: the oldest go first, a few at a time, and only those that are old', async () => {
      const { writes } = store()
      const { age } = declaration
      if (age === undefined || declaration.loadedWith !== undefined) {
        await expect(writes.removeOldRecords(kind, 0, 1)).rejects.toThrow(/age|a decision changes it/)
        return
      }
      await commit([put(kind, three), put(kind, one), put(kind, two)])
      // What is not in its place yet is not old.
      await get(three)
      const before = Number(three[age])
      expect(await writes.removeOldRecords(kind, before, 1)).toBe(1)
      expect([await get(one), await get(two)]).toEqual([undefined, two])
      expect([await writes.removeOldRecords(kind, before, 5), await writes.removeOldRecords(kind, before, 5)]).toEqual([
        1, 0,
      ])
      expect(await get(three)).toEqual(three)
    })

    it('RECORD-D2: is loaded and removed with its charge point, where it belongs to one', async () => {
      const { core, writes } = store()
      await writes.createChargePoint(aChargePoint())
      await commit([put(kind, two), put(kind, one), ...others])
      const loaded = (await loadChargePoint(core, 'CP1'))?.records?.filter((record) => record.kind === kind)
      const isLoaded = declaration.loadedWith === 'chargePoint'
      const its = [one, two].filter((members) => !('chargePointId' in members) || members.chargePointId === 'CP1')
      expect(loaded).toEqual(isLoaded ? its.map((members) => ({ kind, put: members })) : [])
      await writes.deleteChargePoint('A', 'CP1')
      const isGone = 'chargePointId' in declaration.columns
      expect(await get(one)).toEqual(isGone ? undefined : one)
      if (other) expect(await get(other)).toEqual(other)
    })

    it('RECORD-D2: is written outside decisions only where no decision sees it', async () => {
      const { writes } = store()
      const key = keyOf(declaration, one) as unknown as RecordKey<typeof kind>
      const putting = writes.putRecords(kind, [one] as unknown as readonly RecordOfKind<typeof kind>[])
      if (declaration.loadedWith !== undefined || declaration.placedLater) {
        await expect(putting).rejects.toThrow('a decision changes it')
        await expect(writes.removeRecords(kind, [key])).rejects.toThrow('a decision changes it')
      } else {
        await putting
        expect(await get(one)).toEqual(one)
        await writes.removeRecords(kind, [key])
      }
      expect(await get(one)).toBeUndefined()
    })
  })
}

/** A value that no row takes. */
function faultOf({ columns }: Declaration): Members {
  const [name] = Object.entries(columns).find(([, { type }]) => type === 'integer') ?? Object.entries(columns)[0] ?? []
  return name === undefined ? {} : { [name]: columns[name]?.type === 'integer' ? Number.NaN : undefined }
}
