/** A day's jobs at the console with the keyboard alone. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { type House, openHouse } from '../house.ts'
import { booted16, type Station } from '../station.ts'
import { launch, signIn, WIDE } from './chromium.ts'

const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
const BROKEN = 59
const HEALTHY = 'LOG-0059'
/** More tabs than any page has. */
const TABS = 400
/** With what the time of a session begins, on whichever day this runs. */
const A_DAY = /^\d{1,2} \p{L}/u

let house: House
let browser: Browser
let page: Page
const stations: Station[] = []

beforeAll(async () => {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  house = await openHouse({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_BASE_URL: baseUrl,
    PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
    PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
    PILOTWIRE_UNKNOWN_CHARGE_POINTS: 'reject',
  })
  for (let at = 0; at <= BROKEN; at++) {
    const id = `LOG-${String(at).padStart(4, '0')}`
    await house.request('POST', '/2/evse-controllers', { id, securityProfile: 0 })
    const station = await booted16(house.ocppUrl, id, { answer: { status: 'Accepted' } })
    stations.push(station)
    const errorCode = at === BROKEN ? 'NoError' : 'GroundFailure'
    await station.ask('StatusNotification', {
      connectorId: 1,
      errorCode,
      status: at === BROKEN ? 'Available' : 'Faulted',
    })
  }
  await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.4 })
  await house.request('POST', '/2/id-tokens', { id: 'CARD-1' })
  const healthy = stations[BROKEN]
  const at = () => new Date().toISOString()
  const started = await healthy?.ask('StartTransaction', {
    connectorId: 1,
    idTag: 'CARD-1',
    meterStart: 0,
    timestamp: at(),
  })
  await healthy?.ask('StopTransaction', { transactionId: started?.transactionId, meterStop: 10_000, timestamp: at() })
  browser = await launch()
  page = await (await browser.newContext({ viewport: WIDE })).newPage()
  await signIn(page, `${baseUrl}/dashboard`, ADMIN.email, ADMIN.password)
})
afterAll(async () => {
  for (const { socket } of stations) socket.terminate()
  await browser.close()
  await house.close()
})

/** What a screen reader would call the element that has the focus, and whether one sees that it has it. */
const FOCUSED = `(() => {
  const { activeElement: element } = document
  const spoken = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  const { outlineStyle, boxShadow } = getComputedStyle(element)
  return [spoken.replace(/\\s+/g, ' ').trim(), outlineStyle !== 'none' || boxShadow !== 'none']
})()`

async function tabTo(name: string | RegExp, most = TABS): Promise<void> {
  for (let tab = 0; tab < most; tab++) {
    await page.keyboard.press('Tab')
    const [spoken, isSeen] = (await page.evaluate(FOCUSED)) as [string, boolean]
    if (typeof name === 'string' ? !spoken.startsWith(name) : !name.test(spoken)) continue
    expect({ name, isSeen }).toEqual({ name, isSeen: true })
    return
  }
  throw new Error(`No Tab of ${most} leads to ${name} at ${page.url()}.`)
}

/** Presses Enter there. */
async function enter(name: string): Promise<void> {
  await tabTo(name)
  await page.keyboard.press('Enter')
}

/** And waits for the page that this leads to. */
async function follow(name: string | RegExp, address: RegExp): Promise<void> {
  await tabTo(name)
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
  expect(page.url()).toMatch(address)
}

async function type(name: string, text: string): Promise<void> {
  await tabTo(name)
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

const main = () => page.locator('main').innerText()

it('CONSOLE-A26: finds this morning’s broken stations and resets all 59 of one error', async () => {
  await follow('By error', /by=error/)
  expect(await main()).toMatch(/GroundFailure\s+59/)
  await follow('Reset 59…', /new-bulk-order/)
  await follow('Reset 59 charge points', /bulk-orders\/./)
  await expect.poll(main).toMatch(/59\s+done/i)
  const resets = stations.map(({ frames }) => frames.filter(([kind, , method]) => kind === 2 && method === 'Reset'))
  expect(resets.map(({ length }) => length)).toEqual([...Array.from({ length: BROKEN }, () => 1), 0])
})

it('CONSOLE-A26: orders something of two that are ticked: the orders stood behind all rows', async () => {
  await page.goto(new URL('/dashboard/charge-points', page.url()).href)
  for (const id of ['LOG-0002', 'LOG-0004']) {
    await tabTo(`Tick ${id}`)
    await page.keyboard.press('Space')
  }
  await tabTo('Go to the orders', 1)
  await page.keyboard.press('Enter')
  await tabTo('Reset…', 2)
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
  expect(new URL(page.url()).searchParams.getAll('id')).toEqual(['LOG-0002', 'LOG-0004'])
  expect(await page.getByRole('button', { name: 'Reset 2 charge points' }).count()).toBe(1)
})

it('CONSOLE-A26: sees why a station does not appear', async () => {
  await expect(booted16(house.ocppUrl, 'LOG-0060')).rejects.toThrow()
  await follow('Overview', /dashboard$/)
  expect(await main()).toMatch(/LOG-0060\s+refused\s+the identity is unknown/)
  await follow('Add it…', /LOG-0060/)
})

it('CONSOLE-A26: refunds a session', async () => {
  await follow('Sessions', /charging-sessions$/)
  await follow(A_DAY, /charging-sessions\/./)
  await follow('Settle …', /ask=settle/)
  await type('Cost without VAT', '0')
  await type('Reason', 'did not charge in full')
  await follow('Settle', /charging-sessions/)
  await expect.poll(async () => (await house.sessions(HEALTHY))[0]).toMatchObject({ cost: 0, settlementCount: 1 })
})

it('CONSOLE-A26: adds 500 cards', async () => {
  await follow('Cards', /id-tokens$/)
  await enter('Import from CSV')
  const ids = Array.from({ length: 500 }, (_, at) => `CARD-${1000 + at}`)
  await type('Or paste its text', ['id', ...ids].join('\n'))
  await follow('Import', /id-tokens/)
  await expect.poll(() => house.request('GET', '/2/id-tokens/CARD-1499')).toMatchObject({ status: 200 })
})

it('CONSOLE-A26: rolls out firmware', async () => {
  await follow('Firmware', /firmware$/)
  await enter('Add an image')
  await type('Version', '2.0')
  const chooser = page.waitForEvent('filechooser')
  await enter('File')
  await (await chooser).setFiles({
    name: 'two.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('two'),
  })
  await follow('Upload', /firmware/)
  await page.locator('[data-live=images] td.name', { hasText: '2.0' }).waitFor()
  await follow('New campaign', /new-firmware-campaign/)
  await tabTo('Image')
  await page.keyboard.type('2.0')
  await follow('Save the draft', /firmware-campaigns\/./)
  await follow('Start', /firmware-campaigns/)
  await expect
    .poll(async () => (await house.request('GET', '/2/firmware-campaigns')).body.data)
    .toMatchObject([{ state: 'running' }])
})

it('CONSOLE-A26: a day’s jobs with the keyboard alone reads what happened', async () => {
  await follow('Audit', /audit$/)
  expect(await main()).toMatch(/Reset \(soft\) of 59 charge points: 59 done/)
})
