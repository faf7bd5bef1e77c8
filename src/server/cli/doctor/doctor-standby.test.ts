import { expect, it } from 'vitest'
import type { StandbyHealth } from '../../../storage/database.ts'
import { judgeStandby } from './doctor-standby.ts'

const one = (kind: StandbyHealth['connected'][number]['kind'], name = 'db2') => ({ name, kind })

// STORE-R5: the doctor says what a failover would cost
it.each([
  ['none', '', [], 'warning', 'There is no standby'],
  ['asynchronous', '', [one('asynchronous')], 'warning', 'db2 follows without commits waiting for it'],
  ['synchronous', 'db2', [one('synchronous')], 'ok', 'a failover to it loses none'],
  ['one of two', 'FIRST 1 (db2)', [one('synchronous'), one('asynchronous', 'db3')], 'ok', 'also on db2:'],
  [
    'named and away',
    'db2',
    [],
    'failed',
    'Commits wait for db2 (synchronous_standby_names), but no standby is connected',
  ],
  ['another than named', 'db2', [one('asynchronous', 'db3')], 'failed', 'only db3 is connected'],
  ['not to be seen', 'db2', [one('unknown')], 'warning', 'pg_read_all_stats'],
] as const)('%s', (_, waitsFor, connected, status, detail) => {
  expect(judgeStandby({ waitsFor, connected })).toMatchObject({
    check: 'standby',
    status,
    detail: expect.stringContaining(detail),
  })
})
