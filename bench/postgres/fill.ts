/** A log of any size through the port, as a server stores it; the other engine's file is filled faster without. */
import { databaseAt } from '../../src/storage/open.ts'
import { chargePointId, logRows } from '../generate-rows.ts'

const GROUP_ROWS = 2_000
const CHARGE_POINTS = 40
const DAY_MS = 86_400_000
const DAYS = 90
const SEED = 20

export async function fillLog(url: string, rows: number, toMs: number): Promise<void> {
  const { core, writes, close } = await databaseAt(url).openWriter()
  try {
    const accountId = 'bench'
    await writes.createAccount({ id: accountId, name: 'Bench', createdAt: toMs })
    for (let number = 0; number < CHARGE_POINTS; number++) {
      await writes.createChargePoint({
        id: chargePointId(number),
        accountId,
        securityProfile: 0,
        registrationStatus: 'Accepted',
        createdAt: toMs,
      })
    }
    let group: Parameters<typeof core.commit>[0][number][] = []
    const store = async () => {
      const failed = (await core.commit(group)).find(({ ok }) => !ok)
      if (failed && !failed.ok) throw failed.error
      group = []
    }
    for (const command of logRows({
      rows,
      chargePoints: CHARGE_POINTS,
      fromMs: toMs - DAYS * DAY_MS,
      toMs,
      seed: SEED,
    })) {
      group.push({ chargePointId: command.chargePointId, command })
      if (group.length === GROUP_ROWS) await store()
    }
    await store()
  } finally {
    await close()
  }
}
