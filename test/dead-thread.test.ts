/** A thread that ends by itself: the server says so, answers nothing wrong, and can still be taken down. */
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { type House, openHouse } from './house.ts'
import { booted16 } from './station.ts'

let house: House
const threads: Worker[] = []
const note = (worker: Worker): void => void threads.push(worker)

async function houseWithThreads(): Promise<void> {
  threads.length = 0
  process.on('worker', note)
  house = await openHouse()
  process.off('worker', note)
}

describe('a thread that dies', () => {
  it.each([
    ['of the log’s searches', 2],
    ['of the other readings', 1],
  ])(
    'the reader %s: its requests are answered 503, charge points go on, and the server reports the failure',
    async (_, place) => {
      await houseWithThreads()
      const station = await booted16(house.ocppUrl, 'UNDISTURBED')
      await threads[place]?.terminate()
      expect((await house.failed).message).toMatch(/reader thread ended/)
      const search = await house.request('POST', '/2/evse-controllers/UNDISTURBED/commands/search', {
        from: '2026-01-01T00:00:00Z',
      })
      expect(search.status).toBe(503)
      expect(search.headers.get('content-type')).toContain('application/problem+json')
      expect(await station.ask('Heartbeat', {})).toHaveProperty('currentTime')
    },
  )

  it('the core: no message is acknowledged any more, and the server reports the failure', async () => {
    await houseWithThreads()
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
})
