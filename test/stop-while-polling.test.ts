/**
 * Pollers that wait for events when the server stops: an orderly stop answers them and does not wait for them
 * (OCPP-CN6).
 */
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { openHouse } from './house.ts'

/** Answers are given up after 5 seconds; one look at the events lies 250 ms after the other. */
const SOON_MS = 4000

it('OCPP-CN6, HOOK-S7: who waits for events is answered with an empty page, and a stop takes no longer for it', async () => {
  const house = await openHouse()
  const socket = connect(house.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString()
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  const headers = `Host: localhost\r\nAuthorization: Bearer ${house.credential}\r\n`
  await new Promise((resolve) => socket.write(`GET /2/events?wait=20 HTTP/1.1\r\n${headers}\r\n`, resolve))
  // What was sent before this one is with the server when this one is answered.
  await house.request('GET', '/2/events')
  const began = performance.now()
  await house.close()
  await ended
  expect(performance.now() - began).toBeLessThan(SOON_MS)
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"data":\[\],"meta":\{\}\}$/)
  expect(house.errors).toEqual([])
})
