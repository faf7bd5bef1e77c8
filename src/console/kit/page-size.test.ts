import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { addCertificatePages } from '../certificates/page.tsx'

const CARDS = 60

const { place, ada } = await operatorsOfTest({}, { extraPages: [addCertificatePages] })
for (let at = 0; at < CARDS; at++) {
  const id = `CARD-${String(at).padStart(3, '0')}`
  const card = { id, accountId: 'A', type: 'ISO14443', status: 'Accepted' as const, createdAt: at }
  await place.writes.createIdToken(card)
  await place.writes.audit({ accountId: 'A', actor: 'ada', kind: 'createIdToken', subject: id, at: place.now() })
  await place.writes.createChargePoint(aChargePoint({ id: id.replace('CARD', 'P'), createdAt: at }))
}

async function read(path: string, status = 200): Promise<string> {
  const response = await ada.get(`/dashboard${path}`)
  expect([path, response.status]).toEqual([path, status])
  return (await response.text()).replaceAll('&amp;', '&')
}
const rowsOf = (html: string): number => html.match(/<tbody>.*?<\/tbody>/s)?.[0].match(/<tr/g)?.length ?? 0
const nextOf = (html: string): string => /href="\/dashboard([^"]*)" rel="next"/.exec(html)?.[1] ?? ''

it.each(['/id-tokens', '/audit', '/charge-points'])('CONSOLE-L2: %s has as many rows as chosen', async (path) => {
  expect(rowsOf(await read(path))).toBe(50)
  const first = await read(`${path}?size=25`)
  expect(rowsOf(first)).toBe(25)
  expect(first).toContain('Rows per page')
  expect(/aria-current="true">25<.*>50<.*>100<.*size=200[^"]*">200</s.test(first)).toBe(true)
  const second = await read(nextOf(first))
  expect(rowsOf(second)).toBe(25)
  expect(nextOf(second)).toContain('size=25')
  const whole = await read(`${path}?size=200`)
  expect(rowsOf(whole)).toBeGreaterThanOrEqual(CARDS)
  expect([nextOf(whole), /size=50[^"]*">50</.test(whole)]).toEqual(['', true])
})

it('CONSOLE-L2: filters, tabs and the order of a list keep how long its pages are', async () => {
  const kept = /<input type="hidden" name="size" value="100"/
  const has = async (path: string, what: RegExp) => expect([path, what.test(await read(path))]).toEqual([path, true])
  await has('/audit?actor=ada&size=100', kept)
  await has('/id-tokens?q=CARD&size=100', kept)
  await has('/charge-points?size=100&model=X', kept)
  await has('/charge-points?size=100', /href="[^"]*size=100&sort=name&order=asc"/)
  await has('/audit?actor=ada&size=100', /class="chip-set" href="[^"]*\?size=100"/)
  await has('/charging-sessions?size=100', /href="[^"]*\?size=100&period=today"/)
  await has('/certificates?size=100', /href="[^"]*\?size=100&show=all"/)
})

it('CONSOLE-L2: a size that a page cannot have is named, or is the usual one; it narrows nothing', async () => {
  expect((await read('/audit?size=7', 400)).includes('size = 7')).toBe(true)
  expect(await read('/certificates?size=7')).toMatch(/href="[^"]*\/certificates\?show=all"/)
  expect((await read('/charging-sessions?size=100')).includes('There are no sessions yet')).toBe(true)
  expect((await read('/id-tokens?size=25&ui_locales=de')).includes('Zeilen je Seite')).toBe(true)
})
