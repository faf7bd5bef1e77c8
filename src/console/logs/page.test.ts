import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepRecords, openOperatorPlace } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { type LogRequest, logFile } from '../../domain/logs/records.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import { openFiles } from '../../files/store.ts'
import { logPages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const PATH = '/dashboard/charge-points/CP1/logs'
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-files-'))
const files = openFiles(folder, 4096, randomBytes)
const orders: BlockOrder[] = []

const log = (requestId: number, change: Partial<LogRequest> = {}): LogRequest => ({
  chargePointId: 'CP1',
  requestId,
  accountId: 'A',
  type: 'diagnostics',
  state: 'failed',
  reason: HOSTILE,
  isOrdered: false,
  isAccepted: false,
  attempts: 0,
  tokenHash: `hash${requestId}`,
  expiresAt: 0,
  createdAt: requestId,
  updatedAt: 1,
  ...change,
})

const place = await openOperatorPlace(
  {
    decideBlock: async (order) => {
      orders.push(order)
      return {}
    },
  },
  { extraPages: [logPages(files)] },
)
const otto = await place.signedIn(place.otto)
const bob = await place.signedIn(place.bob)
const kept = await files.keep(
  logFile('hash7'),
  (async function* () {
    yield Buffer.from('all is well')
  })(),
)
await keepRecords(place, 'CP1', [
  { kind: 'log_requests', put: log(6) },
  { kind: 'log_requests', put: log(7, { state: 'uploaded', file: { name: 'a.log', ...kept, storedAt: 1 } }) },
])
afterAll(async () => {
  await place.close()
  rmSync(folder, { recursive: true })
})

const page = async (browser: Browser): Promise<string> => (await browser.get(PATH)).text()
const ask = async (fields: Readonly<Record<string, string>>, path = PATH) =>
  otto.post(path, { csrf: csrfOf(await page(otto), '/logs'), ...fields })

it('CONSOLE-N8: they are listed with their state, and their files are given to who may act', async () => {
  const html = await page(bob)
  expect(html).toContain('a.log')
  expect(html).not.toContain(HOSTILE)
  expect(html).not.toContain('/file"')
  const file = await otto.get(`${PATH}/7/file`)
  expect([file.status, await file.text()]).toEqual([200, 'all is well'])
  expect(file.headers.get('content-disposition')).toContain('attachment')
  expect((await otto.get(`${PATH}/7/file`, { range: 'bytes=0-2' })).status).toBe(206)
  expect((await bob.get(`${PATH}/7/file`)).status).toBe(403)
  expect((await otto.get(`${PATH}/6/file`)).status).toBe(404)
  expect((await otto.get('/dashboard/charge-points/CPB/logs')).status).toBe(404)
})

it('CONSOLE-N8: one is asked for by a form that keeps what was typed', async () => {
  const taken = await ask({ type: 'security', from: '2026-08-01T10:00', to: '2026-08-01T12:00' })
  expect(taken.headers.get('location')).toBe(PATH)
  expect(orders[0]).toMatchObject({
    chargePointId: 'CP1',
    input: {
      kind: 'logRequested',
      type: 'security',
      fromAt: Date.UTC(2026, 7, 1, 10),
      toAt: Date.UTC(2026, 7, 1, 12),
    },
  })
  const wrong = await ask({ type: 'all', from: 'soon', to: HOSTILE })
  const html = await wrong.text()
  expect([wrong.status, html.includes('value="soon"'), html.includes(HOSTILE)]).toEqual([400, true, false])
  expect((await ask({ type: 'security', from: '2026-08-01T10:00', to: '2026-08-01T10:00' })).status).toBe(400)
  const csrf = csrfOf(await page(otto), '/logs')
  expect((await bob.post(PATH, { csrf, type: 'security' })).status).toBe(403)
  expect((await otto.post(PATH, { type: 'security' })).status).toBe(403)
  expect((await otto.post('/dashboard/charge-points/CPB/logs', { csrf, type: 'security' })).status).toBe(403)
  expect(orders).toHaveLength(1)
})
