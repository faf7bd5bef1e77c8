import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { aSession, aTransaction } from '../../../test/support/storage-contract/records.ts'
import { documentsOf, PendingDocuments } from './pending-documents.ts'

it('keeps of each document the version that came last', () => {
  const change = fc.record({
    chargePointId: fc.constantFrom('CP1', 'CP2'),
    vendor: fc.option(fc.string(), { nil: undefined }),
    session: fc.option(fc.constantFrom('S1', 'S2', 'S3'), { nil: undefined }),
    transaction: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  })
  forAll(fc.array(change), (changes) => {
    const pending = new PendingDocuments()
    const newest = new Map<string, number>()
    changes.forEach(({ chargePointId, vendor, session, transaction }, version) => {
      const documents = documentsOf(
        {
          chargePointId,
          ...(vendor !== undefined && { status: { vendor } }),
          ...(session !== undefined && { sessions: [aSession({ id: session, chargePointId, version })] }),
          ...(transaction !== undefined && {
            transactions: [
              aTransaction({
                chargePointId,
                transactionId: transaction,
                startKey: `k${transaction}`,
                lastSignOfLifeAt: version,
              }),
            ],
          }),
        },
        () => true,
      )
      if (documents) pending.add(documents)
      if (session !== undefined) newest.set(session, version)
      if (transaction !== undefined) newest.set(`${chargePointId} ${transaction}`, version)
    })
    for (const id of ['S1', 'S2', 'S3']) expect(pending.session(id)?.version).toBe(newest.get(id))
    for (const chargePointId of ['CP1', 'CP2']) {
      for (const transactionId of ['1', '2']) {
        const expected = newest.get(`${chargePointId} ${transactionId}`)
        expect(pending.transaction(chargePointId, transactionId)?.lastSignOfLifeAt).toBe(expected)
        const byKey = pending.transactionByStartKey(chargePointId, `k${transactionId}`)
        expect(byKey?.lastSignOfLifeAt).toBe(expected)
      }
    }
  })
})
