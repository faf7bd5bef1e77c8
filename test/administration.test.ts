/** The command line beside a running server, and what it does over the server's API. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { houseOfFile } from './house.ts'
import { booted16 } from './station.ts'

const house = await houseOfFile()

const asked = (...args: string[]) => house.cli([...args, '--url', house.url, '--credential', house.credential])

it('ADMIN-A4: users get roles; the last administrator stays one', async () => {
  const user = await house.cli(['user', 'create', '--email', 'otto@example.com', '--role', 'operator'])
  expect(user).toMatchObject({ role: 'operator' })
  expect(await house.cli(['user', 'set-role', 'otto@example.com', 'viewer'])).toMatchObject({ role: 'viewer' })
  const admin = (await house.request('GET', '/2/users')).body.data as readonly { email: string; role: string }[]
  const ada = admin.find(({ role }) => role === 'administrator')?.email ?? ''
  await expect(house.cli(['user', 'set-role', ada, 'viewer'])).rejects.toThrow(/last enabled administrator/)
  await expect(house.cli(['user', 'disable', ada])).rejects.toThrow(/last enabled administrator/)
  await expect(house.cli(['user', 'set-role', ada, 'king'])).rejects.toThrow(/ended with 2/)
  // ADMIN-K6
  const mark = ['user', 'set-break-glass', 'otto@example.com']
  expect(await house.cli(mark)).toMatchObject({ breakGlass: true })
  expect(await house.cli([...mark, '--remove'])).not.toHaveProperty('breakGlass')
})

it('ADMIN-B1: credentials end after days and have scopes', async () => {
  const args = ['credential', 'create', '--name', 'part', '--expires-in', '30', '--scope', 'sessions:read']
  const made = await house.cli(args)
  expect(made.scopes).toEqual(['sessions:read'])
  const authorization = `Bearer ${String(made.credential)}`
  const status = async (path: string) => (await fetch(house.url + path, { headers: { authorization } })).status
  expect([await status('/2/sessions'), await status('/2/users')]).toEqual([200, 403])
  await expect(house.cli(['credential', 'create', '--name', 'x', '--expires-in', '0'])).rejects.toThrow(/ended with 2/)
  await expect(house.cli(['credential', 'create', '--name', 'x', '--scope', 'all'])).rejects.toThrow(/ended with 2/)
})

it('ADMIN-G1, ADMIN-G2: cards, one by one and from a file', async () => {
  expect(await house.cli(['id-token', 'add', 'AB12', '--group', 'fleet'])).toMatchObject({
    id: 'AB12',
    groupId: 'fleet',
  })
  expect(await house.cli(['id-token', 'set', 'ab12', '--status', 'Blocked'])).toMatchObject({
    status: 'Blocked',
    groupId: 'fleet',
  })
  expect(await house.cli(['id-token', 'set', 'AB12', '--group', ''])).not.toHaveProperty('groupId')
  const file = join(dirname(house.database), 'cards.csv')
  writeFileSync(file, 'id,type\nAB12,eMAID\nCD34,\n')
  expect(await house.cli(['id-token', 'import', file])).toEqual({ created: 1, changed: 1, unchanged: 0 })
  expect(await house.cli(['id-token', 'import', file])).toEqual({ created: 0, changed: 0, unchanged: 2 })
  writeFileSync(file, 'id,type\nEF56,eMAID\nCD34,Ring\n')
  await expect(house.cli(['id-token', 'import', file])).rejects.toThrow(/line 3: type must be one of/)
  expect(await house.cli(['id-token', 'remove', 'CD34'])).toMatchObject({ id: 'CD34' })
  expect((await house.cli(['id-token', 'list'])) as unknown).toMatchObject([
    { id: 'AB12', type: 'eMAID', status: 'Blocked' },
  ])
  await expect(house.cli(['id-token', 'remove', 'CD34'])).rejects.toThrow(/no card CD34/)
})

it('ADMIN-H1: tariffs', async () => {
  expect(await house.cli(['tariff', 'set', '--currency', 'EUR', '--per-kwh', '0.49'])).toMatchObject({ version: 1 })
  expect(await house.cli(['tariff', 'set', '--per-minute', '0.02'])).toMatchObject({ version: 2, perKwh: 0.49 })
  expect((await house.cli(['tariff', 'list'])) as unknown).toMatchObject([{ currency: 'EUR', perMinute: 0.02 }])
  await expect(house.cli(['tariff', 'set', '--per-kwh', 'x'])).rejects.toThrow(/perKwh must be a number/)
})

it('ADMIN-J1: session and command ask the running server, and say what it says', async () => {
  await house.request('POST', '/2/evse-controllers', { id: 'EV-1' })
  expect((await asked('session', 'list', '--charge-point', 'EV-1')) as unknown).toEqual([])
  expect((await asked('sessions', 'list')) as unknown).toEqual([])
  await expect(asked('session', 'start', '--charge-point', 'EV-1')).rejects.toThrow(/never connected/)
  await expect(asked('session', 'show', 'nothing')).rejects.toThrow(/no such session/)
  await expect(asked('session', 'stop', 'nothing')).rejects.toThrow(/no such session/)
  await expect(asked('session', 'settle', 'nothing', '--cost', '1', '--currency', 'EUR')).rejects.toThrow(/no such/)
  await expect(asked('session', 'settle', 'nothing', '--cost', 'x')).rejects.toThrow(/ended with 2/)
  await expect(asked('command', 'send', '--charge-point', 'EV-1', '--method', 'Reset')).rejects.toThrow(/EV-1|request/)
  await expect(
    asked('command', 'send', '--charge-point', 'EV-1', '--method', 'Reset', '--request', 'x'),
  ).rejects.toThrow(/ended with 2/)
  await expect(house.cli(['session', 'list', '--url', house.url])).rejects.toThrow(/credential is needed/)
  await expect(
    house.cli(['session', 'list', '--url', 'http://127.0.0.1:9', '--credential', house.credential]),
  ).rejects.toThrow(/is the server running/)
})

it('ADMIN-J1: a command that nobody answered while it waited ends with 1 and says why', async () => {
  const station = await booted16(house.ocppUrl, 'EV-AWAY')
  await station.close()
  const send = ['command', 'send', '--charge-point', 'EV-AWAY', '--method', 'ClearCache', '--ttl', '600']
  await expect(asked(...send, '--wait', '1')).rejects.toThrow(/ended with 1: .*No answer within 1 s/s)
  expect(await asked(...send, '--wait', '0')).toMatchObject({ status: 'pending' })
})
