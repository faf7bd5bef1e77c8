import type { FC } from 'hono/jsx'
import { RESETS, TRIGGERS, type UsualOrder } from '../../application/charge-points/usual-commands.ts'
import type { Protocol } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ConnectorView } from '../../domain/ports/storage.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { Sealed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import type { ShownChargePoint } from '../charge-points/charge-points-page.tsx'
import { ConnectorFault, StatusChip, shownPlace } from '../charge-points/connector.tsx'
import { Decision } from '../charge-points/decision.tsx'
import { type ChargePointTexts, chargePointTexts } from '../charge-points/texts.ts'
import { chargePointPath, sessionPath } from '../paths.ts'
import { StateChip, shownEnergy } from '../shown-figures.tsx'
import { legalAt, protocolOf } from './legal.ts'

/** What a form of orders carries; absent where nobody may act. */
export interface Orders {
  readonly csrf: string
  /** For the decision about a charge point that waits for it. */
  readonly decision: string
  readonly nameOnce: (form: string) => string
}

interface Props {
  readonly frame: Frame
  readonly chargePoint: ShownChargePoint
  readonly open: readonly Session[]
  readonly orders?: Orders
}

/** The connectors as they stand, with what is legal at each of them now. */
export const Outlets: FC<Props> = ({ frame, chargePoint, open, orders }) => {
  const words = chargePointTexts(frame)
  const { connectors } = chargePoint.view
  return (
    <section class="card">
      <h2>{words.connectors}</h2>
      {connectors.length === 0 && <p class="soft">{words.noConnectors}</p>}
      {connectors.map((connector) => (
        <Outlet frame={frame} chargePoint={chargePoint} open={open} connector={connector} {...(orders && { orders })} />
      ))}
    </section>
  )
}

const Outlet: FC<Props & { connector: ConnectorView }> = ({ frame, chargePoint, open, orders, connector }) => {
  const words = chargePointTexts(frame)
  const { start, session, unlock, takeOut, putBack } = legalAt(chargePoint, connector, open)
  const online = chargePoint.live?.online ?? false
  const isStation = connector.connectorId === 0 && connector.evseId === undefined
  const props = { frame, id: chargePoint.view.id, connector }
  return (
    <div class="outlet" data-connector={shownPlace(connector)}>
      <div>
        <strong>{isStation ? words.station : `${words.connector} ${shownPlace(connector)}`}</strong>{' '}
        <StatusChip connector={connector} online={online} /> <ConnectorFault frame={frame} connector={connector} />
      </div>
      {session && (
        <div>
          <a href={sessionPath(frame, session.id)}>{words.session}</a> <StateChip frame={frame} state={session.state} />{' '}
          {shownEnergy(representSession(session))}
        </div>
      )}
      {orders && (
        <div class="buttons">
          {session && (
            <form method="post" action={`${chargePointPath(frame, props.id)}/stop`}>
              <Hidden orders={orders} form={`stop ${session.id}`} />
              <input type="hidden" name="session" value={session.id} />
              <button class="danger" type="submit">
                {words.stop}
              </button>
            </form>
          )}
          {unlock && <PlaceButton {...props} orders={orders} order="unlock" text={words.unlock} />}
          {takeOut && <PlaceButton {...props} orders={orders} order="inoperative" text={words.inoperative} />}
          {putBack && <PlaceButton {...props} orders={orders} order="operative" text={words.operative} />}
        </div>
      )}
      {orders && start && <StartForm {...props} orders={orders} online={online} />}
    </div>
  )
}

const Hidden: FC<{ orders: Orders; form: string }> = ({ orders, form }) => (
  <>
    <Sealed csrf={orders.csrf} once={orders.nameOnce(form)} />
  </>
)

const Place: FC<{ connector: ConnectorView }> = ({ connector: { evseId, connectorId } }) => (
  <>
    {evseId !== undefined && <input type="hidden" name="evseId" value={evseId} />}
    <input type="hidden" name="connectorId" value={connectorId} />
  </>
)

