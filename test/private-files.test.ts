/** OIDC-U10 from outside: nobody else on the machine reads what lies beside the database of a running server. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnHouse } from './house.ts'

it('OIDC-U10: every file beside the database of a running server is 0600, also where an earlier start left it open', async () => {
  const house = await spawnHouse()
  const folder = dirname(house.database)
  const own = (): string[] => readdirSync(folder).filter((name) => join(folder, name).startsWith(house.database))
  const open = (): string[] => own().filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
  expect(own().length).toBeGreaterThanOrEqual(5)
  expect(open()).toEqual([])
  await house.kill()
  for (const name of own()) chmodSync(join(folder, name), 0o644)
  await house.startAgain()
  expect(open()).toEqual([])
  await house.close()
})
