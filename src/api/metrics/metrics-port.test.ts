import { expect, it, onTestFinished } from 'vitest'
import { openMetricsPort } from './metrics-port.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

it('SERVER-D2: the port of the metrics has them and nothing else', async () => {
  let isBroken = false
  const render = async () => {
    if (isBroken) throw new Error('no figures')
    return { type: 'text/plain', text: 'up 1\n' }
  }
  const opened = await openMetricsPort({ port: 0, host: '127.0.0.1' }, { render }, quiet)
  onTestFinished(() => opened.close())
  const url = `http://127.0.0.1:${opened.port}`
  const answer = await fetch(`${url}/metrics?name=up`)
  expect([answer.status, await answer.text()]).toEqual([200, 'up 1\n'])
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405)
  for (const path of ['/', '/2/sessions', '/dashboard', '/metrics/x']) {
    expect((await fetch(url + path)).status).toBe(404)
  }
  isBroken = true
  expect((await fetch(`${url}/metrics`)).status).toBe(503)
  await expect(openMetricsPort({ port: opened.port, host: '127.0.0.1' }, { render }, quiet)).rejects.toThrow(
    'PILOTWIRE_METRICS_PORT',
  )
})
