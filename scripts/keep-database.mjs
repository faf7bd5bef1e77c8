// `node scripts/keep-database.mjs <folder of a built checkout> <target> [postgres://…]` makes what
// test/older-database.test.ts opens: a small installation of that version, left behind by a server that was killed. On
// SQLite the target is the file, on PostgreSQL (an empty database; needs its pg_dump) statements that any client runs.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { WebSocket } from 'ws'

const [checkout, target, databaseUrl] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-kept-'))
/** Of nothing but the files that this makes. */
const SECRET_KEY = 'srF91whXIU3uGHEn3/Kd+xDprqKXM2HHcPrEqkB5UzU='
const file = join(folder, 'pilotwire.db')
const server = spawn(process.execPath, [resolve(checkout, 'dist/main.js'), 'serve', '--json'], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    PILOTWIRE_PORT: '0',
    PILOTWIRE_LOG_LEVEL: 'warn',
    PILOTWIRE_OCPP_REPORTS: 'manual',
    PILOTWIRE_SECRET_KEY: SECRET_KEY,
    PILOTWIRE_DATABASE_URL: databaseUrl ?? `file:${file}`,
    PILOTWIRE_NODE_NAME: 'older',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const { url, firstStart } = JSON.parse((await once(createInterface({ input: server.stdout }), 'line'))[0])
const headers = { authorization: `Bearer ${firstStart.credential}`, 'content-type': 'application/json' }
const startedAt = Date.now()
const at = (seconds) => new Date(startedAt + seconds * 1000).toISOString()

async function order(method, path, body) {
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

async function station(identity, protocol) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ocpp/${identity}`, protocol)
  await once(socket, 'open')
  let calls = 0
  return async (action, payload) => {
    const id = `${identity} ${++calls}`
    socket.send(JSON.stringify([2, id, action, payload]))
    for await (const [data] of onMessages(socket)) {
      const frame = JSON.parse(String(data))
      if (frame[1] !== id) continue
      if (frame[0] !== 3) throw new Error(`${action}: ${data}`)
      return frame[2]
    }
  }
}

async function* onMessages(socket) {
  for (;;) yield await once(socket, 'message')
}

await order('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.4 })
await order('POST', '/2/id-tokens', { id: 'CARD-1', groupId: 'FLEET' })
await order('POST', '/2/webhooks', { url: 'http://localhost:9/hook', events: ['session.updated'] })
await order('POST', '/2/evse-controllers', { id: 'AWAY' })
await order('POST', '/2/alert-rules', { name: 'Gone', kind: 'offline', after: 0, targets: [] })
await order('PUT', '/2/configurations/heartbeats', {
  selector: { ids: ['AWAY'] },
  keys16: [{ key: 'HeartbeatInterval', value: 300 }],
})
const old16 = await station('OLD-16', 'ocpp1.6')
const energy = (transactionId, value) => ({
  connectorId: 1,
  transactionId,
  meterValue: [{ timestamp: at(0), sampledValue: [{ value: String(value) }] }],
})
const start = (meterStart) => ({ connectorId: 1, idTag: 'CARD-1', meterStart, timestamp: at(0) })
await old16('BootNotification', { chargePointVendor: 'Old', chargePointModel: 'Sixteen' })
await old16('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
const { transactionId: first } = await old16('StartTransaction', start(1000))
await old16('MeterValues', energy(first, 3000))
await old16('StopTransaction', { transactionId: first, meterStop: 6000, timestamp: at(0) })
const { transactionId: second } = await old16('StartTransaction', start(6000))
const old201 = await station('OLD-201', 'ocpp2.0.1')
const event = (eventType, seqNo, value) => ({
  eventType,
  seqNo,
  timestamp: at(0),
  evse: { id: 1, connectorId: 1 },
  triggerReason: eventType === 'Started' ? 'CablePluggedIn' : 'MeterValuePeriodic',
  transactionInfo: { transactionId: 'T-201', chargingState: 'Charging' },
  meterValue: [{ timestamp: at(0), sampledValue: [{ value }] }],
})
await old201('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'Old', model: 'TwoOhOne' } })
await old201('TransactionEvent', event('Started', 0, 100))
await old201('TransactionEvent', event('Updated', 1, 900))
await old16('MeterValues', energy(second, 6500))
const ended = once(server, 'exit')
server.kill('SIGKILL')
await ended

/** Of the server's own settings nothing, and no command of psql: statements alone. */
function dumped() {
  const sql = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', databaseUrl], { encoding: 'utf8' })
  return `SET check_function_bodies = false;\n${sql.replace(/^(?:--.*|\\.*|SET .*;)?\n/gm, '')}`
}
/** What was written last stands in the write-ahead log beside it. */
function whole() {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return readFileSync(file)
}
const content = databaseUrl ? dumped() : whole()
writeFileSync(target, gzipSync(content, { level: 9 }))
console.log({ credential: firstStart.credential, startedAt, transaction: second, bytes: content.length })
rmSync(folder, { recursive: true })
