import { expect, it } from 'vitest'
import { openStore, temporaryDatabase } from '../../../test/support/storage/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { Budgets } from '../memory/look-ups.ts'
import { Stations } from '../memory/stations.ts'
import { Engine, groupSize, type Job } from './engine.ts'
import { notOwner } from './store-refusals.ts'

async function withEngine(work: (engine: Engine, reports: string[]) => Promise<void>): Promise<void> {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  for (const id of ['CP1', 'CP2']) await store.writes.createChargePoint(aChargePoint({ id }))
  const reports: string[] = []
  const report = (error: Error, where: string): unknown => reports.push(`${where}: ${error.message}`)
  await work(new Engine(store.core, new Stations(store.core, new Budgets(store.core, () => 0, 'UTC')), report), reports)
  store.close()
  database.remove()
}

const job = (stationId: string, name: string, outcomes: string[], change: Partial<Job> = {}): Job => ({
  stationId,
  prepare: () => undefined,
  decide: () => undefined,
  committed: () => void outcomes.push(`${name} committed`),
  failed: (error) => void outcomes.push(`${name} failed: ${error.message}`),
  ...change,
})

const broken = (): never => {
  throw new Error('our bug')
}

it.each(['prepare', 'decide'] as const)('in %s fails its own message and no other', async (step) => {
  await withEngine(async (engine, reports) => {
    const outcomes: string[] = []
    engine.enqueue(job('CP1', 'before', outcomes))
    engine.enqueue(job('CP1', 'broken', outcomes, { [step]: broken }))
    engine.enqueue(job('CP1', 'behind', outcomes))
    engine.enqueue(job('CP2', 'neighbour', outcomes))
    await engine.whenIdle()
    engine.enqueue(job('CP1', 'later', outcomes))
    await engine.whenIdle()
    expect(outcomes.toSorted()).toEqual([
      'before committed',
      'behind committed',
      'broken failed: our bug',
      'later committed',
      'neighbour committed',
    ])
    expect(reports).toEqual([`${step} CP1: our bug`])
  })
})

it('in telling about a failure does not stop the queue either', async () => {
  await withEngine(async (engine, reports) => {
    const outcomes: string[] = []
    engine.enqueue(job('CP1', 'broken', outcomes, { decide: broken, failed: broken }))
    engine.enqueue(job('CP2', 'neighbour', outcomes))
    await engine.whenIdle()
    expect(outcomes).toEqual(['neighbour committed'])
    expect(reports).toEqual(['decide CP1: our bug', 'failed: our bug'])
  })
})

it('in what follows a commit leaves the other answers of the group alone', async () => {
  await withEngine(async (engine, reports) => {
    const outcomes: string[] = []
    engine.enqueue(job('CP1', 'broken', outcomes, { committed: broken }))
    engine.enqueue(job('CP2', 'neighbour', outcomes))
    await engine.whenIdle()
    expect(outcomes).toEqual(['neighbour committed'])
    expect(reports).toEqual(['committed CP1: our bug'])
  })
})

it.each([
  [1, 24],
  [47, 24],
  [50, 25],
  [301, 151],
  [1000, 500],
  [100_000, 500],
])('the size of a group of %i waiting jobs the next group takes at most %i', (waiting, most) => {
  expect(groupSize(waiting)).toBe(most)
})

it('STORE-N8: a charge point that went to another node and came back lost its new connection to what was decided before, and to a look-up that was under way', async () => {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  const chargePoint = { id: 'CP1', accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted' } as const
  await store.writes.createChargePoint({ ...chargePoint, createdAt: 0 })
  const [loaded] = await store.core.loadChargePoints(['CP1'])
  if (!loaded) throw new Error('It is not there.')
  let comesBack = (): void => undefined
  const core = {
    ...store.core,
    async loadChargePoints(ids: readonly string[]) {
      const read = await store.core.loadChargePoints(ids)
      comesBack()
      return read.map((one) => one && { ...one, isElsewhere: true as const })
    },
  }
  const stations = new Stations(core, new Budgets(core, () => 0, 'UTC'))
  const lost: string[] = []
  const engine = new Engine(
    core,
    stations,
    () => undefined,
    (id) => lost.push(id),
  )
  const outcomes: string[] = []
  // As it is read a second time, by itself.
  comesBack = () => {
    comesBack = () => stations.takeOver(loaded)
  }
  engine.enqueue(job('CP1', 'looked up', outcomes))
  await engine.whenIdle()
  const decide = (): never => {
    throw notOwner()
  }
  const late = (): never => {
    comesBack()
    return decide()
  }
  engine.enqueue(job('CP1', 'decided before', outcomes, { decide: late }))
  await engine.whenIdle()
  expect([outcomes[0], lost]).toEqual(['looked up committed', []])
  engine.enqueue(job('CP1', 'is elsewhere', outcomes, { decide }))
  await engine.whenIdle()
  expect(lost).toEqual(['CP1'])
  store.close()
  database.remove()
})
