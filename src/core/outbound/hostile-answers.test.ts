import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coresOfTests, SESSIONS, START, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { transactionEvent } from '../../../test/support/messages.ts'
import { wholeAnswer, wholeRequest } from '../../../test/support/ocpp/answers.ts'
import { damaged } from '../../../test/support/ocpp/damaged.ts'
import { aBulkOrder } from '../../../test/support/records.ts'
import { CommandSchema } from '../../application/schemas/commands.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { commandJson } from '../../domain/message-log/csv.ts'
import type { Protocol } from '../../domain/ports/core.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { hashPassword } from '../../ocpp/credentials.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import { versions } from '../../ocpp/versions.ts'
import { sealPassword } from '../../secrets/sealed-password.ts'
import { rebuildSession } from '../rebuild/rebuild.ts'

const HOUR = 3600_000
const OWNER = { accountId: 'account-1', chargePointId: 'CP1' }
const SESSIONS_OF = { accountId: 'account-1', limit: 9 }
const KEY = Buffer.alloc(32, 7)
const PASSWORD = 'ab'.repeat(20)
const NAME = { component: { name: 'C' }, variable: { name: 'V' }, attribute: 'Actual' }

const STEPS = {
  'ocpp1.6': ['setSecurityProfile', 'reset'],
  'ocpp2.0.1': ['setNetworkProfile', 'setPriority', 'reset'],
  'ocpp2.1': ['setNetworkProfile', 'setPriority', 'reset'],
} as const

/** What is wanted of a charge point beside what it is asked anyway. */
const requested = (protocol: Protocol): readonly BlockInput[] => [
  { kind: 'chargingDemanded', demands: [0, 1, 2].map((evseId) => ({ owner: 'tariff', evseId, caps: caps(16) })) },
  { kind: 'profilesWithdrawn', foreign: true },
  { kind: 'profileRequested', id: 'j1', securityProfile: 2, steps: STEPS[protocol], present: 0 },
  {
    kind: 'passwordOrdered',
    rotationId: 'r1',
    password: sealPassword(KEY, { chargePointId: 'CP1', rotationId: 'r1' }, PASSWORD, (bytes) => Buffer.alloc(bytes)),
    hash: hashPassword(PASSWORD, KEY, Buffer.alloc(16)),
  },
  { kind: 'localListRequested', list: 'cards', contentAt: START },
  {
    kind: 'reservationOrdered',
    id: 'r1',
    reservationId: 1,
    order: { evseId: 1, idToken: 'CARD', idTokenType: 'Central', expiresAt: START + 48 * HOUR },
  },
  {
    kind: 'customerInformationOrdered',
    id: 'c1',
    requestId: 2 ** 30 + 1,
    order: { idToken: 'A', report: true, clear: true },
  },
  { kind: 'logRequested', requestId: 5, type: 'diagnostics', createdAt: START, tokenHash: 'none' },
  { kind: 'logRequested', requestId: 6, type: 'security', createdAt: START, tokenHash: 'none' },
  {
    kind: 'firmwareOrdered',
    requestId: 7,
    campaignId: 'c',
    wave: 1,
    onlyIdle: false,
    target: { version: '2', location: 'https://files.example/fw' },
    silenceMs: HOUR,
    createdAt: START,
    tokenHash: 'none',
  },
  {
    kind: 'intentsRequested',
    wants: [
      ...['HeartbeatInterval', 'constructor', '__proto__', 'toString'].map((key) => ({
        kind: 'configurationKey' as const,
        key,
        desired: '60',
      })),
      { kind: 'variable', key: 'C.V', variable: NAME, desired: '1' },
      {
        kind: 'monitor',
        key: 'C.V UpperThreshold 1',
        desired: { ...NAME, type: 'UpperThreshold', value: 1, severity: 1, transaction: false },
      },
      {
        kind: 'displayMessage',
        key: 'welcome',
        desired: { id: 2 ** 30 + 1, format: 'UTF8', priority: 'NormalCycle', content: 'Hello' },
      },
    ],
  },
  { kind: 'bulkOrdered', orderId: 'b1', createdAt: START },
]

function caps(limit: number) {
  return { standing: { unit: 'A' as const, steps: [{ at: START, limit }] } }
}

const INFINITE = 'infinite, as JSON has no word for it'

/** As text, so that a number may be too large for a double. */
const anyAnswer = (id: unknown, payload: Payload): fc.Arbitrary<string> => {
  const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('', 'x'.repeat(5000), null, { toString: '' }, [[]]))
  const code = fc.oneof(fc.constantFrom('NotImplemented', 'InternalError', 'constructor'), anything)
  return fc.oneof(
    { weight: 6, arbitrary: damaged(payload).map((answer) => write([3, id, answer])) },
    { weight: 2, arbitrary: fc.constant(write([3, id, payload])) },
    { weight: 1, arbitrary: fc.tuple(code, anything, anything).map((rest) => write([4, id, ...rest])) },
    { weight: 1, arbitrary: anything.map((answer) => write([3, id, answer])) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        write([3, id]),
        write([4, id]),
        `[3,${JSON.stringify(id)},${'{"a":'.repeat(200)}1${'}'.repeat(200)}]`,
      ),
    },
  )
}

