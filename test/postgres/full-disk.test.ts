import { afterAll, expect, it } from 'vitest'
import { emptyDatabase, statement } from './databases.ts'
import { connect, startNode } from './node.ts'

/** What a full disk answers to whoever needs another page of a table. */
const FULL = `CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON commands FOR EACH ROW EXECUTE FUNCTION disk_is_full()`

const database = await emptyDatabase()
const node = await startNode(database.url, 'one')
afterAll(async () => {
  node.process.kill('SIGKILL')
  await database.drop()
})

it('API-A3: a node whose database has a full disk is not ready, and is again with the next message that is stored', async () => {
  const station = await connect(node, 'CP1')
  expect(await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })).toMatchObject({
    0: 3,
  })
  expect((await node.get('/readyz')).status).toBe(200)
  await statement(database.url, FULL)
  expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 4, 2: 'InternalError' })
  expect(await node.get('/readyz')).toMatchObject({
    status: 503,
    body: { code: 'not_ready', detail: expect.stringContaining('disk of the database is full') },
  })
  expect((await node.get('/2/evse-controllers/CP1', node.credential)).status).toBe(200)
  await statement(database.url, 'DROP TRIGGER full_disk ON commands')
  expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 3 })
  expect((await node.get('/readyz')).status).toBe(200)
  station.end()
})
