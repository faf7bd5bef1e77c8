/** Two accounts search one server: the burst of one must not stand in the way of the other (SEARCH-Q12). */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createCredential } from '../src/domain/accounts/credentials.ts'
import { logIdAt } from '../src/domain/message-log/log-id.ts'
import { houseOfFile } from './house.ts'
import { openStore } from './support/storage/testing.ts'
import { aCommand } from './support/storage-contract/records.ts'

const FROM = Date.UTC(2026, 0, 1)
const ROWS = 40_000
const BURST = 60
/** Nothing matches, so the whole window is read, and each row is compared at length. */
const WORST = {
  from: new Date(FROM).toISOString(),
  transactionId: {
    $nin: Array.from({ length: 100 }, (_, n) => `${String.fromCharCode(65 + (n % 26))}-${n}`),
    $gt: 1e15,
  },
}
const path = (chargePointId: string) => `/2/evse-controllers/${chargePointId}/commands/search`

type Caller = (method: string, path: string, body?: unknown) => Promise<Response>

const caller =
  (credential: string): Caller =>
  (method, path, body) =>
    fetch(house.url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

const house = await houseOfFile()
const store = openStore(house.database)
const addAccount = async (id: string, chargePointId: string, rows: number): Promise<Caller> => {
  const createdAt = FROM
  await store.writes.createAccount({ id, name: id, createdAt })
  const point = {
    id: chargePointId,
    accountId: id,
    securityProfile: 0,
    registrationStatus: 'Accepted',
    createdAt,
  } as const
  await store.writes.createChargePoint(point)
  const made = createCredential(randomBytes, { accountId: id, name: id, createdAt })
  await store.writes.createCredential(made.credential)
  for (let n = 0; n < rows; n += 2000) {
    const group = Array.from({ length: Math.min(2000, rows - n) }, (_, row) => {
      const id = logIdAt(FROM + (n + row) * 1000)
      return { chargePointId, command: aCommand(n + row, { id, chargePointId, transactionId: `T${n + row}` }) }
    })
    await store.core.commit(group)
  }
  return caller(made.text)
}
const busy = await addAccount('busy', 'BUSY', ROWS)
const neighbour = await addAccount('neighbour', 'NEXT', 3)
store.close()

it('SEARCH-Q12: a neighbour’s small search, page and export are answered while a burst of worst-case searches waits', async () => {
  const ended: string[] = []
  const note = async (name: string, asked: Promise<Response>): Promise<void> => {
    const answer = await asked
    const text = await answer.text()
    ended.push(answer.status === 200 ? name : `${name} ${answer.status} ${text}`)
  }
  const small = { from: WORST.from, limit: 1 }
  const burst = Array.from({ length: BURST }, () => note('burst', busy('POST', path('BUSY'), WORST)))
  await Promise.race(burst)
  await Promise.all([
    note('search', neighbour('POST', path('NEXT'), small)),
    note('export', neighbour('POST', path('NEXT'), { ...small, format: 'csv' })),
    note('list', neighbour('GET', '/2/evse-controllers')),
    note('own export', busy('POST', path('BUSY'), { ...small, format: 'csv', from: '2026-01-01T11:00:00Z' })),
  ])
  const before = ended.filter((name) => name === 'burst').length
  await Promise.all(burst)
  expect(ended.filter((name) => name !== 'burst').sort()).toEqual(['export', 'list', 'own export', 'search'])
  expect(ended.filter((name) => name === 'burst')).toHaveLength(BURST)
  expect(before).toBeLessThan(BURST / 2)
})
