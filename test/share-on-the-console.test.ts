/** A connection is shared on the console's pages, with stations of both versions on real sockets. */
import { afterAll, expect, it } from 'vitest'
import { ChargePoint } from '../simulator/index.ts'
import { openHouse, until } from './house.ts'
import { ORIGIN, signedIn, WITH_ADMIN } from './operator.ts'
import { csrfOf } from './support/oidc/browser.ts'

const FORM = { name: 'yard', limit: '40', unit: 'A', phases: '3', own: 'chosen', ids: 'Y-0\nY-1', strategy: 'equal' }

const stations: ChargePoint[] = []
const page = async (path: string): Promise<string> => (await ada.get(`/dashboard${path}`)).text()
const house = await openHouse(WITH_ADMIN)
const ada = await signedIn(house)
for (const [at, ocpp] of (['1.6', '2.0.1'] as const).entries()) {
  const options = { ocpp, sampleSeconds: 20, speed: 20, seed: at } as const
  const station = await ChargePoint.connect({ url: house.ocppUrl, id: `Y-${at}`, ...options })
  await station.boot()
  stations.push(station)
}
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})

it('CONSOLE-G4, CONSOLE-G5: four steps end with both stations holding their limit, with proof', async () => {
  let html = await page('/share-connection')
  for (const step of ['connection', 'stations', 'sharing']) {
    const fields = { csrf: csrfOf(html, '/next'), step, ...FORM }
    html = await (await ada.post('/dashboard/share-connection/next', fields, ORIGIN)).text()
  }
  expect(html).toContain('Step 4 of 4: Preview')
  const fields = { csrf: csrfOf(html, '/share-connection'), ...FORM }
  const done = await ada.post('/dashboard/share-connection', fields, ORIGIN)
  expect(done.headers.get('location')).toMatch(/\/dashboard\/limits\/yard\/test$/)
  await until(async () =>
    (await page('/limits/yard/test')).includes('2 of 2 EVSEs hold their limit. 2 have proven it.'),
  )
})

it('CONSOLE-G1, CONSOLE-G7: cars that charge share it, and each station says why it draws what it draws', async () => {
  for (const [at, station] of stations.entries()) {
    await station.plug(1, { soc: 20 })
    await station.swipe(1, `CARD-${at}`)
  }
  await until(async () => {
    const html = await page('/limits/yard')
    return html.includes('2 EVSEs, 2 charging') && html.includes('Its share of yard.')
  })
  const html = await page('/charge-points/Y-1/limits')
  expect(html).toMatch(/limit group <a href="\/dashboard\/limits\/yard"/)
  expect(html).toContain('TxDefaultProfile')
})
