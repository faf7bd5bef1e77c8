import { expect, it } from 'vitest'
import type { ChargePoint } from '../../domain/ports/storage-records.ts'
import { type Registration, registerChargePoint } from './register.ts'

const PASSWORD = 'correct-horse-battery'

async function register(change: Partial<Registration>, created: 'created' | 'exists' | 'differsInCase' = 'created') {
  const stored: ChargePoint[] = []
  const result = await registerChargePoint(
    {
      reads: { findChargePoint: async () => undefined },
      writes: {
        async createChargePoint(chargePoint) {
          stored.push(chargePoint)
          return created
        },
      },
      now: () => 5,
      random: (bytes) => Buffer.alloc(bytes, 7),
      settings: { secretKey: new Uint8Array(32) },
    },
    { id: 'CP1', accountId: 'A', ...change },
  )
  return { result, stored }
}

it('a password that is made is told, one that was given is not', async () => {
  const made = await register({})
  expect(made.result).toMatchObject({ password: expect.any(String), view: { id: 'CP1', securityProfile: 1 } })
  expect(made.stored).toMatchObject([{ registrationStatus: 'Accepted', createdAt: 5 }])
  expect((await register({ password: PASSWORD })).result).not.toHaveProperty('password')
  const open = await register({ securityProfile: 0 })
  expect(open.result).not.toHaveProperty('password')
  expect(open.stored[0]).not.toHaveProperty('passwordHash')
})

it.each<[string, Partial<Registration>, string]>([
  ['OCPP-T3: a control character', { id: 'CP\u0000' }, 'invalid_identity'],
  ['OCPP-T3: no segment of a path', { id: '..' }, 'invalid_identity'],
  ['OCPP-T3: an identity that 2.0.1 has not', { id: 'CP 1', protocols: ['ocpp2.0.1'] }, 'invalid_identity'],
  ['a short password', { password: 'short' }, 'password_rule'],
  ['a password with profile 0', { password: PASSWORD, securityProfile: 0 }, 'password_not_used'],
  ['two faults', { id: '.', password: 'short' }, 'invalid_request'],
])('%s is refused, and nothing is stored', async (_, change, code) => {
  const { result, stored } = await register(change)
  expect(result).toMatchObject({ refused: true, status: 400, code })
  expect(stored).toEqual([])
})

it.each([
  ['exists', 'charge_point_exists'],
  ['differsInCase', 'charge_point_differs_in_case'],
] as const)('OCPP-T4: one that is there already (%s) is refused with %s', async (created, code) => {
  expect((await register({}, created)).result).toMatchObject({ refused: true, status: 409, code })
})
