import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import { changeSet } from '../../../test/support/storage-contract/records.ts'
import type { PasswordChange, PasswordRotation } from '../../domain/password-rotations/records.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { FileStore } from '../../storage/database.ts'
import { type RotationContext, type Rotations, startRotations } from './rotations.ts'

const KEY = { accountId: 'A', id: 'rot_1' }
const ORDERING: PasswordRotation = {
  ...KEY,
  state: 'ordering',
  selector: {},
  chosen: [{ id: 'CP1' }, { id: 'CP2', unsuitable: 'it is not accepted' }],
  createdAt: 1,
  updatedAt: 1,
}

let store: FileStore
let rotations: Rotations | undefined
const clock = manualClock(1_000_000)
const decided: BlockOrder[] = []
beforeEach(async () => {
  store = storeOfTest()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  decided.length = 0
})
afterEach(() => {
  rotations?.stop()
})

/** @param answer of the core to each order */
function aServer(answer: (order: BlockOrder) => Promise<object> = async () => ({})): Rotations {
  const core = {
    decideBlock(order: BlockOrder) {
      decided.push(order)
      return answer(order)
    },
  } as unknown as RotationContext['core']
  const { reads, writes } = store
  const log = { error: vi.fn() } as unknown as RotationContext['log']
  rotations = startRotations({ reads, writes, core, clock, random: randomBytes, secretKey: randomBytes(32), log })
  return rotations
}
const stored = () => store.reads.getRecord('password_rotations', KEY)
const put = (rotation: PasswordRotation) => store.writes.putRecords('password_rotations', [rotation])
const inputs = () => decided.map(({ chargePointId, input }) => [chargePointId, input.kind])
const lookedAt = async () => {
  clock.advance(10_000)
  return (await stored())?.state
}
async function aChange(state: PasswordChange['state']): Promise<void> {
  const change: PasswordChange = {
    chargePointId: 'CP1',
    rotationId: KEY.id,
    accountId: 'A',
    state,
    hash: 'h',
    attempts: 0,
    createdAt: 1,
    updatedAt: 1,
  }
  await store.core.commit([changeSet({ records: [{ kind: 'password_changes', put: change }] })])
}

it('OCPP-AU7: goes on with what a server that died had not ordered, and notes its end', async () => {
  await put(ORDERING)
  aServer()
  await expect.poll(lookedAt).toBe('done')
  expect(inputs()).toEqual([
    ['CP1', 'passwordOrdered'],
    ['CP2', 'passwordOrdered'],
  ])
  expect(decided[1]?.input).toMatchObject({ unsuitable: 'it is not accepted' })
  expect(await stored()).not.toHaveProperty('chosen')
})

it('OCPP-AU7: an order that could not be stored is tried again; a charge point that is gone is none', async () => {
  await put(ORDERING)
  let isFull = true
  aServer(async ({ chargePointId }) => {
    if (chargePointId === 'CP1') return { refused: true, status: 404, code: 'not_found', detail: 'It is gone.' }
    return isFull ? { refused: true, status: 503, code: 'not_stored', detail: 'The disk is full.' } : {}
  })
  await expect.poll(async () => (await lookedAt()) && decided.length).toBeGreaterThan(2)
  expect((await stored())?.state).toBe('ordering')
  isFull = false
  await expect.poll(lookedAt).toBe('done')
})

it('OCPP-AU10: goes on with a cancellation that a server that died had begun', async () => {
  await aChange('pending')
  await put({ ...ORDERING, state: 'cancelling', chosen: undefined })
  aServer()
  await expect.poll(lookedAt).toBe('cancelled')
  expect(inputs()).toEqual([['CP1', 'passwordCancelled']])
})

it('OCPP-AU10: what another server cancels while this one orders is taken back here, too', async () => {
  await aChange('pending')
  await put({ ...ORDERING, chosen: [{ id: 'CP1' }] })
  aServer(async ({ input }) => {
    if (input.kind === 'passwordOrdered') await put({ ...ORDERING, state: 'cancelled', chosen: undefined })
    return {}
  })
  await expect
    .poll(async () => (await lookedAt()) && inputs())
    .toEqual([
      ['CP1', 'passwordOrdered'],
      ['CP1', 'passwordCancelled'],
    ])
  expect((await stored())?.state).toBe('cancelled')
})

it('OCPP-AU10: an account has at most twenty rotations that are not over', async () => {
  const server = aServer()
  const many = Array.from({ length: 20 }, (_, n) => ({ ...ORDERING, id: `rot_${n}`, state: 'running' }) as const)
  await store.writes.putRecords('password_rotations', many)
  expect(await server.order('A', {})).toMatchObject({ status: 409, code: 'too_many_password_rotations' })
  await store.writes.putRecords('password_rotations', [{ ...ORDERING, id: 'rot_0', state: 'done' }])
  expect(await server.order('A', {})).toMatchObject({ state: 'ordering' })
})
