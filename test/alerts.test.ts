import { afterAll, expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'
import { openMailbox } from './mailbox.ts'

const mailbox = await openMailbox()
const running = await houseOfFile({ PILOTWIRE_SMTP_URL: mailbox.url, PILOTWIRE_ALERT_INTERVAL: '1' })
afterAll(() => mailbox.close())

it('ALERT-R1, ALERT-M2: a station that does not come is told by mail and by the feed, from a running server', async () => {
  const { mails } = mailbox
  expect((await running.request('POST', '/2/evse-controllers', { id: 'EV-GONE' })).status).toBe(201)
  const rule = { name: 'Gone', kind: 'offline', after: 0, targets: [{ mail: 'ops@example.com' }] }
  expect((await running.request('POST', '/2/alert-rules', rule)).status).toBe(201)
  await until(() => mails.length > 0)
  expect(mails[0]).toContain('Subject: [Pilotwire] EV-GONE is offline')
  const on = await running.request('GET', '/2/alerts?state=raised')
  expect(on.body.data).toMatchObject([{ evseControllerId: 'EV-GONE', kind: 'offline', text: 'EV-GONE is offline' }])
  const feed = await running.request('GET', '/2/events?type=alert.raised')
  const page = expect.stringMatching(/^http:.*\/dashboard\/alerts$/) as string
  const data = { evseControllerId: 'EV-GONE', page }
  expect(feed.body.data).toMatchObject([{ type: 'alert.raised', data }])
  expect(mails[0]).toMatch(/^http:\S+\/dashboard\/alerts\r?$/m)
  const rules = (await running.request('GET', '/2/alert-rules')).body.data as readonly { readonly id: string }[]
  const tested = await running.request('POST', `/2/alert-rules/${rules[0]?.id}/test`)
  expect(tested.body.data).toEqual([{ mail: 'ops@example.com', ok: true }])
  expect(mails.at(-1)).toContain('Subject: [Pilotwire] Test of the rule Gone')
})
