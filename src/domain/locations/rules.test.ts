import { expect, it } from 'vitest'
import { ZERO } from '../../../test/support/sessions/driver.ts'
import { status } from '../../../test/support/sessions/inputs.ts'
import { decide } from '../blocks/decide.ts'
import type { ChargePointState } from '../ports/sessions.ts'
import { type KnownRecords, type RecordChange, RecordsOfChargePoint } from '../records/records.ts'
import type { DecisionContext } from '../sessions/decision.ts'

const context = { now: ZERO, newSessionId: () => '', nextTransactionId: () => '' } as unknown as DecisionContext
const settings = { settings: { orphanTimeoutMs: 1, silenceTimeoutMs: 1 } } as unknown as DecisionContext
const stateWith = (records: KnownRecords): ChargePointState => ({
  chargePointId: 'CP',
  accountId: 'A',
  registrationStatus: 'Accepted',
  status: { lastSeenAt: ZERO },
  connectors: new Map(),
  transactions: new Map(),
  sessions: new Map(),
  records,
})
const CONNECTED: RecordChange = {
  kind: 'timeline_folds',
  put: { chargePointId: 'CP', about: 'connected', id: 1, part: 0, at: 0, count: 1, since: 0, entries: 1, openSince: 1 },
}
const evse = (uid: string, ocppEvseId?: number, shownSince = 0): RecordChange => ({
  kind: 'location_evses',
  put: { chargePointId: 'CP', uid, accountId: 'A', locationId: 'L', ocppEvseId, shown: 'UNKNOWN', shownSince },
})

it('LOCATION-A3: a charge point that is in no location costs one empty look-up', () => {
  const looks: string[] = []
  const records = new RecordsOfChargePoint([CONNECTED])
  const counted = {
    find: (kind, key) => {
      looks.push(`find ${kind}`)
      return records.find(kind, key)
    },
    all: (kind) => {
      looks.push(`all ${kind}`)
      return records.all(kind)
    },
  } as KnownRecords
  const { changes } = decide(stateWith(counted), status(0, 'Available'), { ...context, ...settings })
  expect(looks.filter((look) => look.includes('location'))).toEqual(['all location_evses'])
  expect(changes.records?.filter(({ kind }) => kind.startsWith('location')) ?? []).toEqual([])
})

it('LOCATION-A3: only those whose status changes are written and reported, strictly upwards', () => {
  const records = new RecordsOfChargePoint([CONNECTED, evse('one', 1, ZERO + 5), evse('two', 2), evse('all')])
  const { changes } = decide(stateWith(records), status(0, 'Charging'), { ...context, ...settings })
  const puts = (changes.records ?? []).flatMap((change) =>
    change.kind === 'location_evses' && 'put' in change ? [change.put] : [],
  )
  expect(puts.map(({ uid, shown, shownSince }) => [uid, shown, shownSince - ZERO])).toEqual([
    ['one', 'CHARGING', 6],
    ['all', 'CHARGING', 0],
  ])
  const events = changes.events?.filter(({ type }) => type === 'location.updated')
  expect(events?.map(({ subject, orderKey }) => [subject, orderKey])).toEqual([
    ['CP', 'location L'],
    ['CP', 'location L'],
  ])
})
