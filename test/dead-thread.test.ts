/** A thread that ends by itself: the server says so, answers nothing wrong, and can still be taken down. */
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { type House, openHouse } from './house.ts'
import { booted16 } from './station.ts'

let house: House
const threads: Worker[] = []
const note = (worker: Worker): void => void threads.push(worker)

async function houseWithThreads(): Promise<void> {
  threads.length = 0
  process.on('worker', note)
  house = await openHouse()
}

it.each([
  ['of the log’s searches', 2, 'POST', '/2/evse-controllers/UNDISTURBED/commands/search'],
  ['of the other readings', 1, 'GET', '/2/sessions'],
])(
  'the reader %s: its requests are answered 503, charge points go on, and the server reports the failure',
  async (_, place, method, path) => {
    await houseWithThreads()
    const station = await booted16(house.ocppUrl, 'UNDISTURBED')
    const ask = (by = method, of = path) =>
      house.request(by, of, by === 'POST' ? { from: '2026-01-01T00:00:00Z' } : undefined)
    // The reader of searches starts with the first one.
    expect((await ask('POST', '/2/evse-controllers/UNDISTURBED/commands/search')).status).toBe(200)
    process.off('worker', note)
    await threads[place]?.terminate()
    expect((await house.failed).message).toMatch(/reader thread ended/)
    const search = await ask()
    expect(search.status).toBe(503)
    expect(search.headers.get('content-type')).toContain('application/problem+json')
    expect(await station.ask('Heartbeat', {})).toHaveProperty('currentTime')
  },
)

it('the core: no message is acknowledged any more, and the server reports the failure', async () => {
  await houseWithThreads()
  process.off('worker', note)
  const station = await booted16(house.ocppUrl, 'UNHEARD')
  await threads[0]?.terminate()
  expect((await house.failed).message).toMatch(/core thread ended/)
  station.send('[2,"after","Heartbeat",{}]')
  expect((await house.request('GET', '/readyz')).status).toBe(503)
  expect(station.frames.map((frame) => frame[1])).not.toContain('after')
  // Taking it down still says good-bye, so that stations come back at once.
  const closing = house.close()
  expect((await station.closed).code).toBe(1012)
  await closing
})
