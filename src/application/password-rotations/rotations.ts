/** Orders a rotation's changes and takes them back (OCPP-AU7, OCPP-AU10); stored, so any server can go on. */

import { z } from '@hono/zod-openapi'
import {
  CHANGE_STATES,
  type ChangeState,
  type ChosenChargePoint,
  OPEN_CHANGES,
  OPEN_ROTATIONS,
  type PasswordRotation,
} from '../../domain/password-rotations/records.ts'
import { unsuitable } from '../../domain/password-rotations/rules.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuse } from '../../domain/refuse.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { generatePassword, hashPassword } from '../../ocpp/credentials.ts'
import { sealPassword } from '../../secrets/sealed-password.ts'
import { carryOutOrders, countedByState, inGroups, noRoomFor, type UseCaseContext } from '../context.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { listOf, pageQuery, time, withRows } from '../schemas/common.ts'

export type RotationContext = Pick<
  UseCaseContext,
  'reads' | 'writes' | 'core' | 'clock' | 'random' | 'secretKey' | 'isKeeper' | 'log'
>

export interface Rotations {
  /** Resolves when each charge point has its order; what could not be stored is tried again. Refuses one too many. */
  order(accountId: string, selector: Selector): Promise<PasswordRotation | Refusal>
  /** Refuses with 409 one that is over. */
  cancel(rotation: PasswordRotation): Promise<PasswordRotation | Refusal>
  countsOf(rotation: Pick<PasswordRotation, 'id'>): Promise<Counts>
  stop(): void
}

export type Counts = Readonly<Partial<Record<ChangeState, number>>>

type Key = Pick<PasswordRotation, 'accountId' | 'id'>

const LOOK_MS = 10_000
const SALT_BYTES = 16
/** Above what an account can have. */
const MAX_COUNTED = 10_000_000

