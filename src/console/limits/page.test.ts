import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from '../../oidc/browser.testing.ts'
import type { Place } from '../../oidc/testing.ts'
import { openOperatorPlace } from '../testing.ts'
import { addLimitPages } from './page.tsx'

describe('the pages of limit groups', () => {
  let place: Place
  let otto: Browser
  beforeAll(async () => {
    place = await openOperatorPlace({}, { extraPages: [addLimitPages] })
    otto = await place.signedIn(place.otto)
  })
  afterAll(() => place.close())
  const text = async (path: string): Promise<string> => (await otto.get(`/dashboard${path}`)).text()

  it('CONSOLE-N13: groups are listed, and one is shown with its EVSEs, the reason of each share, and its day', async () => {
    expect(await text('/limits')).toContain('There are no limit groups yet.')
    const { accountId } = place.otto
    const now = place.now()
    const desired = { amps: 100, selector: {}, fallbackAmps: 8 }
    const group = { accountId, name: 'garage', desired, revision: 1, createdAt: now, updatedAt: now }
    await place.writes.putRecords('limit_groups', [group])
    const amps = { limitAmps: [100, 100, 100], allowedAmps: [96, 96, 96], drawAmps: [42, 40, 41] }
    const minutes = [120_000, 60_000].map((ago) => ({ accountId, name: 'garage', at: now - ago, ...amps }))
    await place.writes.putRecords('limit_minutes', minutes)
    expect(await text('/limits')).toContain('/limits/garage')
    const page = await text('/limits/garage')
    expect(page).toContain('100.0 · 100.0 · 100.0 A')
    expect(page).toContain('It is silent: it counts with all that it may still hold.')
    expect(page).toContain('at most 42.0 A')
    expect((await otto.get('/dashboard/limits/none')).status).toBe(404)
  })
})
