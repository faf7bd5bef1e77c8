import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COLD_READS, COLD_WRITES, CORE, HOT_READS, HOT_WRITES, namesOf, READS, WRITES } from './operations.ts'

it('STORE-P1: what an engine writes in its own words is about twenty operations, as its guide counts them', () => {
  const hot = [...namesOf(CORE), ...namesOf(HOT_READS), ...namesOf(HOT_WRITES)].length
  expect(hot).toBeGreaterThan(15)
  expect(hot).toBeLessThanOrEqual(25)
  const cold = [...namesOf(COLD_READS), ...namesOf(COLD_WRITES)].length
  const guide = readFileSync('docs/adding-an-engine.md', 'utf8')
  expect(guide).toContain(`| hot: \`CoreStore\`, \`HotReads\`, \`HotWrites\` | ${hot} |`)
  expect(guide).toContain(`| cold: \`ColdReads\`, \`ColdWrites\` | ${cold} |`)
})

it('STORE-P1: each operation says what it needs, the log’s queries that they wait for their turn', () => {
  const asking = namesOf(READS).filter((name) => READS[name].waits === 'asks for a turn')
  expect(asking.toSorted()).toEqual(namesOf(HOT_READS).toSorted())
  expect(namesOf(WRITES)).toEqual(expect.arrayContaining([...namesOf(HOT_WRITES)]))
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