export function startRotations(parts: RotationContext): Rotations {
  const { reads, writes, core, clock, random, secretKey, log, isKeeper } = parts
  const { carryOut, stop } = carryOutOrders({
    clock,
    log,
    isKeeper,
    everyMs: LOOK_MS,
    name: 'password rotation',
    open: () => recordPages(reads, 'password_rotations', { state: { in: OPEN_ROTATIONS } }),
    step: (rotation) => step(rotation),
  })

  const step = async ({ accountId, id }: Key): Promise<void> => {
    const rotation = await reads.getRecord('password_rotations', { accountId, id })
    if (rotation?.state === 'ordering') {
      await inGroups((rotation.chosen ?? []).map((chosen) => () => orderOf(rotation, chosen)))
      if (await become(rotation, 'running')) return
      const now = await reads.getRecord('password_rotations', { accountId, id })
      // It was cancelled at another server, which could not know of all that was ordered here.
      if (now?.state === 'cancelling' || now?.state === 'cancelled') await takeBack(now)
    } else if (rotation?.state === 'cancelling') {
      await takeBack(rotation)
      await become(rotation, 'cancelled')
    } else if (rotation?.state === 'running' && !(await hasOpen(rotation))) await become(rotation, 'done')
  }

  const orderOf = ({ accountId, id: rotationId }: PasswordRotation, chosen: ChosenChargePoint): Promise<void> => {
    const { id: chargePointId, unsuitable: reason } = chosen
    const clear = generatePassword(random)
    const password = sealPassword(secretKey, { chargePointId, rotationId }, clear, random)
    const hash = hashPassword(clear, secretKey, random(SALT_BYTES))
    const skipped = reason !== undefined && { unsuitable: reason }
    return decide(accountId, chargePointId, { kind: 'passwordOrdered', rotationId, password, hash, ...skipped })
  }

  const takeBack = async ({ accountId, id: rotationId }: PasswordRotation): Promise<void> => {
    const input = { kind: 'passwordCancelled', rotationId } as const
    for await (const page of recordPages(reads, 'password_changes', { rotationId, state: { in: OPEN_CHANGES } })) {
      await inGroups(page.map((change) => () => decide(accountId, change.chargePointId, input)))
    }
  }

  const decide = async (accountId: string, chargePointId: string, input: BlockInput): Promise<void> => {
    const outcome = await core.decideBlock({ accountId, chargePointId, input })
    // It was deleted meanwhile.
    if ('status' in outcome && outcome.status !== 404) throw new Error(outcome.detail)
  }

  const become = (seen: PasswordRotation, state: PasswordRotation['state']): Promise<boolean> => {
    const { chosen: _, ...rotation } = seen
    const put = { ...rotation, state, updatedAt: clock.now() }
    return writes.changeRecordsIf([{ kind: 'password_rotations', put }], { kind: 'password_rotations', put: seen })
  }

  const hasOpen = async ({ id: rotationId }: Key): Promise<boolean> =>
    (await reads.countRecords('password_changes', { where: { rotationId, state: { in: OPEN_CHANGES } }, limit: 1 })) > 0

  return {
    async order(accountId, selector) {
      const full = await noRoomFor('password_rotations', reads, accountId)
      if (full) return full
      const found = await selectChargePoints(reads, accountId, selector)
      const chosen = found.map((view) => ({ id: view.id, unsuitable: unsuitable(view) }))
      const at = clock.now()
      const id = `rot_${random(12).toString('hex')}`
      const rotation = { accountId, id, selector, chosen, state: 'ordering', createdAt: at, updatedAt: at } as const
      await writes.putRecords('password_rotations', [rotation])
      await carryOut(rotation)
      return rotation
    },
    async cancel({ accountId, id }) {
      for (;;) {
        const rotation = await reads.getRecord('password_rotations', { accountId, id })
        const isOpen = rotation?.state === 'ordering' || (rotation?.state === 'running' && (await hasOpen(rotation)))
        if (!rotation || !isOpen) return refuse(409, 'rotation_over', 'The rotation is over already.')
        if (!(await become(rotation, 'cancelling'))) continue
        await carryOut(rotation)
        return { ...rotation, state: 'cancelled', updatedAt: clock.now() }
      }
    },
    countsOf: ({ id: rotationId }) =>
      countedByState(CHANGE_STATES, (state) =>
        reads.countRecords('password_changes', { where: { rotationId, state }, limit: MAX_COUNTED }),
      ),
    stop,
  }
}

export const CreateRotationSchema = z.strictObject({ selector: SelectorSchema }).openapi('CreatePasswordRotation')

const rotation = {
  id: z.string(),
  state: z
    .enum(['running', 'done', 'cancelled'])
    .openapi({ description: 'done: every charge point of it has proved its password, failed, or was skipped.' }),
  selector: SelectorSchema,
  counts: z
    .record(z.string(), z.int())
    .openapi({ description: 'Charge points by state; a state that none is in is left out.' }),
  createdAt: time(),
  updatedAt: time(),
}

export const RotationRowSchema = z
  .strictObject({
    evseControllerId: z.string(),
    state: z.enum(CHANGE_STATES).openapi({
      description:
        'pending: not sent yet. sent: what came of it is not known. accepted: the charge point said so. done: it logged in with it.',
    }),
    reason: z.string().optional(),
    attempts: z.int().openapi({ description: 'How often it was sent.' }),
    updatedAt: time(),
  })
  .openapi('PasswordRotationRow')

export const RotationSchema = z.strictObject(rotation).openapi('PasswordRotation')
export const RotationWithRowsSchema = withRows('PasswordRotationWithRows', rotation, RotationRowSchema)
export const RotationListSchema = listOf('PasswordRotationList', RotationSchema)

export const rotationParams = z.object({ rotationId: z.string().max(100) })
export const rotationRowQuery = pageQuery.extend({ state: z.enum(CHANGE_STATES).optional() })
