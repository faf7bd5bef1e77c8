import { afterAll, expect, it } from 'vitest'
import { emptyDatabase, rowsOf } from './databases.ts'
import { type NodeProcess, startNode } from './node.ts'

let nodes: readonly NodeProcess[] = []
const database = await emptyDatabase()
afterAll(async () => {
  for (const { process } of nodes) process.kill('SIGKILL')
  await database.drop()
})

it('SERVER-C6: three servers that start at once on an empty database make one account, and the others name its maker', async () => {
  const names = ['one', 'two', 'three']
  nodes = await Promise.all(names.map((name) => startNode(database.url, name)))
  const makers = nodes.filter(({ credential }) => credential !== undefined)
  expect(makers).toHaveLength(1)
  const counted = await rowsOf(
    database.url,
    `SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM users) AS users,
      (SELECT count(*)::int FROM credentials) AS credentials`,
  )
  expect(counted).toEqual([{ accounts: 1, users: 1, credentials: 1 }])
  const maker = names[nodes.findIndex(({ credential }) => credential !== undefined)]
  for (const node of nodes.filter((one) => one !== makers[0])) {
    await expect.poll(() => node.notes()).toContain(`that of node ${maker} at `)
    expect((await node.get('/2/evse-controllers', makers[0]?.credential)).status).toBe(200)
  }
})
