import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { commandsOf } from './documents.ts'
import { type Child, startCli, testInstallation } from './support/server/cli/testing.ts'

const run = promisify(execFile)
const readme = readFileSync('README.md', 'utf8')

/** The shell blocks below the marker, in order of appearance. */
const blocks = commandsOf('README.md', 'executed by test/readme.test.ts')

const installation = testInstallation()
let server: Child
let url = ''
let credential = ''
let station: ReturnType<typeof createChargePoint>

beforeAll(async () => {
  server = startCli(['serve', '--json'], installation.environment)
  const started = JSON.parse(await server.firstLine) as { url: string; firstStart: { credential: string } }
  url = started.url
  credential = started.firstStart.credential
  station = createChargePoint({ protocol: 'ocpp1.6', url: `${url.replace('http', 'ws')}/ocpp`, id: 'SIM-001' })
  await station.connect()
  await station.boot()
  await station.plug(1)
})
afterAll(async () => {
  await station.powerOff()
  server.process.kill('SIGTERM')
  await server.ended
  installation.remove()
})

it('README names pages that exist', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((link) => !link.includes('://'))
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((link) => !existsSync(link))).toEqual([])
})

it('README shows commands that do what they say', async () => {
  const commands = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').trim().split('\n'))
  expect(commands.length).toBeGreaterThan(8)
  // The session comes from the remote start, so that the lines which read and stop one have it.
  const start = commands.find((command) => command.includes('externalReference')) ?? ''
  const session = JSON.parse(await execute(start, '')) as { id: string; externalReference: string }
  expect(session.externalReference).toBe('order-7')
  await leavesPending(session.id)
  for (const command of commands.filter((other) => other !== start)) {
    expect(await execute(command, session.id), command).not.toBe('')
  }
})

async function execute(command: string, sessionId: string): Promise<string> {
  const line = command.replace('curl', 'curl -sS --fail-with-body').replaceAll('http://localhost:8080', url)
  const { stdout } = await run('sh', ['-c', line], {
    env: { PATH: process.env.PATH ?? '', PILOTWIRE_API_CREDENTIAL: credential, SESSION_ID: sessionId },
  })
  return stdout
}

async function leavesPending(id: string): Promise<void> {
  for (let state = 'pending'; state === 'pending'; ) {
    const answer = await fetch(`${url}/sessions/${id}`, { headers: { authorization: `Bearer ${credential}` } })
    state = ((await answer.json()) as { state: string }).state
  }
}
