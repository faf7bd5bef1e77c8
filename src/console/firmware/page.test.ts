import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepRecords, openOperatorPlace } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import type { Place } from '../../../test/support/oidc/testing.ts'
import { aCampaign } from '../../../test/support/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import type { CampaignAction } from '../../domain/firmware/campaign.ts'
import type { Campaign, CampaignRow } from '../../domain/firmware/records.ts'
import { openFiles } from '../../files/store.ts'
import { firmwarePages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const FIRMWARE = '/dashboard/firmware'
const NEW = '/dashboard/new-firmware-campaign'
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-files-'))
const acted: [string, CampaignAction][] = []
const rows: CampaignRow[] = []
const files = openFiles(folder, 4096, randomBytes)

const place: Place = await openOperatorPlace(
  {},
  {
    extraPages: [
      firmwarePages(files, {
        act: async ({ id, accountId }, action) => {
          acted.push([id, action])
          return action === 'start' ? place.reads.getRecord('firmware_campaigns', { accountId, id }) : undefined
        },
        rows: async () => rows,
        plan: async () => rows,
        stop: () => undefined,
        whenIdle: async () => undefined,
      }),
    ],
  },
)
const otto = await place.signedIn(place.otto)
const bob = await place.signedIn(place.bob)
afterAll(async () => {
  await place.close()
  rmSync(folder, { recursive: true })
})

const page = async (browser: Browser, path: string): Promise<string> => (await browser.get(path)).text()
const upload = async (
  fields: Readonly<Record<string, string>>,
  content: string | undefined = 'image',
  browser = otto,
  headers: Record<string, string> = {},
) => {
  const form = new FormData()
  const csrf = csrfOf(await page(otto, FIRMWARE), '/firmware')
  for (const [name, value] of Object.entries({ csrf, certificate: '', signature: '', ...fields }))
    form.append(name, value)
  if (content !== undefined) form.append('file', new Blob([content]), `fw${HOSTILE}.bin`)
  const own = { origin: place.baseUrl, 'sec-fetch-site': 'same-origin', ...headers }
  return browser.send(FIRMWARE, { method: 'POST', body: form, headers: own })
}
const images = () => place.reads.listRecords('firmware_images', { where: { accountId: 'A' }, limit: 10 })
const ID = 'cmp_1'
const campaign = (change: Partial<Campaign> = {}): Campaign =>
  aCampaign({ id: ID, reason: HOSTILE, target: { version: '2.0' }, maxFailureMillionths: 250_000, ...change })

it('CONSOLE-N5: firmware images: one is uploaded with its checksum, listed, and deleted', async () => {
  const done = await upload({ version: `1.0${HOSTILE}`.slice(0, 50), models: 'One, Two' })
  expect([done.status, done.headers.get('location')]).toEqual([303, FIRMWARE])
  const [image] = await images()
  expect(image).toMatchObject({ models: ['One', 'Two'], bytes: 5 })
  const html = await page(bob, FIRMWARE)
  expectTexts(html, createHash('sha256').update('image').digest('hex'), 'unsigned')
  expectWithout(html, HOSTILE, 'type="file"')
  const [audited] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
  expect(audited).toMatchObject({ actor: 'otto@example.com', kind: 'firmware', outcome: 'done' })
  const csrf = csrfOf(await page(otto, FIRMWARE), '/delete')
  const path = `${FIRMWARE}/${image?.id}/delete`
  expect((await bob.post(path, { csrf })).status).toBe(403)
  expect((await otto.post(path, {})).status).toBe(403)
  await place.writes.putRecords('firmware_campaigns', [
    campaign({ target: { version: '1', firmwareId: image?.id ?? '' } }),
  ])
  expect((await otto.post(path, { csrf })).status).toBe(409)
  await place.writes.putRecords('firmware_campaigns', [campaign()])
  expect((await otto.post(path, { csrf })).status).toBe(303)
  expect([await images(), await files.list()]).toEqual([[], []])
})

it('CONSOLE-N5: firmware images: nothing is stored of a form that is not our own, or of who may not act', async () => {
  expect((await upload({ version: '1', csrf: 'forged' })).status).toBe(403)
  expect((await upload({ version: '1' }, 'x', otto, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await upload({ version: '1' }, 'x', bob)).status).toBe(403)
  expect([await images(), await files.list()]).toEqual([[], []])
})

const fields = {
  location: 'https://firmware.example/2.bin',
  version: '2.0',
  waves: '1\r\n100%',
  maxFailureRate: '12,5',
  ids: 'CP1\nCP2',
  soakMinutes: '5',
  onlyIdle: 'yes',
}
const send = async (path: string, change: Readonly<Record<string, string>>) => {
  const csrf = csrfOf(await page(otto, NEW), '/new-firmware-campaign')
  return otto.post(path, { csrf, ...fields, ...change })
}

it('CONSOLE-N6: firmware campaigns: its waves are shown before it is made, as a draft', async () => {
  const tried = await (await send(`${NEW}/try`, {})).text()
  expect(tried).toMatch(/<td>1<\/td><td>1<\/td><td class="number">1<\/td><td class="number">1<\/td>/)
  expect(tried).toMatch(/<td>2<\/td><td>100%<\/td><td class="number">1<\/td><td class="number">0<\/td>/)
  expectTexts(tried, 'This matches 2 charge points now', 'There are no images yet. <a href="/dashboard/firmware"')
  expect(tried).toContain('value="12,5"')
  expect(await (await send(`${NEW}/try`, { waves: '1' })).text()).toContain('1 are in no wave')
  const made = await send(NEW, {})
  expect(made.status).toBe(303)
  const id = (made.headers.get('location') ?? '').split('/').at(-1) ?? ''
  expect(await place.reads.getRecord('firmware_campaigns', { accountId: 'A', id })).toMatchObject({
    state: 'draft',
    selector: { ids: ['CP1', 'CP2'] },
    waves: ['1', '100%'],
    maxFailureMillionths: 125_000,
    soakMs: 300_000,
    onlyIdle: true,
    retryOffline: false,
  })
})

it('CONSOLE-N7: firmware campaigns: its page shows waves with failures and rows with reasons, and the buttons of its state', async () => {
  const row = (chargePointId: string, change: Partial<CampaignRow>): CampaignRow => ({
    chargePointId,
    campaignId: ID,
    wave: 1,
    state: 'succeeded',
    updatedAt: 1,
    ...change,
  })
  rows.push(row('CP1', {}), row('CP2', { state: 'failed', reason: HOSTILE }), row('CP3', { state: 'planned', wave: 2 }))
  const path = `/dashboard/firmware-campaigns/${ID}`
  const html = await page(otto, path)
  expectTexts(html, '1 (50.0 %)', '25 % allowed')
  expectWithout(html, HOSTILE, '/start"')
  const narrowed = await page(otto, `${path}?state=failed`)
  expect(narrowed).toContain('/charge-points/CP2"')
  expect(narrowed).not.toContain('/charge-points/CP1"')
  expect((await otto.get(`${path}?state=none`)).status).toBe(400)
  const csrf = csrfOf(html, '/pause')
  expect((await otto.post(`${path}/start`, { csrf })).status).toBe(303)
  expect((await otto.post(`${path}/pause`, { csrf })).status).toBe(409)
  expect((await otto.post(`${path}/explode`, { csrf })).status).toBe(404)
  expect((await bob.post(`${path}/start`, { csrf })).status).toBe(403)
  expect(await page(bob, path)).not.toContain('/pause"')
  expect(acted).toEqual([
    [ID, 'start'],
    [ID, 'pause'],
  ])
  expect((await (await place.signedIn(place.eve)).get(path)).status).toBe(404)
})

it('CONSOLE-N14: firmware of one charge point: shows what runs, what is wanted, and what came of each update', async () => {
  const empty = await page(bob, '/dashboard/charge-points/CP1/firmware')
  expectTexts(empty, 'No update has been sent from here.', 'nothing else')
  const update = {
    chargePointId: 'CP1',
    accountId: 'A',
    campaignId: ID,
    wave: 1,
    onlyIdle: false,
    isOrdered: true,
    attempts: 1,
    silenceMs: 0,
    isAsked: false,
    tokenHash: 'x',
  } as const
  const seen = [{ status: HOSTILE.slice(0, 20), at: 1 }]
  await keepRecords(place, 'CP1', [
    {
      kind: 'firmware_updates',
      put: {
        ...update,
        requestId: 7,
        target: { version: '2.0' },
        state: 'failed' as const,
        statuses: seen,
        reason: HOSTILE,
        createdAt: 1,
        updatedAt: 2,
      },
    },
    {
      kind: 'firmware_updates',
      put: {
        ...update,
        requestId: 3,
        target: { version: '2.1' },
        state: 'waiting' as const,
        statuses: [],
        createdAt: 5,
        updatedAt: 5,
      },
    },
  ])
  const html = await page(otto, '/dashboard/charge-points/CP1/firmware')
  expect(html).toMatch(/aria-current="page">Firmware</)
  expect(html).toMatch(/<dt>Desired<\/dt><dd><bdi>2\.1</)
  expect([...html.matchAll(/firmware-campaigns\/cmp_1"><bdi>([^<]*)/g)].map(([, version]) => version)).toEqual([
    '2.1',
    '2.0',
  ])
  expect(html).toContain('/new-bulk-order?kind=firmware&amp;id=CP1')
  expect(html).not.toContain('<script>alert')
  expect(await page(bob, '/dashboard/charge-points/CP1/firmware')).not.toContain('new-bulk-order')
  expect((await (await place.signedIn(place.eve)).get('/dashboard/charge-points/CP1/firmware')).status).toBe(404)
})
