import { expect, it } from 'vitest'
import { FROM, messages, PATH, type Page, ROWS, rows, searchHouse } from '../../../test/support/api/routes/search.ts'
import { command, startApi, tokenOf } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'

const house = searchHouse()
const { page, problem } = house

it('SEARCH-Q7: a cursor works with the same body only; count may change, member order too', async () => {
  const body = { from: FROM, limit: 10, connectorId: { $gte: 1, $lte: 2 } }
  const { nextCursor: cursor } = (await page(body)).meta
  const second = await page({ ...body, cursor })
  expect(second.data).toHaveLength(10)
  const reordered = { cursor, connectorId: { $lte: 2, $gte: 1 }, count: true, limit: 10, from: FROM }
  expect((await page(reordered)).data).toEqual(second.data)
  const mismatch = { status: 400, code: 'cursor_mismatch', pointer: '/cursor' }
  expect(await problem({ ...body, cursor, limit: 11 })).toEqual(mismatch)
  expect(await problem({ ...body, cursor, to: '2027-01-01T00:00:00Z' })).toEqual(mismatch)
  expect(await problem({ ...body, cursor, from: '2026-08-01T00:00:00.000Z' })).toEqual(mismatch)
  expect(await problem({ ...body, cursor, connectorId: { $gte: 1 } })).toEqual(mismatch)
  expect(await problem({ ...body, cursor, method: ['Heartbeat'] })).toEqual(mismatch)
})

it('SEARCH-Q7: another charge point or account is a mismatch; another credential of the account may continue', async () => {
  const body = { from: FROM, limit: 10 }
  const { nextCursor: cursor } = (await page(body)).meta
  const chargePoint = aChargePoint({ id: 'CP3', accountId: 'acc1', securityProfile: 0, createdAt: 1 })
  await house.api.store.writes.createChargePoint(chargePoint as never)
  expect((await problem({ ...body, cursor }, PATH.replace('CP1', 'CP3'))).code).toBe('cursor_mismatch')
  const as = (credential: string, path: string) =>
    house.api.call('POST', path, { ...body, cursor }, { authorization: `Bearer ${credential}` })
  const foreign = await as(await house.api.newCredential('acc2'), PATH.replace('CP1', 'CP-OTHER'))
  expect((await foreign.json()).code).toBe('cursor_mismatch')
  expect((await as(await house.api.newCredential('acc1'), PATH)).status).toBe(200)
})

it('SEARCH-Q7: a grant is checked again for every page', async () => {
  house.token = tokenOf({ scopes: ['chargers:read'], chargePoints: ['CP1'] })
  const headers = { authorization: 'Bearer pwa_1' }
  const first = await house.api.call('POST', PATH, { from: FROM, limit: 10 }, headers)
  const { meta } = (await first.json()) as Page
  house.token = { ...house.token, chargePoints: ['CP2'] }
  const next = await house.api.call('POST', PATH, { from: FROM, limit: 10, cursor: meta.nextCursor }, headers)
  expect(next.status).toBe(404)
})

it('SEARCH-Q8: rows that come while a client walks never appear, and each that was there comes exactly once', async () => {
  const server = await startApi()
  await server.addRows(rows)
  const seen: string[] = []
  let cursor: string | undefined
  let id = rows.at(-1)?.id ?? 0
  do {
    const answer = await server.call('POST', PATH, { from: FROM, limit: 9, count: true, ...(cursor && { cursor }) })
    const { data, meta }: Page = await answer.json()
    seen.push(...data.map((one) => one.messageId))
    expect(meta.total).toEqual({ value: ROWS, isExact: true })
    cursor = meta.nextCursor
    await server.addRows(Array.from({ length: 7 }, () => command(++id, { messageId: 'late' })))
  } while (cursor)
  expect(seen).toEqual(messages(() => true))
  await server.close()
})
