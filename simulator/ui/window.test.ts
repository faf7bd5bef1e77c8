import { request } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CentralSystem, startCentralSystem } from '../central-system.ts'
import { ChargePoint } from '../index.ts'
import { openWindow, type Window } from './window.ts'

let central: CentralSystem
let cp: ChargePoint
let window: Window

beforeEach(async () => {
  central = await startCentralSystem()
  cp = await ChargePoint.connect({
    url: central.url,
    id: '<WINDOW>',
    speed: 60,
    frame: (direction, frame) => window?.seen(direction, frame),
  })
  window = await openWindow({ cp, idToken: 'CARD', port: 0 })
  await cp.boot()
})
afterEach(async () => {
  await window.close()
  await cp.close()
  await central.close()
})

/** `fetch` does not let one choose Host and Origin. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, window.url.replace('localhost', '127.0.0.1')),
      { method, headers },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

it('SIM-F1: the window has a button for what a person on site does, and shows what comes of it', async () => {
  const first = await ask('GET', '/')
  for (const label of ['Plug in', 'Swipe card', 'Unplug', 'Fault']) expect(first.text).toContain(`>${label}</button>`)
  expect(first.text).toContain('&lt;WINDOW&gt;')
  expect(first.text).not.toContain('<WINDOW>')
  const origin = window.url.slice(0, -1)
  const press = (name: string) => ask('POST', `/${name}`, { origin })
  expect((await press('plug')).status).toBe(303)
  await press('swipe')
  expect(cp.state.connectors[0]?.status).toBe('Charging')
  expect((await ask('GET', '/')).text).toMatch(/StartTransaction/)
  await press('fault')
  expect((await ask('GET', '/')).text).toContain('Faulted (OtherError)')
  await press('clear')
  await press('unplug')
  expect(cp.state.connectors[0]?.status).toBe('Available')
  await press('unplug')
  await press('plug')
  await press('plug')
  expect((await ask('GET', '/')).text).toContain('already has a car')
})

it('SIM-F1: the window renews itself', async () => {
  const response = await fetch(new URL('/events', window.url))
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).toMatch(/^data: "/)
  await cp.plug(1)
  let seen = ''
  while (!seen.includes('plugged in')) seen += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
})

it.each([
  ['GET', '/', { host: 'evil.example' }, 403],
  ['POST', '/plug', { origin: 'https://evil.example' }, 403],
  ['POST', '/plug', {}, 403],
  ['GET', '/elsewhere', {}, 404],
  ['DELETE', '/', {}, 405],
])('SIM-F1: %s %s with %j is answered %i', async (method, path, headers, status) => {
  expect((await ask(method, path, headers as Record<string, string>)).status).toBe(status)
  expect(cp.state.connectors[0]?.plugged).toBe(false)
})
