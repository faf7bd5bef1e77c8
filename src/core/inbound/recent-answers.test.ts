import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { RecentAnswers } from './recent-answers.ts'

it('OCPP-RP6: the same id and payload get the stored answer; with another payload or action it is a new message', () => {
  const recent = new RecentAnswers()
  recent.remember({ messageId: '1', action: 'StopTransaction', payloadText: '{"a":1}', answerText: '{}' })
  expect(recent.find('1', 'StopTransaction', '{"a":1}')).toBe('{}')
  expect(recent.find('1', 'StopTransaction', '{"a":2}')).toBeUndefined()
  expect(recent.find('1', 'MeterValues', '{"a":1}')).toBeUndefined()
})

it('OCPP-DR5: an answer whose commit failed is forgotten, the repetition is processed', () => {
  const recent = new RecentAnswers()
  recent.remember({ messageId: '1', action: 'StopTransaction', payloadText: '{}', answerText: '{}' })
  recent.forget('1')
  expect(recent.find('1', 'StopTransaction', '{}')).toBeUndefined()
})

it('OCPP-RP6: after a boot the station counts its message ids from the start again', () => {
  const recent = new RecentAnswers()
  recent.remember({ messageId: '1', action: 'StopTransaction', payloadText: '{}', answerText: '{}' })
  recent.clear()
  expect(recent.find('1', 'StopTransaction', '{}')).toBeUndefined()
  recent.remember({ messageId: '2', action: 'StopTransaction', payloadText: '{}', answerText: '{}' })
  expect(recent.find('2', 'StopTransaction', '{}')).toBe('{}')
})

it('keeps a bounded number', () => {
  const recent = new RecentAnswers()
  for (let index = 0; index < 100; index++) {
    recent.remember({ messageId: String(index), action: 'MeterValues', payloadText: '{}', answerText: '{}' })
  }
  for (let index = 0; index < 100; index++) {
    expect(recent.find(String(index), 'MeterValues', '{}')).toBe(index < 84 ? undefined : '{}')
  }
})

it('OCPP-RP6, OCPP-SZ1: payloads of any length are told apart, and long ones take no memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const payload = (seed: number): string => JSON.stringify({ transactionData: [seed, 'x'.repeat(500_000)] })
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const stations = Array.from({ length: 20 }, (_, number) => {
    const recent = new RecentAnswers()
    for (let each = 0; each < 16; each++) {
      const payloadText = payload(number * 16 + each)
      recent.remember({ messageId: `m${each}`, action: 'StopTransaction', payloadText, answerText: `${each}` })
    }
    return recent
  })
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  expect(stations[3]?.find('m5', 'StopTransaction', payload(53))).toBe('5')
  expect(stations[3]?.find('m5', 'StopTransaction', payload(54))).toBeUndefined()
})
