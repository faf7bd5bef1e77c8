/** Drops an application's waiting orders with its grant (OIDC-C13); their rows say that they were never sent. */
import type { DropCommandsOrder } from '../../domain/ports/core.ts'
import type { CoreContext } from '../context.ts'
import { UNSENT } from '../outbound/call-outcome.ts'
import { settle, watchExpiry } from '../outbound/outbound.ts'

/** @throws storage errors: the orders may then still be sent */
export async function dropCommands(
  context: CoreContext,
  { accountId, chargePointId, grantId }: DropCommandsOrder,
): Promise<void> {
  const { stations, engine } = context
  const station = stations.current(chargePointId) ?? (await stations.load(chargePointId))
  if (station?.chargePoint.accountId !== accountId) return
  const ended = station.outgoing.takeWaiting(
    ({ stored: { purpose } }) => purpose.kind === 'command' && purpose.grantId === grantId,
  )
  if (ended.length === 0) return
  for (const call of ended) settle(context, station, call, UNSENT)
  watchExpiry(context, station)
  // Jobs of one charge point are committed in order.
  await new Promise<void>((resolve, reject) => {
    engine.enqueue({
      stationId: chargePointId,
      committed: () => resolve(),
      failed: reject,
    })
  })
}
