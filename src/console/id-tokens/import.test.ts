import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { aSession, changeSet } from '../../../test/support/storage-contract/records.ts'
import { keepPreference } from '../../application/users/preferences.ts'

const IMPORT = '/dashboard/import/id-tokens'

const { place, otto } = await operatorsOfTest()
const html = await (await otto.get('/dashboard/id-tokens')).text()
const csrf = csrfOf(html, '/import/id-tokens')
const once: string = fieldsOf(html, 'once').at(-1) ?? ''

function upload(
  content: string | Uint8Array,
  fields: Record<string, string> = {},
  browser = otto,
  to = IMPORT,
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ csrf, csv: '', ...fields })) form.append(name, value)
  form.append('file', new Blob([Buffer.from(content as string)], { type: 'text/csv' }), 'cards.csv')
  const headers = { origin: place.baseUrl, 'sec-fetch-site': 'same-origin' }
  return browser.send(to, { method: 'POST', body: form, headers })
}
const card = (id: string) => place.reads.findIdToken('A', id)

it('ADMIN-G2, ADMIN-D2: a file of cards: is taken whole, once however often it is sent, and before the text beside it', async () => {
  const file = '\uFEFFid,groupId\r\nFILE1,fleet\r\nFILE2,\r\n'
  const [first, second] = await Promise.all([1, 2].map(() => upload(file, { once, csv: 'id\nTEXT' })))
  expect([first?.status, second?.status]).toEqual([303, 303])
  expect(first?.headers.get('location')).toBe(second?.headers.get('location'))
  const page = await (await otto.get(first?.headers.get('location') ?? '')).text()
  expect(page).toContain('2 new, 0 changed')
  expect(await card('FILE1')).toMatchObject({ groupId: 'fleet' })
  expect(await card('TEXT')).toBeUndefined()
  const [row] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
  expect(row).toMatchObject({ actor: 'otto@example.com', kind: 'import/id-tokens', outcome: 'done' })
})

it('ADMIN-G2, ADMIN-D1: a file of cards: what is wrong is told by its line, and the text stays to be mended', async () => {
  const answer = await upload('id,status\nGOOD,Accepted\n<b>BAD</b>,Gone\n')
  const html = await answer.text()
  expect(answer.status).toBe(400)
  expect(html).toContain('Line 3: status must be one of')
  expect(html).toContain('&lt;b&gt;BAD&lt;/b&gt;,Gone')
  expect(html.indexOf('Line 3:')).toBeLessThan(html.indexOf('<table'))
  expect(await card('GOOD')).toBeUndefined()
})

it('ADMIN-G2, ADMIN-C7: a file of cards: it is looked at before it is taken, which changes and records nothing', async () => {
  const before = await place.reads.searchAudit({ accountId: 'A', limit: 100 })
  const looked = await upload('\uFEFFid;status\r\nLOOK1;Accepted\r\nLOOK2;Blocked\r\n', {}, otto, `${IMPORT}/try`)
  const html = await looked.text()
  expect([looked.status, html.includes('The file holds 2 cards, 1 of them not accepted.')]).toEqual([200, true])
  expect(html).toContain('<bdi>LOOK2</bdi>')
  expect(await card('LOOK1')).toBeUndefined()
  expect(await place.reads.searchAudit({ accountId: 'A', limit: 100 })).toEqual(before)
})

it.each([
  ['Latin-1', Buffer.from('id,groupId\nL1,Müller\n', 'latin1'), 'no UTF-8'],
  ['UTF-16, as spreadsheets save it', Buffer.from('\uFEFFid\nU16\n', 'utf16le'), 'not UTF-8'],
  ['bytes', Buffer.from([0, 1, 2, 0xff, 0xfe]), 'UTF-8'],
  ['nothing but a header', 'status\n', 'the column id is missing'],
  ['too many cards', `id\n${Array.from({ length: 5001 }, (_, n) => n).join('\n')}`, '5001 cards'],
])('ADMIN-G2: a file of cards: a file of %s is refused, and says why', async (_, content, sentence) => {
  const answer = await upload(content)
  const html = await answer.text()
  expect(answer.status).toBe(400)
  expect(html).toContain(sentence.replace('no UTF-8', 'not UTF-8'))
})

it('ADMIN-G2: a file of cards: more than eight mebibytes are not read, and what is no form is no file', async () => {
  expect((await upload(`id\n${'x'.repeat(8 * 1024 * 1024)}`)).status).toBe(413)
  const headers = { origin: place.baseUrl, 'sec-fetch-site': 'same-origin' }
  const bare = { method: 'POST', headers: { ...headers, 'content-type': 'multipart/form-data' }, body: 'id' }
  expect((await otto.send(IMPORT, bare)).status).toBe(400)
  const broken = { ...bare, headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' } }
  expect(
    (await otto.send(IMPORT, { ...broken, body: '--x\r\nContent-Disposition: form-data; name="csrf"' })).status,
  ).toBe(400)
})

it('ADMIN-G2, ADMIN-A2: a file of cards: a viewer, and a form that is not ours, take nothing', async () => {
  const bob = await place.signedIn(place.bob)
  expect((await upload('id\nVIEWER', {}, bob)).status).toBe(403)
  expect((await upload('id\nFORGED', { csrf: 'x' })).status).toBe(403)
  expect([await card('VIEWER'), await card('FORGED')]).toEqual([undefined, undefined])
})

it('ADMIN-G2, CONSOLE-C7: a file of cards: a card that is a formula is text, here and in what is downloaded', async () => {
  const id = '=HYPERLINK("http://x.example")'
  expect((await upload(`id,groupId\n"${id.replaceAll('"', '""')}",@SUM(A1)\n`)).status).toBe(303)
  expect(await card(id)).toMatchObject({ id, groupId: '@SUM(A1)' })
  const html = await (await otto.get('/dashboard/id-tokens?q=HYPERLINK')).text()
  expect(html).toContain('=HYPERLINK(&quot;http://x.example&quot;)')
  const session = aSession({ accountId: 'A', chargePointId: 'CP1', idToken: id })
  await place.core.commit([changeSet({ chargePointId: 'CP1', sessions: [session] })])
  const csv = await (await otto.get('/dashboard/charging-sessions.csv')).text()
  expect(csv).toContain(`"'=HYPERLINK(""http://x.example"")"`)
  expect(csv).not.toMatch(/(^|,)"?=/m)
})

it('CONSOLE-F2: a card that ends in the second of two equal hours is saved as it was', async () => {
  await keepPreference(place.writes, place.otto.id, 'timeZone', 'Europe/London')
  const expiresAt = Date.UTC(2026, 9, 25, 1, 30)
  const stored = { id: 'TWICE', accountId: 'A', type: 'ISO14443', status: 'Accepted' as const, expiresAt }
  await place.writes.createIdToken({ ...stored, createdAt: place.now() })
  const page = '/dashboard/id-tokens/TWICE'
  const token = csrfOf(await (await otto.get(page)).text(), '/id-tokens/TWICE')
  const typed = { csrf: token, type: 'ISO14443', status: 'Accepted' }
  expect((await otto.post(page, { ...typed, expiresAt: '2026-10-25T01:30' })).status).toBe(303)
  expect((await card('TWICE'))?.expiresAt).toBe(expiresAt)
  expect((await otto.post(page, { ...typed, expiresAt: '2026-10-25T02:30' })).status).toBe(303)
  expect((await card('TWICE'))?.expiresAt).toBe(expiresAt + 3_600_000)
})
