/** Accounts that settle by themselves (COST-L4), on a server in a process of its own that is killed in between. */
import { expect } from 'vitest'
import { type Json, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted16, startOf } from './station.ts'

const it = acrossRestarts('SIGKILL')

it('COST-L4, HOOK-F3: killed right after a completion was answered, the server settles after its restart, once', async function* (house) {
  // Beside the running server, which notices it with the next message.
  expect(await house.cli(['account', 'set', '--automatic-settlement', 'on'])).toMatchObject({
    automaticSettlement: true,
  })
  const station = await booted16(house.ocppUrl, 'CP1')
  const { transactionId } = await station.ask('StartTransaction', startOf())
  await station.ask('StopTransaction', { transactionId, meterStop: 2000, timestamp: new Date().toISOString() })
  yield

  const only = async (): Promise<Json> => (await house.sessions('CP1'))[0] ?? {}
  await until(async () => (await only()).settlementCount === 1)
  const { id } = await only()
  const { body } = await house.request('GET', '/2/events')
  const reported = (body.data as readonly { readonly data: Json }[]).map(({ data }) => [
    data.state,
    data.settlementCount,
  ])
  expect(reported.slice(-2)).toEqual([
    ['completed', undefined],
    ['completed', 1],
  ])
  expect(await house.cli(['sessions', 'rebuild', String(id), '--json'])).toEqual([])
})
