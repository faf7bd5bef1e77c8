import { expect, it } from 'vitest'
import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import { recordedTour } from './audit.ts'
import { change, type Run, type Work } from './work.ts'

const EVENT: AuditEvent = { at: 1, kind: 'test' }
const INSERT = 'INSERT INTO audit_events'
const DELETE = 'delete from "audit_events"'

/** What each transaction asked for, by the first words of its statements. */
function transactions(): { readonly done: string[][]; readonly run: Run } {
  const done: string[][] = []
  const run: Run = async (work) => {
    const statements: string[] = []
    const asked = work()
    let step = asked.next()
    while (!step.done) {
      statements.push(step.value.sql.split(' ').slice(0, 3).join(' '))
      step = asked.next({ rows: [[7]], changes: 1 })
    }
    done.push(statements)
    return step.value
  }
  return { done, run }
}

const part = (name: string) => (): Work<number> => change(`UPDATE ${name} SET`)

// ADMIN-C1: what was done and the record of it
const tours = {
  twice: async (run: Run) => (await run(part('first'))) + (await run(part('second'))),
  fails: async (run: Run) => {
    await run(part('first'))
    throw new Error('no more')
  },
  nothing: async () => 'nothing to do',
}

it('are one transaction', async () => {
  const { done, run } = transactions()
  const { recorded } = recordedTour({ once: part('first') }, {}, () => run)
  expect(await recorded(run, EVENT, 'once', [])).toEqual({ auditId: 7, value: 1 })
  expect(done).toEqual([['UPDATE first SET', INSERT]])
})

it('of what takes several transactions, the first one', async () => {
  const { done, run } = transactions()
  const { recorded } = recordedTour({}, tours, () => run)
  expect(await recorded(run, EVENT, 'twice', [])).toEqual({ auditId: 7, value: 2 })
  expect(done).toEqual([['UPDATE first SET', INSERT], ['UPDATE second SET']])
  expect(await recorded(run, EVENT, 'nothing', [])).toEqual({ auditId: 7, value: 'nothing to do' })
  expect(done.at(-1)).toEqual([INSERT])
})

it('what fails leaves no record, and what nobody knows changes nothing', async () => {
  const { done, run } = transactions()
  const { recorded } = recordedTour({}, tours, () => run)
  await expect(recorded(run, EVENT, 'fails', [])).rejects.toThrow('no more')
  expect(done.at(-1)).toEqual([DELETE])
  await expect(recorded(run, EVENT, 'unknown', [])).rejects.toThrow('There is no operation unknown.')
  expect(done).toHaveLength(2)
})
