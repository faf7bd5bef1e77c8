import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { aCommand } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
import { addMonitorPages } from './page.tsx'

const HOSTILE = '</td><script>alert(1)</script>'
const changed: unknown[] = []

const core = {
  settleConfigurations: async () => undefined as never,
  configurationsChanged: async (...told: unknown[]) => void changed.push(told),
}
const { place, otto } = await operatorsOfTest(core, { extraPages: [addMonitorPages] })

const pageOf = (path: string, status = 200, browser = otto): Promise<string> =>
  browser.page(`/dashboard${path}`, status)

type Fields = readonly (readonly [string, string])[]

async function send(path: string, form: string, fields: Fields): Promise<Response> {
  const html = await pageOf(form)
  const hidden = [...html.matchAll(/name="(csrf|once)" value="([^"]*)"/g)].slice(0, 2)
  const body = hidden.map(([, name = '', value = '']) => [name, value] as [string, string])
  // The head has a form of its own.
  const csrf = [...html.slice(html.indexOf('<main')).matchAll(/name="csrf" value="([^"]*)"/g)][0]?.[1] ?? ''
  const kept = body.filter(([name]) => name !== 'csrf')
  const all = [...kept, ['csrf', csrf], ...fields].map(([name, value]) => [name, value] as [string, string])
  return otto.post(`/dashboard${path}`, new URLSearchParams(all))
}

const row = (change: Readonly<Record<string, string>> = {}): Fields =>
  Object.entries({
    place: '',
    component: 'ChargingStation',
    variable: 'Temperature',
    type: 'UpperThreshold',
    value: '70,5',
    severity: '3',
    when: '',
    ...change,
  })

function kept(name: string): Promise<MonitorSet | undefined> {
  return place.reads.getRecord('monitor_sets', { accountId: 'A', name })
}

// CONSOLE-N20: sets of monitors
it('are made by a form with the rules of the API, listed, and looked at station by station', async () => {
  const made = await send('/new-monitors', '/new-monitors', [
    ['name', 'heat'],
    ['vendor', HOSTILE],
    ...row({ place: '1/2', component: 'EVSE[a]', when: 'transactions' }),
    ...row({ component: '', variable: '', value: '' }),
  ])
  expect([made.status, made.headers.get('location')]).toEqual([303, '/dashboard/monitors/heat'])
  expect(await kept('heat')).toMatchObject({
    selector: { vendor: HOSTILE },
    monitors: [
      {
        component: { name: 'EVSE', instance: 'a', evseId: 1, connectorId: 2 },
        type: 'UpperThreshold',
        value: 70.5,
        severity: 3,
        transaction: true,
      },
    ],
  })
  const list = await pageOf('/monitors')
  expectTexts(list, 'href="/dashboard/monitors/heat"', 'No charge point has sent an event yet.')
  expect(list).not.toContain('<script>alert')
  const html = await pageOf('/monitors/heat')
  expectTexts(html, '<bdi>/1/2/EVSE[a].Temperature</bdi>', 'in transactions', 'It applies to no charge point.')
  await pageOf('/monitors/heat?state=verified')
  expect(await pageOf('/monitors/heat?state=broken', 400)).toContain('cannot be searched for: state = broken')
  await pageOf('/monitors/none', 404)
})

it.each<readonly [string, Fields, string]>([
  ['a name that there is', [['name', 'heat'], ...row()], 'There is already a set with this name'],
  ['a name that is none', [['name', 'a b'], ...row()], 'must be letters, digits'],
  ['no monitor', [['name', 'x']], 'monitors'],
  ['a value that is none', [['name', 'x'], ...row({ value: 'hot' })], 'monitors 1 value:'],
  ['a place that is none', [['name', 'x'], ...row({ place: 'left' })], 'must be an EVSE such as 1'],
  ['a type that is none', [['name', 'x'], ...row({ type: 'Odd' })], 'monitors 1 type:'],
  ['one twice', [['name', 'x'], ...row(), ...row()], 'monitors 2'],
  ['a long name of a component', [['name', 'x'], ...row({ component: '🔌'.repeat(300) })], 'monitors 1 component'],
])('refuse %s, keep what was typed, and store nothing', async (_, fields, sentence) => {
  const answer = await send('/new-monitors', '/new-monitors', fields)
  const html = await answer.text()
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expectTexts(html, 'role="alert"', sentence)
  expect(await kept('x')).toBeUndefined()
})

it('are counted and grow by rows before anything is stored', async () => {
  const tried = await send('/new-monitors/try', '/new-monitors', [...row(), ...row(), ['vendor', 'nobody']])
  const html = await tried.text()
  expect([tried.status, [...html.matchAll(/name="variable"/g)].length]).toEqual([200, 5])
  expect(html).toContain('role="status"')
})

it('are changed, and deleted after a question, which clears them', async () => {
  const edit = await pageOf('/monitors/heat/edit')
  expect(edit).toContain('value="EVSE[a]"')
  const done = await send('/monitors/heat/edit', '/monitors/heat/edit', row({ value: '80' }))
  expect(done.headers.get('location')).toBe('/dashboard/monitors/heat')
  expect(await kept('heat')).toMatchObject({ selector: {}, monitors: [{ value: 80 }], revision: 2 })
  expect(await pageOf('/monitors/heat')).toContain('They are cleared on the charge points')
  const before = changed.length
  const gone = await send('/monitors/heat/delete', '/monitors/heat', [])
  expect([gone.headers.get('location'), await kept('heat')]).toEqual(['/dashboard/monitors', undefined])
  expect(changed.length).toBeGreaterThan(before)
  expect(await pageOf('/monitors')).toContain('There are no monitors yet.')
})

it('show who told of something, with the way to all of it in the log', async () => {
  await place.core.commit([
    {
      chargePointId: 'CP1',
      command: aCommand(0, {
        id: 5 * 4096,
        method: 'NotifyEvent',
        messageId: 'm',
        protocol: 'ocpp2.0.1',
        response: '{}',
        request: JSON.stringify({ eventData: [{ actualValue: HOSTILE, variable: { name: 'Temperature' } }] }),
      }),
    },
  ])
  const html = await pageOf('/monitors')
  expectTexts(html, '<strong>NotifyEvent</strong>', 'href="/dashboard/log?method=NotifyEvent"')
  expect(html).not.toContain('<script>alert')
})

it('are looked at by all who see the console, and changed by operators', async () => {
  await place.writes.putRecords('monitor_sets', [
    { accountId: 'B', name: 'theirs', selector: {}, monitors: [], revision: 1, createdAt: 0, updatedAt: 0 },
  ])
  const bob = await place.signedIn(place.bob)
  expect(await pageOf('/monitors', 200, bob)).not.toContain('/new-monitors"')
  await pageOf('/new-monitors', 403, bob)
  await pageOf('/monitors', 403, await place.signedIn(place.mia))
  await pageOf('/monitors/theirs', 404)
  expect((await otto.post('/dashboard/new-monitors', { csrf: 'wrong' })).status).toBe(403)
})
