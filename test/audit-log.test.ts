/** The audit log tells the truth at every moment: also of a server that is killed while something is being done. */
import { afterEach, expect, it } from 'vitest'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { booted16 } from './station.ts'

let house: HouseProcess

afterEach(() => house.close())

async function audit(): Promise<readonly Json[]> {
  return await house.list('/2/audit')
}

it('ADMIN-C4: an order is recorded before it leaves; what the server did not live to tell is unknown', async () => {
  house = await spawnHouse()
  const station = await booted16(house.ocppUrl, 'CP-SILENT', { silent: true })
  const reset = { method: 'Reset', request: { type: 'Soft' }, wait: 60 }
  const asked = house.request('POST', '/2/evse-controllers/CP-SILENT/commands', reset).catch(() => undefined)
  await until(() => station.frames.some((frame) => frame[2] === 'Reset'))
  const row = { action: 'sendCommand', subject: 'Reset (soft) of CP-SILENT', from: '127.0.0.1' }
  expect(await audit()).toMatchObject([{ ...row, outcome: 'ordered' }])
  await house.kill()
  expect(await asked).toBeUndefined()
  await house.startAgain()
  expect(await audit()).toMatchObject([{ ...row, outcome: 'unknown' }])
})

it('ADMIN-C1, ADMIN-C4: killed at any moment, what was done is recorded, and nothing as done that was not', async () => {
  house = await spawnHouse()
  const answered: string[] = []
  const isUp = { value: true }
  const orders = async (lane: number): Promise<void> => {
    for (let at = 0; isUp.value; at++) {
      const id = `CARD-${lane}-${at}`
      const answer = await house.request('POST', '/2/id-tokens', { id }).catch(() => undefined)
      if (answer?.status === 201) answered.push(id)
    }
  }
  const lanes = [1, 2, 3, 4].map(orders)
  await until(() => answered.length > 40)
  await house.kill()
  isUp.value = false
  await Promise.all(lanes)
  await house.startAgain()
  const rows: Json[] = []
  for (let cursor = ''; ; ) {
    const { body } = await house.request('GET', `/2/audit?limit=100${cursor}`)
    rows.push(...(body.data as readonly Json[]))
    const { nextCursor } = body.meta as { readonly nextCursor?: string }
    if (nextCursor === undefined) break
    cursor = `&cursor=${nextCursor}`
  }
  const done = rows.filter(({ outcome }) => outcome === 'done').map(({ subject }) => String(subject))
  expect(done).toEqual(expect.arrayContaining(answered))
  for (const id of done) expect((await house.request('GET', `/2/id-tokens/${id}`)).status).toBe(200)
  // Each lane was killed in at most one order.
  const left = rows.filter(({ outcome }) => outcome !== 'done')
  expect(left.length).toBeLessThanOrEqual(4)
  expect(left.every(({ outcome }) => outcome === 'unknown')).toBe(true)
})
