/**
 * BENCH-P11: nodes take charge points from each other while they commit to them. Whoever takes one over must see every
 * group that its former owner was told is stored. The same race with the two proofs in one statement, and without the
 * lock, must miss some: otherwise it would prove nothing.
 */

import type pg from 'pg'
import { logIdAt } from '../../src/domain/message-log/log-id.ts'
import type { ChangeSet } from '../../src/domain/ports/storage-records.ts'
import { databaseAt } from '../../src/storage/open.ts'
import { postgresAddress } from '../../src/storage/postgres/connection/address.ts'
import { createPool } from '../../src/storage/postgres/connection/pool.ts'
import { FENCE, FENCED, NOT_OWNER, NOW_MS, OWNED, TAKES } from '../../src/storage/postgres/functions/group.ts'
import { FUNCTIONS } from '../../src/storage/postgres/functions/names.ts'
import { changesOf, parametersOf } from '../../src/storage/postgres/hot/changes.ts'
import { CountedEnergy } from '../../src/storage/postgres/hot/counted-energy.ts'
import { LogNames } from '../../src/storage/postgres/hot/log-names.ts'
import { type BenchPostgres, withClient } from '../postgres/server.ts'
import type { Measurement } from '../verdict.ts'

const NODES = [0, 1, 2]
const CHARGE_POINTS = 5
const TAKES_SHARE = 0.3
/** So many of a control are enough to see it fail. */
const CONTROL_TAKEOVERS = 1_000
const DEADLOCK = '40P01'

interface Race {
  readonly takeovers: number
  readonly commits: number
  /** Takeovers after which the former owner was told that a group is stored that the new one had not seen. */
  readonly missed: number
}

interface Held {
  readonly epoch: number
}

const CONTROLS = {
  'one statement': `
  ${OWNED.replace(
    'SELECT json_agg',
    `WITH fence AS (UPDATE nodes SET last_group = p_group, seen_at = ${NOW_MS}
    WHERE slot = p_slot AND incarnation = p_incarnation RETURNING slot)
  SELECT json_agg`,
  ).replace('FROM unnest', 'FROM fence, unnest')}`,
  'no lock': `
  ${OWNED}`,
} as const

export async function measureTakeovers(postgres: BenchPostgres, takeovers: number): Promise<readonly Measurement[]> {
  const ours = await postgres.withDatabase((url) => race(url, takeovers))
  const controls: string[] = []
  let fault: string | undefined
  for (const [name, fence] of Object.entries(CONTROLS)) {
    const { missed, takeovers: taken } = await postgres.withDatabase((url) => race(url, CONTROL_TAKEOVERS, fence))
    controls.push(`${name}: ${missed} of ${taken}`)
    if (missed === 0) fault = `the control with ${name} missed nothing, so the race is too tame`
  }
  return [
    {
      id: 'P11',
      what: `takeovers that missed a group, of ${ours.takeovers} beside ${ours.commits} groups`,
      ours: String(ours.missed),
      limit: `controls: ${controls.join(', ')}`,
      ratio: ours.missed,
      must: 0,
      aim: 0,
      better: 'lower',
      fault,
    },
  ]
}

