/** What a failover of PostgreSQL would cost (STORE-R5): said for each way of having a standby, or none. */

import type { Settings } from '../../../config/config.ts'
import { isPostgres } from '../../../config/database-path.ts'
import type { StandbyHealth } from '../../../storage/database.ts'
import { databaseAt } from '../../../storage/open.ts'
import { type Check, findings } from './doctor-database.ts'

const { ok, warning, failed } = findings('standby')

/** Undefined where there is nothing to say: another engine, or a database that the check before has found at fault. */
export async function checkStandby({ databaseUrl }: Settings): Promise<Check | undefined> {
  if (!isPostgres(databaseUrl)) return undefined
  try {
    const { standby } = await databaseAt(databaseUrl).check()
    return standby && judgeStandby(standby)
  } catch {
    return undefined
  }
}

export function judgeStandby({ waitsFor, connected }: StandbyHealth): Check {
  const named = (kind: StandbyHealth['connected'][number]['kind']): string =>
    connected
      .filter((one) => one.kind === kind)
      .map(({ name }) => name)
      .join(', ')
  const synchronous = named('synchronous')
  if (synchronous !== '') {
    return ok(`Each answered message is also on ${synchronous}: a failover to it loses none.`)
  }
  const unknown = named('unknown')
  if (unknown !== '') {
    return warning(
      `${unknown} is connected, but this user may not see whether commits wait for it: GRANT pg_read_all_stats to it and run this again.`,
    )
  }
  const asynchronous = named('asynchronous')
  if (waitsFor !== '') {
    const but =
      asynchronous === '' ? 'no standby is connected' : `only ${asynchronous} is connected, which is none of them`
    return failed(
      `Commits wait for ${waitsFor} (synchronous_standby_names), but ${but}: no message is answered until one is. Start it; or, if answered messages may be lost with this server, empty the setting.`,
    )
  }
  if (asynchronous !== '') {
    return warning(
      `${asynchronous} follows without commits waiting for it: a failover to it loses the messages that were answered last. Set synchronous_standby_names to it to lose none.`,
    )
  }
  return warning(
    'There is no standby: answered messages survive a crash of this server, but not the loss of its disk. Add one and name it in synchronous_standby_names.',
  )
}
