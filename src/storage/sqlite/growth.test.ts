import { expect, it } from 'vitest'
import { aTransaction } from '../../../test/support/storage-contract/records.ts'
import type { Activity, ActivityEntry, Transaction } from '../../domain/ports/sessions.ts'
import { withActivity } from '../../domain/sessions/states/activities.ts'
import { observe, settledOrders } from '../../domain/sessions/transactions/sequence.ts'
import { difference } from './journal/journal-entry.ts'

/**
 * What the journal writes of a transaction with each of so many changes of state, in characters; and the document at
 * last.
 */
function written(changes: number, numberOf: (index: number) => number) {
  let transaction: Transaction = aTransaction()
  const sizes: number[] = []
  for (let index = 0; index < changes; index++) {
    const activity: Activity = index % 2 === 0 ? 'charging' : 'suspendedEv'
    const number = numberOf(index)
    const at = 1_790_000_000_000 + index * 60_000
    const { sequence } = observe(transaction.sequence, number, `${index}`.padStart(12, '0'), at)
    const entry: ActivityEntry = [number, at, activity]
    const after = {
      ...transaction,
      sequence,
      activities: withActivity(transaction.activities, entry, settledOrders(sequence)),
    }
    sizes.push(JSON.stringify(difference(transaction, after)).length)
    transaction = after
  }
  const mean = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0) / of.length
  const part = Math.floor(changes / 5)
  const last = mean(sizes.slice(-part))
  return { first: mean(sizes.slice(part, 2 * part)), last, document: JSON.stringify(transaction).length }
}

it('SESSION-S7: is no more with the ten thousandth change of state than with the first ones', () => {
  const { first, last, document } = written(10_000, (index) => index)
  expect(last).toBeLessThan(first * 1.1)
  expect(last).toBeLessThan(400)
  expect(document).toBeLessThan(12_000)
})

it('SESSION-S7, SESSION-B5: nor where the station leaves out every second pair of messages', () => {
  const { last } = written(3_000, (index) => index + 2 * Math.floor(index / 2))
  expect(last).toBeLessThan(4_000)
})
