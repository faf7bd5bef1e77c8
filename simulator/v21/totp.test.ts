import { expect, it } from 'vitest'
import { totp } from './totp.ts'

it('OCPP21-E1: the one-time password of a QR code is that of the published vector', () => {
  expect(totp('MySharedSecret', 59_000_000, 8)).toBe('5AViTp52')
})

it('OCPP21-E1: it is as long as its setting says, and another one in the next interval', () => {
  const [now, next] = [totp('MySharedSecret', 59_000_000, 32), totp('MySharedSecret', 59_000_001, 32)]
  expect(now).toMatch(/^5AViTp52[0-9a-zA-Z]{24}$/)
  expect(next).not.toBe(now)
})