const PlaceButton: FC<{
  frame: Frame
  id: string
  connector: ConnectorView
  orders: Orders
  order: UsualOrder
  text: string
}> = ({ frame, id, connector, orders, order, text }) => (
  <form method="post" action={`${chargePointPath(frame, id)}/orders`}>
    <Hidden orders={orders} form={`${order} ${shownPlace(connector)}`} />
    <Place connector={connector} />
    <button type="submit" name="order" value={order}>
      {text}
    </button>
  </form>
)

const START_WAITS = [30, 60]

const StartForm: FC<{ frame: Frame; id: string; connector: ConnectorView; orders: Orders; online: boolean }> = ({
  frame,
  id,
  connector,
  orders,
  online,
}) => {
  const words = chargePointTexts(frame)
  return (
    <details>
      <summary>{words.start}</summary>
      <form method="post" action={`${chargePointPath(frame, id)}/start`}>
        <Hidden orders={orders} form={`start ${shownPlace(connector)}`} />
        <Place connector={connector} />
        <label class="field">
          <span>{words.card}</span>
          <input name="idToken" maxlength={36} autocomplete="off" autocapitalize="none" />
        </label>
        <label class="field">
          <span>{words.reference}</span>
          <input name="externalReference" maxlength={255} autocomplete="off" />
        </label>
        {!online && (
          <label class="field">
            <span>{words.wait}</span>
            <select name="ttl">
              {START_WAITS.map((count) => (
                <option value={count}>{words.seconds(count)}</option>
              ))}
            </select>
          </label>
        )}
        <div class="field">
          <button class="main" type="submit">
            {words.start}
          </button>
        </div>
      </form>
      <p class="soft">
        {words.startLead} {!online && words.waitHint}
      </p>
    </details>
  )
}

/** What the station as a whole may be told. */
export const StationOrders: FC<{ frame: Frame; chargePoint: ShownChargePoint; orders: Orders }> = ({
  frame,
  chargePoint,
  orders,
}) => {
  const words = chargePointTexts(frame)
  const { id, registrationStatus } = chargePoint.view
  const path = chargePointPath(frame, id)
  const protocol = protocolOf(chargePoint)
  return (
    <section class="card">
      <h2>{words.acts}</h2>
      {registrationStatus === 'Pending' && (
        <Decision frame={frame} view={chargePoint.view} csrf={orders.decision} at="its page" />
      )}
      {protocol === undefined && <p class="soft">{words.never}</p>}
      {protocol !== undefined && registrationStatus !== 'Rejected' && (
        <div class="buttons">
          {registrationStatus === 'Accepted' && (
            <Restarts path={path} words={words} protocol={protocol} orders={orders} />
          )}
          <form class="inline" method="post" action={`${path}/orders`}>
            <Hidden orders={orders} form="trigger" />
            <select name="value" aria-label={words.trigger}>
              {TRIGGERS[protocol].map((message) => (
                <option value={message}>{message}</option>
              ))}
            </select>
            <button type="submit" name="order" value="trigger">
              {words.trigger}
            </button>
          </form>
          <a href={`${path}/command`}>{words.anyCommand}</a>
        </div>
      )}
      <p class="filters">
        <a href={`${path}/edit`}>{words.edit}</a>
        <a href={`${path}/delete`}>{words.delete}</a>
      </p>
    </section>
  )
}

/** What a charge point is not sent while it waits for approval (SESSION-O4). */
const Restarts: FC<{ path: string; words: ChargePointTexts; protocol: Protocol; orders: Orders }> = ({
  path,
  words,
  protocol,
  orders,
}) => (
  <>
    {RESETS[protocol].map((kind) => (
      <form method="post" action={`${path}/orders`}>
        <Hidden orders={orders} form={`reset ${kind}`} />
        <input type="hidden" name="value" value={kind} />
        <button class="danger" type="submit" name="order" value="reset">
          {words.reset} ({words.resets[kind] ?? kind})
        </button>
      </form>
    ))}
    <form method="post" action={`${path}/orders`}>
      <Hidden orders={orders} form="clear cache" />
      <button type="submit" name="order" value="clearCache">
        {words.clearCache}
      </button>
    </form>
  </>
)
