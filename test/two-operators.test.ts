/** Operators on the pages of a running server: two at once, and a station that never answers. */
import { expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'
import { ORIGIN, signedIn, WITH_ADMIN } from './operator.ts'
import { booted16 } from './station.ts'
import { csrfOf, fieldsOf } from './support/oidc/browser.ts'

const house = await houseOfFile(WITH_ADMIN)

it('CONSOLE-A11, SESSION-S10: a charge that both stop is one call to the station, and both see it end', async () => {
  const station = await booted16(house.ocppUrl, 'CP-TWO', { answer: { status: 'Accepted' } })
  const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: new Date().toISOString() }
  await station.ask('StartTransaction', start)
  const [session] = await house.sessions('CP-TWO')
  const path = `/dashboard/charging-sessions/${String(session?.id)}`
  const operators = [await signedIn(house), await signedIn(house)]
  const forms = await Promise.all(
    operators.map(async (browser) => csrfOf(await (await browser.get(`${path}?ask=stop`)).text(), '/stop')),
  )
  const presses = operators.flatMap((browser, at) =>
    [1, 2].map(() => browser.post(`${path}/stop`, { csrf: forms[at] ?? '' }, ORIGIN)),
  )
  expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([303, 303, 303, 303])
  await until(() => station.frames.some((frame) => frame[2] === 'RemoteStopTransaction'))
  // The order of what leaves is kept: this one is behind every stop.
  const after = { method: 'GetLocalListVersion', request: {}, wait: 20 }
  expect((await house.request('POST', '/2/evse-controllers/CP-TWO/commands', after)).status).toBe(200)
  expect(station.frames.filter((frame) => frame[2] === 'RemoteStopTransaction')).toHaveLength(1)
  for (const browser of operators) expect(await (await browser.get(path)).text()).toContain('being stopped')
  const rows = (await house.request('GET', '/2/audit')).body.data as readonly Readonly<Record<string, unknown>>[]
  const stops = rows.filter(({ action }) => action === 'charging-sessions/stop')
  expect(stops.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done'])
})

it('CONSOLE-A12: a command that the station never answers leaves the page free and says that nothing came', async () => {
  const station = await booted16(house.ocppUrl, 'CP-MUTE', { silent: true })
  const browser = await signedIn(house)
  const path = '/dashboard/charge-points/CP-MUTE'
  const html = await (await browser.get(`${path}/command?method=GetLocalListVersion`)).text()
  const form = {
    csrf: fieldsOf(html, 'csrf').at(-1) ?? '',
    once: fieldsOf(html, 'once')[0] ?? '',
    method: 'GetLocalListVersion',
  }
  const pressed = await Promise.all([1, 2].map(() => browser.post(`${path}/command`, form, ORIGIN)))
  expect(pressed.map(({ status }) => status)).toEqual([303, 303])
  expect(station.frames.filter((frame) => frame[2] === 'GetLocalListVersion')).toHaveLength(1)
  const shown = await (await browser.get(pressed[0]?.headers.get('location') ?? '')).text()
  expect(shown).toMatch(/class="card answer[^"]*"[\s\S]*GetLocalListVersion/)
  expect(shown).toContain('unanswered')
})
