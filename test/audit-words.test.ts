/** The audit log is read by people: who ordered what of which charge point, and what came of it (ADMIN-C7). */
import { expect, it } from 'vitest'
import type { MountConsolePages } from '../src/console/console-parts.ts'
import { BLOCK_PAGES } from '../src/server/blocks.ts'
import { sharedTexts } from '../src/web/texts.ts'
import { doneWords } from '../src/web/words/audit-words.ts'
import { houseOfFile, type Json } from './house.ts'
import { ADMIN, NEW_BULK_ORDER, ORIGIN, orderedOnPage, signedIn, WITH_ADMIN, words } from './operator.ts'
import { booted16 } from './station.ts'

const house = await houseOfFile(WITH_ADMIN)
const ada = await signedIn(house)
await booted16(house.ocppUrl, 'LOG-0020', { answer: { status: 'Accepted' } })

const entries = async (): Promise<readonly Json[]> => await house.list('/2/audit')
const page = async (path: string): Promise<string> => words(await (await ada.get(path)).text())

it('ADMIN-C7: an order over the API says what was ordered of what, and what was answered', async () => {
  const reset = { method: 'Reset', request: { type: 'Hard' }, wait: 20 }
  expect((await house.request('POST', '/2/evse-controllers/LOG-0020/commands', reset)).status).toBe(200)
  const subject = 'Reset (hard) of LOG-0020: Accepted'
  expect((await entries())[0]).toMatchObject({ action: 'sendCommand', subject, outcome: 'done' })
  expect(await page('/dashboard/audit')).toContain(`command ${subject}`)
  expect(await page('/dashboard/audit?ui_locales=de')).toContain('Befehl Reset (hart) von LOG-0020: Accepted')
})

it('ADMIN-C7: a bulk order is one entry with its parts, and a question that was only shown is none', async () => {
  const before = (await entries()).length
  const query = 'kind=reset&type=hard&id=LOG-0020&id=LOG-9'
  expect(await page(`${NEW_BULK_ORDER}?${query}`)).toContain('2 charge points')
  const asked = { ids: ['LOG-0020'], order: { kind: 'reset', type: 'hard' }, dryRun: true }
  expect((await house.request('POST', '/2/bulk-orders', asked)).status).toBe(200)
  expect(await entries()).toHaveLength(before)
  const path = await orderedOnPage(ada, query)
  const subject = `Reset (hard) of 2 charge points: 1 done, 1 refused, ${path.split('/').at(-1)}`
  await expect.poll(async () => (await entries())[0]).toMatchObject({ subject, actor: ADMIN.email, outcome: 'done' })
  expect(await entries()).toHaveLength(before + 1)
  expect(await page('/dashboard/audit')).toContain(`bulk order ${subject}`)
  expect((await ada.post(NEW_BULK_ORDER, { id: 'LOG-0020' }, ORIGIN)).status).toBe(403)
})

it('ADMIN-C7: every change that the API has is said in words, in both languages', async () => {
  const { paths } = (await house.request('GET', '/openapi.json')).body as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
  }
  const changes = Object.values(paths)
    .flatMap((path) => Object.entries(path))
    .flatMap(([method, { operationId }]) => (method === 'get' || operationId === undefined ? [] : [operationId]))
    .filter((id) => !id.startsWith('search'))
  expect(changes.length).toBeGreaterThan(50)
  const unsaid = (['en', 'de'] as const).flatMap((language) =>
    changes.filter((kind) => doneWords({ language, texts: sharedTexts({ language }) }, kind) === kind),
  )
  expect(unsaid).toEqual([])
})

it('ADMIN-C7: a form is said in words, never as its address', () => {
  const forms: string[] = []
  const mount: Parameters<MountConsolePages>[0] = (path, { POST }) => void (POST && forms.push(path))
  // Mounting only builds the handlers; nothing is called here.
  for (const add of BLOCK_PAGES) add(mount)
  const kinds = forms.filter((path) => !/\/(try|next)$/.test(path)).map((path) => path.slice(1).replace(/\/:\w+/g, ''))
  const ofCards = ['block', 'accept', 'limits', 'delete'].map((one) => `id-tokens/${one}`)
  const ofUsers = ['disable', 'enable', 'link', 'reset-second-factor', 'end-sign-ins'].map((one) => `users/${one}`)
  const unsaid = (['en', 'de'] as const).flatMap((language) =>
    [...kinds, ...ofCards, ...ofUsers].filter(
      (kind) => doneWords({ language, texts: sharedTexts({ language }) }, kind) === kind,
    ),
  )
  expect(kinds).toContain('limits/delete')
  expect(unsaid).toEqual([])
})
