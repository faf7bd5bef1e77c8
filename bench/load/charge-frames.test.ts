import { createRequire } from 'node:module'
import { createValidator } from 'ocpp-rpc'
import { describe, expect, it } from 'vitest'
import type { Protocol } from '../../src/domain/ports/core.ts'
import { bootFrame, CALLS_PER_CHARGE, chargeFrames, readTransactionId } from './charge-frames.ts'

const require = createRequire(import.meta.url)
const facts = { messageId: 'm-1', time: '2026-11-21T12:00:00.000Z', transactionId: '17', registerWh: 1000 }

describe.each([
  { protocol: 'ocpp1.6' as Protocol, file: 'ocpp1_6' },
  { protocol: 'ocpp2.0.1' as Protocol, file: 'ocpp2_0_1' },
])('the session mix in $protocol', ({ protocol, file }) => {
  const validator = createValidator(protocol, require(`ocpp-rpc/lib/schemas/${file}.json`))
  const frames = [bootFrame(protocol, 'm-0'), ...chargeFrames[protocol].map((frame) => frame(facts))]

  it('BENCH-B1: has fourteen calls per charge, every one schema-valid', () => {
    expect(chargeFrames[protocol]).toHaveLength(CALLS_PER_CHARGE)
    for (const frame of frames) {
      const [type, , method, request] = JSON.parse(frame)
      expect(type).toBe(2)
      expect(() => validator.validate(`urn:${method}.req`, request), frame).not.toThrow()
    }
  })

  it('counts a register up through the charge', () => {
    const registers = frames.flatMap((frame) =>
      [
        ...frame.matchAll(/"(?:meterStart|meterStop)":(\d+)|"value":"?(\d+)"?,"context":"[^"]+","measurand":"Energy/g),
      ].map((match) => Number(match[1] ?? match[2])),
    )
    expect(registers).toHaveLength(9)
    expect(registers).toEqual([...registers].sort((a, b) => a - b))
  })
})

it.each([
  ['[3,"a",{"transactionId":42,"idTagInfo":{"status":"Accepted"}}]', '42'],
  ['[3,"a",{"idTagInfo":{"status":"Accepted"},"transactionId": -1}]', '-1'],
  ['[3,"a",{}]', undefined],
])('readTransactionId: %s is %s', (answer, expected) => {
  expect(readTransactionId(answer)).toBe(expected)
})
