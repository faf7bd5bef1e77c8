/** Sessions as CSV, with the facts behind them: as they are listed, filtered the same way (CONSOLE-C7). */
import type { SessionFilter } from '../../domain/ports/storage-queries.ts'
import { sessionPages } from '../../domain/every-page.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { detailsOf, type SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import type { CsvColumns } from '../csv-file.ts'

interface SessionRow {
  readonly session: Session
  readonly details: SessionDetails | undefined
}

export const SESSION_COLUMNS: CsvColumns<SessionRow> = {
  id: ({ session }) => session.id,
  createdAt: ({ details }) => details?.createdAt,
  evseControllerId: ({ session }) => session.chargePointId,
  evseId: ({ session }) => session.evseId,
  connectorId: ({ session }) => session.connectorId,
  state: ({ session }) => session.state,
  endReason: ({ session }) => session.endReason,
  idToken: ({ session }) => session.idToken,
  externalReference: ({ session }) => session.externalReference,
  transactionId: ({ session }) => session.transactionId,
  startedAt: ({ session }) => representSession(session).startedAt,
  stoppedAt: ({ session }) => representSession(session).stoppedAt,
  durationSeconds: ({ details }) => details?.durationSeconds,
  energyKwh: ({ session }) => representSession(session).energyKwh,
  cost: ({ session }) => representSession(session).cost,
  currency: ({ session }) => representSession(session).currency,
  settlementCount: ({ session }) => session.settlementCount,
  meterStartWh: ({ details }) => details?.meterStartWh,
  meterStopWh: ({ details }) => details?.meterStopWh,
  stateOfCharge: ({ details }) => details?.stateOfCharge,
  stopReason: ({ details }) => details?.stopReason,
}

export async function* sessionRows(
  reads: Pick<Reads, 'listSessions' | 'findTransactionsOf'>,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<readonly SessionRow[], void, undefined> {
  for await (const sessions of sessionPages(reads, { ...filter, byStart: true })) {
    const keys = sessions.map(({ id, chargePointId, transactionId }) => ({ id, chargePointId, transactionId }))
    const details = detailsOf(sessions, await reads.findTransactionsOf(keys), now)
    yield sessions.map((session) => ({ session, details: details.get(session.id) }))
  }
}
