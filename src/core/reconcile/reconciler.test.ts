import { beforeEach, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { versions } from '../../ocpp/versions.ts'
import type { CoreContext } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { Station } from '../memory/station.ts'
import { createReconciler } from './reconciler.ts'
import type { Subject } from './subject.ts'

const MINUTE = 60_000

const clock = manualClock(1_000)
/** What is wanted, by key. */
let desired: string[]
let ordered: string[]
let logged: unknown[]
let answer: (error?: Error) => void
let station: Station
let stations: Map<string, Station>

const subject: Subject = {
  name: 'doors',
  records: [],
  purposes: ['report'],
  due: () => desired.map((key) => ({ key })),
  order: (_, __, { key }) =>
    new Promise((resolve, reject) => {
      ordered.push(key)
      answer = (error) => (error ? reject(error) : resolve(undefined))
    }),
}
const created = (more: Partial<Subject> = {}) => {
  const context = {
    clock,
    log: { warn: (fields: unknown) => logged.push(fields), error: (fields: unknown) => logged.push(fields) },
    stations: { known: (id: string) => stations.get(id) },
    // A group that loads what is not in memory.
    engine: {
      enqueue(job: Job) {
        if (!station.state) station.register(loadedAs(station, 'CP1'), 1)
        job.committed?.(station)
      },
    },
  } as unknown as CoreContext
  return createReconciler(() => context, [{ ...subject, ...more }], clock)
}
/** What waits for a promise is done. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  const chargePoint = { id: 'CP1', accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted', createdAt: 0 }
  const loaded = { chargePoint, status: {}, connectors: [], transactions: [], sessions: [] }
  station = new Station(loaded as unknown as ConstructorParameters<typeof Station>[0], 0)
  stations = new Map([['CP1', station]])
  desired = ['front']
  ordered = []
  logged = []
})

it('orders a thing once, however often it is woken meanwhile, and then looks once more', async () => {
  const { wake } = created()
  wake(station)
  wake(station)
  wake(station)
  expect(ordered).toEqual(['front'])
  answer()
  await settled()
  expect(ordered).toEqual(['front', 'front'])
  desired = []
  answer()
  await settled()
  expect(ordered).toHaveLength(2)
})

it('looks again a minute after a fault, and says what it was', async () => {
  const { wake } = created()
  wake(station)
  answer(new Error('queue full'))
  await settled()
  expect(logged).toEqual([{ chargePoint: 'CP1', subject: 'doors', error: 'queue full' }])
  clock.advance(MINUTE - 1)
  expect(ordered).toHaveLength(1)
  clock.advance(1)
  expect(ordered).toHaveLength(2)
})

it('comes back when the clock alone makes something due', () => {
  let dueAt = clock.now() + 5 * MINUTE
  const { wake } = created({
    due: (_, now) => (dueAt <= now ? [{ key: 'front' }] : []),
    dueAgainAt: (_, now) => (dueAt > now ? dueAt : undefined),
  })
  wake(station)
  clock.advance(5 * MINUTE - 1)
  expect(ordered).toEqual([])
  clock.advance(1)
  expect(ordered).toEqual(['front'])
  dueAt = 0
})

it('OCPP-DR10: leaves a connection alone until its first word', () => {
  const { wake } = created()
  station.opened(7, versions['ocpp1.6'], undefined, 0)
  station.hold()
  wake(station)
  expect(ordered).toEqual([])
  station.release()
  wake(station)
  expect(ordered).toEqual(['front'])
})

it('has a state that a failed commit took along loaded first', async () => {
  const { wake } = created()
  station.dropState()
  wake(station)
  expect(ordered).toEqual([])
  await settled()
  expect(ordered).toEqual(['front'])
})

it('looks again when a call of the subject was answered, and at no other subject', () => {
  const { answered } = created()
  answered(station, 'log')
  expect(ordered).toEqual([])
  answered(station, 'report')
  expect(ordered).toEqual(['front'])
})

it('INTENT-A14: of a paced subject a few charge points at a time, and the next one when an answer is there', async () => {
  const pace = { most: 1, perSecond: 1000, burst: 10, longestMs: MINUTE }
  const { wake, answered } = created({ pace })
  const other = new Station({ ...loadedAs(station, 'CP2') }, 0)
  stations.set('CP2', other)
  const call = { kind: 'outgoing_calls', put: { chargePointId: 'CP1', id: 1, purpose: { kind: 'report' } } } as const
  wake(station)
  station.state?.apply({ records: [call as never] })
  wake(other)
  answer()
  await settled()
  expect(ordered).toEqual(['front'])
  answered(station, 'report')
  clock.advance(1)
  expect(ordered).toEqual(['front', 'front'])
})

const loadedAs = ({ chargePoint }: Station, id: string) => ({
  chargePoint: { ...chargePoint, id },
  status: {},
  connectors: [],
  transactions: [],
  sessions: [],
})

it('sweeps what is overdue, one look at a time', async () => {
  const looks: (() => void)[] = []
  const { stop } = created({
    overdue: [
      {
        everyMs: MINUTE,
        async *stored() {
          await new Promise<void>((resolve) => looks.push(resolve))
          yield [{ chargePointId: 'CP1', input: undefined }]
        },
      },
    ],
  })
  clock.advance(MINUTE - 1)
  expect(looks).toHaveLength(0)
  clock.advance(3 * MINUTE)
  expect(looks).toHaveLength(1)
  looks[0]?.()
  await settled()
  clock.advance(MINUTE)
  expect(looks).toHaveLength(2)
  stop()
  clock.advance(10 * MINUTE)
  expect(looks).toHaveLength(2)
})
