import { expect, it } from 'vitest'
import type { ChargePoint } from '../../domain/ports/storage-records.ts'
import { changeChargePoint, type RequestedChange } from './register.ts'

const PASSWORD = 'correct-horse-battery'
const base: ChargePoint = { id: 'CP1', accountId: 'A', securityProfile: 1, registrationStatus: 'Pending', createdAt: 0 }

/** @param gone it was deleted after it was read */
async function change(before: Partial<ChargePoint>, requested: RequestedChange, gone = false) {
  const stored: object[] = []
  const closed: string[] = []
  const result = await changeChargePoint(
    {
      writes: {
        async updateChargePoint(_accountId, _id, change) {
          stored.push(change)
          return gone ? undefined : { ...base, ...before, status: {}, connectors: [] }
        },
      },
      core: { disconnect: async (_id, reason) => void closed.push(reason) },
      settings: { secretKey: new Uint8Array(32) },
      random: (bytes) => Buffer.alloc(bytes, 7),
    },
    { ...base, ...before },
    requested,
  )
  return { result, stored, closed }
}

it.each<[string, Partial<ChargePoint>, RequestedChange, string]>([
  ['approval without a password', {}, { registrationStatus: 'Accepted' }, 'password_required'],
  ['the password of profile 1 removed', { passwordHash: 'x' }, { password: null }, 'password_required'],
  [
    'profile 2 of one that has no password',
    { registrationStatus: 'Accepted', securityProfile: 0 },
    { securityProfile: 2 },
    'password_required',
  ],
  ['a short password', {}, { password: 'short' }, 'password_rule'],
  ['a password with profile 0', {}, { password: PASSWORD, securityProfile: 0 }, 'password_not_used'],
])('a change that cannot be made is a refusal, and nothing is stored: %s', async (_, before, requested, code) => {
  const { result, stored, closed } = await change(before, requested)
  expect(result).toMatchObject({ refused: true, status: 400, code, errors: [{ pointer: '/password', code }] })
  expect([stored, closed]).toEqual([[], []])
})

it('a change that cannot be made is refused with a value, and nothing is stored: one that was deleted meanwhile is not there, and nobody is disconnected', async () => {
  const { result, closed } = await change({}, { disabled: true }, true)
  expect(result).toMatchObject({ refused: true, status: 404, code: 'not_found' })
  expect(closed).toEqual([])
})

it.each<[string, Partial<ChargePoint>, RequestedChange, object, readonly string[]]>([
  ['a name', {}, { name: 'North' }, { name: 'North' }, []],
  ['rejected without a password', {}, { registrationStatus: 'Rejected' }, { registrationStatus: 'Rejected' }, []],
  [
    'approved with one',
    {},
    { registrationStatus: 'Accepted', password: PASSWORD },
    { registrationStatus: 'Accepted', passwordHash: expect.any(String) },
    ['password changed'],
  ],
  [
    'profile 0 forgets it',
    { passwordHash: 'x' },
    { securityProfile: 0 },
    { securityProfile: 0, passwordHash: null },
    ['security profile changed'],
  ],
  ['disabled', {}, { disabled: true }, { disabled: true }, ['disabled']],
  ['disabled already', { disabled: true }, { disabled: true }, { disabled: true }, []],
])('a change that is made closes the connection that it concerns: %s', async (_, before, requested, kept, reasons) => {
  const { result, stored, closed } = await change(before, requested)
  expect(result).not.toHaveProperty('refused')
  expect([stored, closed]).toEqual([[kept], reasons])
})