/** @param fence instead of the proof that groups have */
async function race(url: string, desired: number, fence?: string): Promise<Race> {
  const names = await prepare(url)
  const commit = fence === undefined ? FUNCTIONS.commitGroup.name : await controlFunction(url, fence)
  const firstId = logIdAt(Date.now())
  const total = { takeovers: 0, commits: 0, lastId: 0 }
  /** Of each epoch of a charge point: the newest row that its owner saw when it took it over. */
  const seen = new Map<string, number>()
  const acknowledged: { readonly chargePoint: string; readonly epoch: number; readonly id: number }[] = []
  const node = (slot: number): Promise<void> =>
    withClient(url, async (client) => {
      const held = new Map<string, Held>()
      let group = 0
      while (total.takeovers < desired) {
        if (held.size === 0 || Math.random() < TAKES_SHARE) {
          const chargePoint = `CP${Math.floor(Math.random() * CHARGE_POINTS)}`
          const taken = held.has(chargePoint) ? undefined : await take(client, slot, chargePoint)
          if (taken) {
            held.set(chargePoint, taken)
            const key = `${chargePoint} ${taken.epoch}`
            // It is taken anew by whoever has it when a deadlock took a group of it back.
            if (!seen.has(key)) {
              total.takeovers++
              seen.set(key, taken.newest)
            }
          }
        }
        for (const [chargePoint, { epoch }] of held) {
          const id = firstId + ++total.lastId
          const proof = [slot, 1, ++group, id, [chargePoint], [String(epoch)]]
          if (await stored(client, commit, [...proof, ...row(chargePoint, id, names)])) {
            total.commits++
            acknowledged.push({ chargePoint, epoch, id })
          } else held.delete(chargePoint)
        }
      }
    })
  await Promise.all(NODES.map(node))
  const late = acknowledged.filter(({ chargePoint, epoch, id }) => id > (seen.get(`${chargePoint} ${epoch + 1}`) ?? id))
  const missed = new Set(late.map(({ chargePoint, epoch }) => `${chargePoint} ${epoch}`)).size
  return { takeovers: total.takeovers, commits: total.commits, missed }
}

/** @returns the numbers of the names that the rows have */
async function prepare(url: string): Promise<LogNames> {
  const store = await databaseAt(url).openStore()
  const now = Date.now()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: now })
  for (let n = 0; n < CHARGE_POINTS; n++) {
    const chargePoint = { id: `CP${n}`, accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted' } as const
    await store.writes.createChargePoint({ ...chargePoint, createdAt: now })
  }
  await store.close()
  await withClient(url, async (client) => {
    for (const slot of NODES) {
      await client.query(
        `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
         VALUES ($1, 1, 0, 0, ${NOW_MS}, ${NOW_MS}, $2, '', 'live')`,
        [slot, `node-${slot}`],
      )
    }
  })
  const pool = createPool(postgresAddress(url), 1)
  const names = new LogNames(pool)
  await names.learn([heartbeat('CP0', 1)])
  await pool.close()
  return names
}

async function controlFunction(url: string, fence: string): Promise<string> {
  const { name, create } = FUNCTIONS.commitGroup
  const control = `${name}_control`
  const text = create.replace(FENCE, fence).replaceAll(name, control)
  if (text === create.replaceAll(name, control)) throw new Error('The proof of groups was not found.')
  await withClient(url, (client) => client.query(text))
  return control
}

async function take(
  client: pg.Client,
  slot: number,
  chargePoint: string,
): Promise<(Held & { readonly newest: number }) | undefined> {
  try {
    const { rows } = await client.query<{ epoch: string; loaded: { readonly newest: number | null } }>(
      `SELECT epoch, loaded FROM ${FUNCTIONS.take.name}($1, 1, $2, ${TAKES.all})`,
      [slot, [chargePoint]],
    )
    const [row] = rows
    return row && { epoch: Number(row.epoch), newest: row.loaded.newest ?? 0 }
  } catch (error) {
    if ((error as { readonly code?: string }).code === DEADLOCK) return undefined
    throw error
  }
}

/** False: refused, as another node has it. */
async function stored(client: pg.Client, commit: string, values: readonly unknown[]): Promise<boolean> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
  try {
    await client.query({ name: 'commit', text: `SELECT ${commit}(${parameters})`, values: [...values] })
    return true
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code === NOT_OWNER || code === DEADLOCK || code === FENCED) return false
    throw error
  }
}

function row(chargePointId: string, id: number, names: LogNames): readonly (string | null)[] {
  return parametersOf(changesOf([heartbeat(chargePointId, id)], new CountedEnergy(), names))
}

function heartbeat(chargePointId: string, id: number): ChangeSet {
  const command = {
    ...({ id, chargePointId, direction: 'in', method: 'Heartbeat', messageId: `m${id}` } as const),
    ...({ protocol: 'ocpp1.6', status: 'success', request: '{}', response: '{}' } as const),
  }
  return { chargePointId, command }
}
