/** Sessions as CSV, with the facts behind them: as they are listed, filtered the same way (CONSOLE-C7). */
import { csvField } from '../../domain/message-log/csv.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Reads, SessionFilter } from '../../domain/ports/storage.ts'
import { detailsOf, type SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'

const ROWS_READ = 500

/** Columns are append-only. */
const COLUMNS: Readonly<Record<string, (session: Session, details: SessionDetails | undefined) => unknown>> = {
  id: ({ id }) => id,
  createdAt: (_, details) => details?.createdAt,
  evseControllerId: ({ chargePointId }) => chargePointId,
  evseId: ({ evseId }) => evseId,
  connectorId: ({ connectorId }) => connectorId,
  state: ({ state }) => state,
  endReason: ({ endReason }) => endReason,
  idToken: ({ idToken }) => idToken,
  externalReference: ({ externalReference }) => externalReference,
  transactionId: ({ transactionId }) => transactionId,
  startedAt: (session) => representSession(session).startedAt,
  stoppedAt: (session) => representSession(session).stoppedAt,
  durationSeconds: (_, details) => details?.durationSeconds,
  energyKwh: (session) => representSession(session).energyKwh,
  cost: (session) => representSession(session).cost,
  currency: (session) => representSession(session).currency,
  settlementCount: ({ settlementCount }) => settlementCount,
  meterStartWh: (_, details) => details?.meterStartWh,
  meterStopWh: (_, details) => details?.meterStopWh,
  stateOfCharge: (_, details) => details?.stateOfCharge,
  stopReason: (_, details) => details?.stopReason,
}

/** One chunk per look into the database, so that others come between. */
export async function* sessionsCsv(
  reads: Pick<Reads, 'listSessions' | 'findTransactionsOf'>,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<string, void, undefined> {
  const columns = Object.values(COLUMNS)
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for (let belowId: string | undefined; ; ) {
    const sessions = await reads.listSessions({
      ...filter,
      byStart: true,
      ...(belowId !== undefined && { belowId }),
      limit: ROWS_READ,
    })
    const keys = sessions.map(({ id, chargePointId, transactionId }) => ({ id, chargePointId, transactionId }))
    const details = detailsOf(sessions, await reads.findTransactionsOf(keys), now)
    const line = (session: Session): string =>
      columns.map((value) => csvField(value(session, details.get(session.id)))).join(',')
    yield sessions.map((session) => `${line(session)}\r\n`).join('')
    belowId = sessions.at(-1)?.id
    if (sessions.length < ROWS_READ) return
  }
}
