import { logIdAt } from '../../../domain/message-log/log-id.ts'
import type { OtherNodes } from '../../../domain/ports/other-nodes.ts'
import { COMMAND_COLUMNS, type CommandRow, OUT, readCommand } from '../../rows/command-row.ts'
import type { PostgresAddress } from '../connection/address.ts'
import { gathered } from '../connection/gathered.ts'
import { createPool } from '../connection/pool.ts'
import type { After } from '../connection/repeat.ts'
import { toDatabase } from '../connection/text.ts'
import type { Node } from '../hot/node.ts'
import { Mailbox } from './mailbox.ts'
import {
  type OwnerRows,
  publishPresences,
  readElsewhere,
  readRefused,
  readWhereabouts,
  whereaboutsOf,
} from './whereabouts.ts'

const CONNECTIONS = 3
const ASKED_AT_ONCE = 200

const STORED = `SELECT ${COMMAND_COLUMNS} FROM commands AS command
  WHERE command.charge_point = (SELECT key FROM log_charge_points WHERE name = $1) AND command.id >= $2
    AND command.direction = ${OUT} AND command.method = (SELECT key FROM log_methods WHERE name = $3)
    AND command.request = $4
  ORDER BY command.id DESC LIMIT 1`

export function createOtherNodes(
  address: PostgresAddress,
  node: Node,
  after: After,
): OtherNodes & { close(): Promise<void> } {
  const pool = createPool(address, CONNECTIONS)
  const own = () => node.identity()
  // A tool that only changes settings sends no requests.
  let made: Mailbox | undefined
  const mailbox = (): Mailbox => {
    made ??= new Mailbox({ address, pool, own, after, monotonic: () => performance.now() })
    return made
  }
  // Before each order that is for another node: those of one turn are one question.
  const whereaboutsOfOne = gathered<string, OwnerRows>(async (ids) => {
    const rows = await readWhereabouts(pool, ids)
    return ids.map((id) => rows.filter((row) => row.id === id))
  }, ASKED_AT_ONCE)
  return {
    async whereabouts(ids) {
      const identity = await own()
      const rows = ids.length === 1 ? await whereaboutsOfOne(ids[0] ?? '') : await readWhereabouts(pool, ids)
      return new Map(rows.map((row) => [row.id, whereaboutsOf(row, { address: identity, epochs: node.epochs })]))
    },
    presentElsewhere: async (offlineMs, accountId) => readElsewhere(pool, await own(), offlineMs, accountId),
    send: (to, request, limitMs) => mailbox().send(to, request, limitMs),
    tellAll: (request) => mailbox().tellAll(request),
    serve: (answer) => mailbox().serve(answer),
    stopServing: () => made?.stopServing(),
    refused: (ids) => readRefused(pool, ids),
    publish: async (presences) => publishPresences(pool, await own(), presences),
    async storedCommand(chargePointId, { method, request, since }) {
      const values = [toDatabase(chargePointId), logIdAt(since), toDatabase(method), toDatabase(request)]
      const { rows } = await pool.rows<CommandRow>(STORED, values)
      return rows[0] && readCommand(rows[0], chargePointId)
    },
    async close() {
      await made?.close()
      await pool.close()
    },
  }
}
