import { expect, it } from 'vitest'
import type { Writes } from '../../domain/ports/storage.ts'
import type { AuditEvent, AuditOutcome } from '../../domain/ports/storage-oidc.ts'
import { answerIs, audited, auditedCore, auditedWrites, isOnlyAsked, orderIs } from './auditing.ts'

const EVENT = { at: 1, kind: 'k', accountId: 'A' }

/** Storage that writes down what it is asked, in order. */
function place(fails: readonly string[] = []) {
  const done: string[] = []
  let lastId = 0
  const failing = async (name: string): Promise<void> => {
    await Promise.resolve()
    if (fails.includes(name)) throw Object.assign(new Error(name), { status: 409 })
    done.push(name)
  }
  const storage = {
    async audit({ outcome = 'done' }: AuditEvent) {
      await failing(`audit ${outcome}`)
      return ++lastId
    },
    async recorded({ outcome = 'done' }: AuditEvent, operation: string) {
      await failing(`${operation} and ${outcome}`)
      return { auditId: ++lastId, value: operation }
    },
    setAuditOutcome: (id: number, outcome: AuditOutcome) => failing(`${id} ${outcome}`),
    createTariff: () => failing('createTariff'),
    deleteTariff: () => failing('deleteTariff'),
  } as unknown as Writes
  const logged: string[] = []
  const log = { error: (_: object, message: string) => void logged.push(message) }
  const core = auditedCore({ settle: () => failing('settle'), statistics: () => failing('statistics') }, storage)
  const writes = auditedWrites(storage) as unknown as {
    readonly [Name in 'createTariff' | 'deleteTariff']: () => Promise<void>
  }
  const run = (work: () => Promise<void>, outcome: AuditOutcome = 'done') =>
    audited({ writes: storage, log }, EVENT, work, () => ({ outcome }))
  return { done, logged, core, writes, run }
}

it('ADMIN-C4: is stored before what the core is to do, once, and what became of it after', async () => {
  const { done, core, run } = place()
  await run(async () => {
    await core.statistics()
    await Promise.all([core.settle(), core.settle()])
  })
  expect(done).toEqual(['statistics', 'audit ordered', 'settle', 'settle', '1 done'])
})

it('ADMIN-C1, ADMIN-C4: is stored with the first change, and an order to the core waits for it', async () => {
  const { done, core, writes, run } = place()
  await run(async () => {
    await Promise.all([writes.createTariff(), core.settle()])
    await writes.deleteTariff()
  }, 'refused')
  expect(done).toEqual(['createTariff and ordered', 'settle', 'deleteTariff', '1 refused'])
})

it('ADMIN-C1: of what failed there is no record of having been done', async () => {
  const { done, writes, run } = place(['createTariff and ordered'])
  await expect(run(() => writes.createTariff())).rejects.toThrow('createTariff')
  expect(done).toEqual(['audit refused'])
  const again = place(['createTariff and ordered'])
  await again.run(async () => {
    await again.writes.createTariff().catch(() => undefined)
    await again.writes.deleteTariff()
  })
  expect(again.done).toEqual(['deleteTariff and ordered', '1 done'])
})

it('ADMIN-C1: what changes nothing is recorded when it is over', async () => {
  const { done, run } = place()
  await run(async () => undefined, 'refused')
  expect(done).toEqual(['audit refused'])
})

it('ADMIN-C4: an order that cannot be recorded does not leave', async () => {
  const { done, core, run } = place(['audit ordered'])
  await expect(run(() => core.settle())).rejects.toThrow('audit ordered')
  expect(done).toEqual(['audit refused'])
})

it('ADMIN-C4: what is done stays done where its outcome cannot be kept, and that is logged', async () => {
  const { logged, core, run } = place(['1 done'])
  await run(() => core.settle())
  expect(logged).toHaveLength(1)
})

it('ADMIN-C2: what goes on after the order is no part of it', async () => {
  const { done, writes, run } = place()
  let goOn = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let later: Promise<void> | undefined
  await run(async () => {
    later = waiting.then(() => writes.createTariff())
  })
  goOn()
  await later
  expect(done).toEqual(['audit done', 'createTariff'])
})

it('ADMIN-C7: says which order it is and what was answered, and nothing of what was only asked about', async () => {
  const kept: string[] = []
  const writes = {
    async audit({ subject, outcome }: AuditEvent) {
      kept.push(`${subject} ${outcome}`)
      return 1
    },
    async setAuditOutcome(_: number, outcome: AuditOutcome, subject?: string) {
      kept.push(`${subject} ${outcome}`)
    },
  } as unknown as Writes
  const core = auditedCore({ settle: async () => undefined }, writes)
  const run = (work: () => Promise<void>) =>
    audited({ writes, log: { error: () => undefined } }, { ...EVENT, subject: 'EV' }, work, () => ({
      outcome: 'done' as const,
    }))
  await run(async () => isOnlyAsked())
  expect(kept).toEqual([])
  await run(async () => {
    orderIs('Reset (hard)')
    await core.settle()
    answerIs('Rejected', 'refused')
  })
  expect(kept).toEqual(['Reset (hard) of EV ordered', 'Reset (hard) of EV: Rejected refused'])
})
