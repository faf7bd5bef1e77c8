import { expect, it } from 'vitest'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { placeOfTest } from '../../../test/support/oidc/testing.ts'

const place = await placeOfTest()

it('CONSOLE-F2: users set their language and their time zone, and take both back', async () => {
  const mia = await place.signedIn(place.mia)
  const set = async (language: string, timeZone: string): Promise<readonly [number, string]> => {
    const csrf = csrfOf(await (await mia.get('/dashboard/account')).text(), '/account/display')
    const answer = await mia.post('/dashboard/account/display', { csrf, language, timeZone })
    return [answer.status, await answer.text()]
  }
  const [status, html] = await set('de', 'Asia/Kathmandu')
  expect([status, html.includes('<html lang="de">'), html.includes('Asia/Kathmandu</span>')]).toEqual([200, true, true])
  const [refused, again] = await set('de', 'Mars/"><b>')
  expect(refused).toBe(400)
  expect(again).toContain('value="Mars/&quot;&gt;&lt;b&gt;"')
  expect(again).toContain('Diese Zeitzone gibt es nicht')
  const [, bare] = await set('', '')
  expect([bare.includes('<html lang="en">'), bare.includes('UTC</span>')]).toEqual([true, true])
})
