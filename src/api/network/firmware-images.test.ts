import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { imageFile } from '../../domain/firmware/images.ts'
import { type Files, openFiles } from '../../files/store.ts'
import type { TokenPrincipal } from '../access/access.ts'
import { addCampaigns, addImages } from './firmware-campaigns.ts'

interface Image {
  readonly id: string
  readonly version: string
}

// FIRMWARE-I5: images of the account and of applications
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-images-'))
const files: Files = openFiles(folder, 4096, randomBytes)
let api: TestApi
let token: TokenPrincipal
let ofAccount: Image

const as = (grantId: string): Readonly<Record<string, string>> => {
  const who = { kind: 'token', accountId: 'acc1', userId: 'u', clientId: 'c' } as const
  token = { ...who, grantId, scopes: ['chargers:firmware'], chargePoints: ['CP1'] }
  return { authorization: 'Bearer pwa_x' }
}

async function brought(version: string, headers?: Readonly<Record<string, string>>): Promise<Image> {
  const form = new FormData()
  form.append('version', version)
  form.append('file', new Blob([`image ${version}`]), 'image.bin')
  const authorization = `Bearer ${api.credential}`
  const answer = await fetch(`${api.url}/2/firmware`, {
    method: 'POST',
    body: form,
    headers: { authorization, ...headers },
  })
  expect(answer.status).toBe(201)
  return (await answer.json()) as Image
}

const listed = async (headers?: Readonly<Record<string, string>>): Promise<readonly Image[]> => {
  const found: Image[] = []
  for (let cursor = ''; ; ) {
    const page = await (await api.call('GET', `/2/firmware?limit=1${cursor}`, undefined, headers)).json<{
      readonly data: readonly Image[]
      readonly meta: { readonly nextCursor?: string }
    }>()
    found.push(...page.data)
    if (page.meta.nextCursor === undefined) return found
    cursor = `&cursor=${page.meta.nextCursor}`
  }
}

beforeAll(async () => {
  api = await startApi({
    parts: {
      verifyAccessToken: async () => token,
      extraEndpoints: [
        (parts) => {
          addImages(parts, files)
          addCampaigns(parts, {
            act: async () => undefined,
            rows: async () => [],
            plan: async () => [],
            stop: () => undefined,
            whenIdle: async () => undefined,
          })
        },
      ],
    },
  })
  ofAccount = await brought('1.0')
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

it('an application neither reads nor deletes an image of the account, and knows its name', async () => {
  const path = `/2/firmware/${ofAccount.id}`
  const name = { id: ofAccount.id, version: '1.0', signed: false, createdAt: expect.any(String) }
  expect(await listed(as('g1'))).toEqual([name])
  expect(await (await api.call('GET', path, undefined, as('g1'))).json()).toEqual(name)
  const refusal = await api.call('DELETE', path, undefined, as('g1'))
  expect([refusal.status, await refusal.json()]).toMatchObject([403, { code: 'insufficient_scope' }])
  expect(await files.list()).toMatchObject([{ name: imageFile(ofAccount.id) }])
  expect(await (await api.call('GET', path)).json()).toMatchObject({ fileName: 'image.bin' })
})

it('an application has its own, of which others do not know and which the account has as well', async () => {
  const own = await brought('2.0', as('g1'))
  const path = `/2/firmware/${own.id}`
  const versions = async (headers?: Readonly<Record<string, string>>) =>
    (await listed(headers)).map(({ version }) => version).sort()
  expect(await versions(as('g1'))).toEqual(['1.0', '2.0'])
  expect(await versions(as('g2'))).toEqual(['1.0'])
  expect(await versions()).toEqual(['1.0', '2.0'])
  expect(await (await api.call('GET', path, undefined, as('g1'))).json()).toMatchObject({ fileName: 'image.bin' })
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(method, path, undefined, as('g2'))).status).toBe(404)
  }
  expect((await api.call('DELETE', path, undefined, as('g1'))).status).toBe(204)
  expect(await versions()).toEqual(['1.0'])
})

it('a campaign of an application names images that it knows', async () => {
  const own = await brought('2.0', as('g1'))
  const campaign = async (firmwareId: string, headers: Readonly<Record<string, string>>) =>
    (await api.call('POST', '/2/firmware-campaigns', { selector: {}, firmwareId }, headers)).status
  expect(await campaign(ofAccount.id, as('g2'))).toBe(201)
  expect(await campaign(own.id, as('g1'))).toBe(201)
  expect(await campaign(own.id, as('g2'))).toBe(422)
})