function write(frame: readonly unknown[]): string {
  const text = JSON.stringify(frame, (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? INFINITE : value))
  return text.replaceAll(JSON.stringify(INFINITE), '1e400')
}

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('a charge point of %s that answers anything', (protocol) => {
  const core = coresOfTests({ settings: { asksForReports: true, csmsUrl: 'wss://example.com/ocpp' } })

  async function started(): Promise<{ readonly house: TestCore; readonly station: TestStation }> {
    const house = await core()
    const { writes } = house.store
    const times = { expiresAt: START + HOUR, createdAt: START, updatedAt: START }
    await writes.putRecords('bulk_orders', [aBulkOrder('b1', { accountId: 'account-1', ...times })])
    const entry = { id: 'CARD', type: 'ISO14443', status: 'Accepted' } as const
    const row = { accountId: 'account-1', list: 'cards', idToken: 'card', entry, gone: false, changedAt: START }
    await writes.putRecords('local_list_entries', [row])
    const station = await (protocol === 'ocpp1.6' ? house.boot16('CP1') : house.boot201('CP1'))
    return { house, station }
  }

  async function ordered({ core: of, clock, store: { reads } }: TestCore, station: TestStation): Promise<void> {
    for (const input of requested(protocol)) await of.decideBlock({ ...OWNER, input })
    await of.orderReport({ ...OWNER, ask: { base: 'FullInventory' } })
    await of.startSession({ ...OWNER, connectorId: 1, evseId: 1, idToken: 'CARD' })
    await charge(station)
    clock.advance(1000)
    const [running] = await reads.listSessions(SESSIONS_OF)
    if (running) await of.stopSession('account-1', running.id)
    for (const method of Object.keys(versions[protocol].toChargePoint)) {
      await of.sendCommand({ ...OWNER, method, request: wholeRequest(protocol, method), waitMs: 0 })
    }
  }

  async function charge(station: TestStation): Promise<void> {
    const timestamp = isoTime(START)
    if (protocol === 'ocpp1.6') {
      await station.call('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp })
      return
    }
    const idToken = { idToken: 'CARD', type: 'ISO14443' }
    await station.call('TransactionEvent', transactionEvent('Started', 0, START, { idToken }))
  }

  /** Answers until nothing is asked any more. */
  async function answered(station: TestStation, seed: number, seen: Set<unknown>): Promise<void> {
    for (;;) {
      const heartbeat = await station.call('Heartbeat', {})
      expect(heartbeat[0]).toBe(3)
      const asked = station.frames.filter(([type, id]) => type === 2 && !seen.has(id))
      if (asked.length === 0) return
      for (const [, id, method, request] of asked) {
        seen.add(id)
        expect(versions[protocol].validateRequest(method as string, request), method as string).toEqual([])
        const whole = wholeAnswer(protocol, { method: method as string, request: request as Payload })
        const [text = ''] = fc.sample(anyAnswer(id, whole), { numRuns: 1, seed: seed + seen.size })
        station.send(text)
      }
    }
  }

  async function run(seed: number): Promise<readonly unknown[]> {
    const { house, station } = await started()
    const seen = new Set<unknown>()
    await ordered(house, station)
    for (let round = 0; round < 12; round++) {
      await answered(station, seed, seen)
      house.clock.advance(2 ** round * 5_000)
    }
    await answered(station, seed, seen)
    const rows = await house.commands('CP1')
    const shown = rows.map((row) => CommandSchema.safeParse(JSON.parse(commandJson(row, 1n))))
    const open = await house.store.reads.listRecords('outgoing_calls', { where: { chargePointId: 'CP1' }, limit: 99 })
    const sessions = await house.store.reads.listSessions(SESSIONS_OF)
    const rebuilt = await Promise.all(sessions.map((session) => rebuildSession(house.store.reads, session, SESSIONS)))
    return [
      ...rebuilt.flatMap((one) => one?.differences),
      ...house.logged.filter(({ level }) => level === 'error'),
      ...shown.flatMap(({ error }) => (error ? [error.message] : [])),
      ...open.filter(({ sentAt }) => sentAt !== undefined).map(({ method }) => `${method} is open`),
      ...rows.filter(({ status }) => status === 'timeout').map(({ method }) => `${method}: its answer was not taken`),
    ]
  }

  it.each([1, 1001, 2001])('OCPP-RP12: leaves no call open, logs no error and is answered on (%i)', async (seed) => {
    expect(await run(seed)).toEqual([])
  })
})

const core = coresOfTests()
const KEYS = ['constructor', 'toString', '__proto__'] as const

it('INTENT-A6: a setting whose name every object has: an answer that says nothing of it was taken for one that does', async () => {
  const { house, station } = await core.boot16('CP1')
  const wants = KEYS.map((key) => ({ kind: 'configurationKey' as const, key, desired: '1' }))
  await house.core.decideBlock({ ...OWNER, input: { kind: 'intentsRequested', wants } })
  for (const key of KEYS) {
    const asked = (frame: readonly unknown[]) => (frame[3] as Payload | undefined)?.key === key
    const [, id] = await station.frame(asked)
    station.send(write([3, id, {}]))
  }
  await station.call('Heartbeat', {})
  const known = await house.store.reads.listRecords('intents', { where: { chargePointId: 'CP1' }, limit: 9 })
  const reason = 'the answer does not name it'
  expect(known.map(({ key, state, reason: why }) => [key, state, why]).sort()).toEqual(
    KEYS.map((key) => [key, 'pending', reason]).sort(),
  )
})
