import { expect, it } from 'vitest'
import { databaseOfEachTest } from '../../../test/support/storage/testing.ts'
import { aCommand, aUser, changeSet } from '../../../test/support/storage-contract/records.ts'
import { readerThread } from './reader-client.ts'
import { openSqlite } from './writer.ts'

const place = databaseOfEachTest()

it('SEARCH-Q10: answers the reading side of the port from its own thread', async () => {
  const writer = openSqlite(place.path)
  await writer.writes.createAccount({ id: 'A', name: 'A', createdAt: 1 })
  await writer.writes.createUser(aUser())
  const reader = readerThread(place.path, () => writer.placing.all())
  await writer.core.commit([changeSet({ command: aCommand(1) })])
  const query = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 10 }
  expect(await reader.searchCommands(query)).toEqual([aCommand(1)])
  expect(await reader.findUserByEmail('ADA@example.com')).toEqual(aUser())
  expect(await reader.findUser('nobody')).toBeUndefined()
  await reader.close()
  await expect(reader.ping()).rejects.toThrow('ended')
  writer.close()
})

it('says why it did not come up, and comes up with a later read', async () => {
  const reader = readerThread(place.path, () => undefined)
  await expect(reader.ping()).rejects.toMatchObject({
    code: 'THREAD_ENDED',
    message: expect.stringMatching(/database|directory/),
  })
  openSqlite(place.path).close()
  expect(await reader.ping()).toBeUndefined()
  await reader.close()
})

it('A reader that is closed before its first read does not start for one that comes late', async () => {
  const reader = readerThread(place.path, () => undefined)
  await reader.close()
  await expect(reader.ping()).rejects.toThrow('ended')
})
