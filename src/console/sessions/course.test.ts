import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { createCourses } from './curve.ts'

const NOW = Date.UTC(2026, 7, 1, 12)

/** A log of MeterValues, newest first, that counts how often it was read as a whole. */
function testLog() {
  const messages: Command[] = []
  let reads = 0
  const searchLog: Parameters<typeof createCourses>[0]['searchLog'] = () => ({
    async searchCommands({ limit }) {
      if (limit > 1) reads++
      return messages.slice(0, limit)
    },
  })
  const meter = (wattHours: number): void => {
    const id = logIdAt(NOW) + messages.length
    const timestamp = new Date(NOW + messages.length * 1000).toISOString()
    const meterValue = [{ timestamp, sampledValue: [{ value: String(wattHours) }] }]
    const request = JSON.stringify({ connectorId: 1, transactionId: 7, meterValue })
    const rest = { direction: 'in', status: 'success', protocol: 'ocpp1.6', method: 'MeterValues' } as const
    messages.unshift({ id, chargePointId: 'CP1', messageId: `m${id}`, transactionId: '7', request, ...rest })
  }
  return { searchLog, meter, reads: () => reads }
}

it('API-P2: is read again when a message came, and only then', async () => {
  const { searchLog, meter, reads } = testLog()
  const courseOf = createCourses({ searchLog })
  const session = aSession({ transactionId: '7' })
  meter(100)
  meter(300)
  const first = await courseOf(session, NOW, false)
  expect(await courseOf(session, NOW + 3000, false)).toBe(first)
  expect([first.points.length, reads()]).toEqual([2, 1])
  meter(700)
  const second = await courseOf(session, NOW + 6000, false)
  expect([second.points.length, reads()]).toEqual([3, 2])
  await courseOf(session, NOW + 6000, true)
  expect(reads()).toBe(3)
})

it('API-P2: only so many are remembered', async () => {
  const { searchLog, meter, reads } = testLog()
  const courseOf = createCourses({ searchLog })
  meter(100)
  const look = (n: number) => courseOf(aSession({ id: `S${n}`, transactionId: '7' }), NOW, false)
  for (let n = 0; n < 17; n++) await look(n)
  await look(16)
  expect(reads()).toBe(17)
  await look(0)
  expect(reads()).toBe(18)
})

it('a session without a transaction has none', async () => {
  const { searchLog, reads } = testLog()
  expect(await createCourses({ searchLog })(aSession(), NOW, false)).toEqual({ points: [] })
  expect(reads()).toBe(0)
})
