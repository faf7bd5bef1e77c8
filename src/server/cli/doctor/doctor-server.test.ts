import { expect, it } from 'vitest'
import { judgeServer } from './doctor-database.ts'

// STORE-R6: the doctor says what of a PostgreSQL has to be looked at
const SOUND = { journalMode: 'PostgreSQL 16.4', synchronous: 'on', bytes: 3 * 1024 * 1024, older: false }

it.each([
  ['sound', {}, 'ok', 'postgres://app@db1:5432/pilotwire, 3.0 MiB, PostgreSQL 16.4, synchronous_commit=on.'],
  ['a transaction of a minute', { oldestTransactionSeconds: 60 }, 'ok', 'synchronous_commit=on.'],
  [
    'a longer one',
    { oldestTransactionSeconds: 61 },
    'warning',
    'open for 61 seconds, which holds back GET /2/events: find it in pg_stat_activity',
  ],
  [
    'a prepared one that nobody ends',
    { oldestTransactionSeconds: 61, preparedTransaction: 'order 7' },
    'warning',
    "open for 61 seconds, which holds back GET /2/events until you end it: COMMIT PREPARED or ROLLBACK PREPARED 'order 7'",
  ],
  ['of an older version', { older: true }, 'warning', 'written by an older version; the next start brings it up'],
  ['of both', { older: true, oldestTransactionSeconds: 61 }, 'warning', 'written by an older version'],
] as const)('%s', (_, health, status, detail) => {
  expect(judgeServer('postgres://app@db1:5432/pilotwire', { ...SOUND, ...health })).toEqual({
    check: 'database',
    status,
    detail: expect.stringContaining(detail),
  })
})
