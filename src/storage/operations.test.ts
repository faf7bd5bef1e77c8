import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openStore, temporaryDatabase } from '../../test/support/storage/testing.ts'
import type { HotWrites, Writes } from '../domain/ports/storage.ts'
import type { AuditEvent } from '../domain/ports/storage-oidc.ts'
import { changesRegistrations, HOT_READS, READS } from './operations.ts'

const HOT_WRITES = ['claimDeliveries', 'finishAttempts', 'deleteOldCommands'] satisfies readonly (keyof HotWrites)[]

it('STORE-P1: what an engine writes in its own words is about twenty operations, as its guide counts them', () => {
  const { path, remove } = temporaryDatabase()
  const { core, reads, writes, close } = openStore(path)
  close()
  remove()
  expect(Object.keys(writes)).toEqual(expect.arrayContaining(HOT_WRITES))
  const searches = Object.keys(HOT_READS).length
  const hot = Object.keys(core).length + searches + HOT_WRITES.length
  expect(hot).toBeGreaterThan(15)
  expect(hot).toBeLessThanOrEqual(25)
  const cold = Object.keys(reads).length - searches + Object.keys(writes).length - HOT_WRITES.length
  const guide = readFileSync('docs/adding-an-engine.md', 'utf8')
  expect(guide).toContain(`| hot: \`CoreStore\`, \`LogReads\`, \`HotWrites\` | ${hot} |`)
  expect(guide).toContain(`| cold: \`ColdReads\`, \`ColdWrites\` | ${cold} |`)
})

it('STORE-P1: each operation says what it needs, the log’s queries that they wait for their turn', () => {
  const asking = Object.entries(READS).filter(([, { waits }]) => waits === 'asks for a turn')
  expect(asking.map(([name]) => name).toSorted()).toEqual(Object.keys(HOT_READS).toSorted())
})

it('STORE-J3: reads of one charge point name it', () => {
  const about = (name: 'readLogPage' | 'countCommands') => READS[name].about
  const query = { accountId: 'A', chargePointId: 'CP1', fromMs: 0, fromId: 0, toId: 1, filter: {}, limit: 1 }
  expect(about('readLogPage')?.(query)).toBe('CP1')
  expect(about('countCommands')?.(query)).toBe('CP1')
  expect(READS.findChargePoint.about?.('CP1')).toBe('CP1')
  expect(READS.commandMethods.about?.('CP1', 0, 1)).toBe('CP1')
  expect(READS.listSessions.about).toBeUndefined()
})

it('STORE-N3: a write that changes registrations is found by its name, and no other is', () => {
  const { path, remove } = temporaryDatabase()
  const { writes, close } = openStore(path)
  close()
  remove()
  const found = (Object.keys(writes) as (keyof Writes)[]).filter((name) => changesRegistrations(name, ['intents']))
  expect(found.toSorted()).toEqual([
    ...['createAccount', 'createChargePoint', 'createFirstAccount', 'createIdToken', 'createTariff'],
    ...['deleteChargePoint', 'deleteIdToken', 'deleteTariff', 'importIdTokens'],
    ...['updateAccount', 'updateChargePoint', 'updateIdToken', 'updateTariff'],
  ])
  expect(changesRegistrations('selectChargePoints', [])).toBe(false)
  expect(changesRegistrations('recorded', [{} as AuditEvent, 'updateTariff', []])).toBe(true)
  expect(changesRegistrations('recorded', [{} as AuditEvent, 'selectChargePoints', []])).toBe(false)
})
