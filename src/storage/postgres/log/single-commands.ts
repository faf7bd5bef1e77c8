import type { Reads } from '../../../domain/ports/storage.ts'
import { COMMAND_COLUMNS, type CommandRow, readCommand } from '../../rows/command-row.ts'
import type { Pool } from '../connection/pool.ts'
import { toDatabase } from '../connection/text.ts'
import { newestLogId } from '../partitions.ts'

const KEY = '(SELECT key FROM log_charge_points WHERE name = $1)'
const FIND = `SELECT ${COMMAND_COLUMNS} FROM commands AS command WHERE command.charge_point = ${KEY} AND command.id = $2`
const OLDEST = `SELECT id FROM commands WHERE charge_point = ${KEY} ORDER BY id LIMIT 1`
const NEWEST = `SELECT id FROM commands WHERE charge_point = ${KEY} ORDER BY id DESC LIMIT 1`

type Single = Pick<Reads, 'findCommand' | 'oldestCommandId' | 'newestCommandId' | 'greatestCommandId'>

export function singleCommands(pool: Pool): Single {
  const id = (sql: string, chargePointId: string): Promise<number | undefined> =>
    pool.value<number>(sql, [toDatabase(chargePointId)])
  return {
    findCommand: async (chargePointId, id) => {
      const { rows } = await pool.rows<CommandRow>(FIND, [toDatabase(chargePointId), id])
      return rows[0] && readCommand(rows[0], chargePointId)
    },
    oldestCommandId: (chargePointId) => id(OLDEST, chargePointId),
    newestCommandId: (chargePointId) => id(NEWEST, chargePointId),
    greatestCommandId: () => pool.use(newestLogId),
  }
}
