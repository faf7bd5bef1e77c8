/** The answer of `GET /sessions/{id}/signed-data`, piece by piece (SIGNED-X1, SIGNED-X2). */
import type { Session } from '../../ports/sessions.ts'
import { type SignedReads, signedValuesOf } from './queries.ts'
import { SignedRecord, viewOf } from './view.ts'
import { valueXml, XML_BEGIN, XML_END } from './xml.ts'

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>

export async function* jsonChunks(reads: SignedReads, session: Session): Chunks {
  const record = new SignedRecord()
  let separator = '{"data":['
  for await (const read of signedValuesOf(reads, session)) {
    record.add(read)
    yield Buffer.from(separator + JSON.stringify(await viewOf(read)))
    separator = ','
  }
  const begin = separator === ',' ? '' : separator
  const summary = JSON.stringify(record.summary(finalKwh(session))).slice(1)
  yield Buffer.from(`${begin}],${summary}`)
}

export async function* xmlChunks(reads: SignedReads, session: Session): Chunks {
  yield Buffer.from(XML_BEGIN)
  const transaction = transactionNumber(session)
  for await (const read of signedValuesOf(reads, session)) yield Buffer.from(valueXml(read, transaction))
  yield Buffer.from(XML_END)
}

/** SIGNED-V3: while it runs there is nothing to compare. */
function finalKwh(session: Session): number | undefined {
  const isOver = session.state === 'completed' || session.state === 'failed'
  return isOver ? session.energyMilliWh / 1e6 : undefined
}

/** Stations of 2.0.1 give texts, which the transparency software does not take: one session is one transaction. */
function transactionNumber({ transactionId = '' }: Session): string {
  return /^\d{1,18}$/.test(transactionId) ? transactionId : '1'
}
