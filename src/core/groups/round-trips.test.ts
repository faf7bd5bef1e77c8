import { expect, it } from 'vitest'
import { coresOfTests, START, type TestCore } from '../../../test/support/core/testing.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'

/** What a group asks for before its messages are decided. */
const TRIPS = ['loadChargePoints', 'prefetch', 'findSession', 'loadIdTokens'] as const

const started = (idTag: string) => ({ connectorId: 1, idTag, meterStart: 0, timestamp: new Date(START).toISOString() })

const core = coresOfTests()

/** Notes calls of the store from now on. The core holds the same object's operations, so they are replaced in it. */
function noteTrips({ coreStore }: TestCore): string[] {
  const trips: string[] = []
  const store = coreStore as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
  for (const name of TRIPS) {
    const operation = store[name]
    store[name] = (...args) => {
      trips.push(name)
      return operation?.(...args) ?? Promise.reject(new Error(name))
    }
  }
  return trips
}

it('STORE-B1: of many stations that start at once they are one round trip, and none for what is in memory', async () => {
  const opened = await core()
  const stations = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => opened.boot16(`CP-${name}`)))
  const trips = noteTrips(opened)
  const answers = await Promise.all(stations.map((station, n) => station.call('StartTransaction', started(`C${n}`))))
  expect(answers.map(([type]) => type)).toEqual([3, 3, 3, 3, 3])
  expect(trips.splice(0)).toEqual(['prefetch'])
  await Promise.all(stations.map((station) => station.call('Heartbeat', {})))
  expect(trips).toEqual([])
})

it('STORE-B1: charge points whose registration may have changed are read together', async () => {
  const opened = await core()
  const stations = await Promise.all(['A', 'B', 'C'].map((name) => opened.boot16(`CP-${name}`)))
  const trips = noteTrips(opened)
  opened.registrationsChanged()
  await Promise.all(stations.map((station) => station.call('Heartbeat', {})))
  expect(trips).toEqual(['loadChargePoints'])
})

it('STORE-B1: one whose look-up fails is alone with that', async () => {
  const opened = await core()
  const [one, two] = [await opened.boot16('CP-A'), await opened.boot16('CP-B')]
  const store = opened.coreStore as { -readonly [Name in keyof CoreStore]: CoreStore[Name] }
  const { prefetch, loadChargePoints } = store
  const isAtFault = (text: string): boolean => text.includes('CP-A')
  store.prefetch = async (lookups) => {
    if (isAtFault(JSON.stringify(lookups))) throw new Error('damaged')
    return prefetch(lookups)
  }
  const [failed, stored] = await Promise.all([
    one.call('StartTransaction', started('C1')),
    two.call('StartTransaction', started('C2')),
  ])
  expect([failed[0], stored[0]]).toEqual([4, 3])
  store.prefetch = prefetch
  store.loadChargePoints = async (ids) => {
    if (isAtFault(ids.join())) throw new Error('damaged')
    return loadChargePoints(ids)
  }
  opened.registrationsChanged()
  const [lost, answered] = await Promise.all([one.call('Heartbeat', {}), two.call('Heartbeat', {})])
  expect([lost[0], answered[0]]).toEqual([4, 3])
  store.loadChargePoints = loadChargePoints
  expect((await one.call('Heartbeat', {}))[0]).toBe(3)
})
