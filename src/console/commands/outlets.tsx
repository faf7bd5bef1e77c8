import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ConnectorView } from '../../domain/ports/storage-records.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { RESETS, TRIGGERS } from '../../ocpp/orders/usual-commands.ts'
import { Action, Sealed } from '../../web/entries.tsx'
import { shownPower } from '../../web/figures.tsx'
import { ConnectorFault, StatusChip, shownPlace } from '../charge-points/connector.tsx'
import { DECISION, Decision } from '../charge-points/decision.tsx'
import { actionOn } from '../charge-points/own-charge-point.ts'
import type { ShownChargePoint } from '../charge-points/shown-charge-point.ts'
import { Way } from '../kit/list.tsx'
import { type PageTexts, wordsIn } from '../kit/parts.tsx'
import { Spark } from '../kit/spark.tsx'
import { chargePointPath, sessionPath } from '../paths.ts'
import { StateChip, shownEnergy } from '../shown-figures.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { legalAt, protocolOf } from './command-page.tsx'

interface Props {
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly open: readonly Session[]
}

export const Outlets: FC<Props> = (props) => {
  const words = wordsIn('chargePoints', props.visit.frame)
  const { connectors } = props.chargePoint.view
  return (
    <section aria-label={words.connectors}>
      {connectors.length === 0 && <p class="card soft">{words.noConnectors}</p>}
      <div class="outlets">
        {connectors.map((connector) => (
          <Outlet {...props} connector={connector} />
        ))}
      </div>
    </section>
  )
}

const Outlet: FC<Props & { connector: ConnectorView }> = ({ visit, chargePoint, open, connector }) => {
  const { frame } = visit
  const words = wordsIn('chargePoints', frame)
  const { id } = chargePoint.view
  const { start, session, unlock, takeOut, putBack } = legalAt(chargePoint, connector, open)
  const online = chargePoint.live?.online ?? false
  const isStation = connector.connectorId === 0 && connector.evseId === undefined
  const place = shownPlace(connector)
  const isBad = online && connector.status.toLowerCase() === 'faulted'
  const powerKw = session && chargePoint.drawn?.get(session.id)
  const orders = [
    unlock && (['unlock', words.unlock] as const),
    takeOut && (['inoperative', words.inoperative] as const),
    putBack && (['operative', words.operative] as const),
  ]
  return (
    <div class={`card outlet-card${isBad ? ' bad' : ''}`} data-connector={place}>
      <div class="top">
        <h2>{isStation ? words.stationTitle : `${words.connectorTitle} ${place}`}</h2>
        <StatusChip frame={frame} connector={connector} online={online} />
      </div>
      {powerKw !== undefined && <p class="big">{shownPower(frame, powerKw)}</p>}
      {session && <Spark label={words.powerLately} points={chargePoint.courses?.get(session.id) ?? []} />}
      <p class="small">
        <ConnectorFault frame={frame} connector={connector} />
      </p>
      {session && (
        <div>
          <a href={sessionPath(frame, session.id)}>{words.session}</a> <StateChip frame={frame} state={session.state} />{' '}
          {shownEnergy(frame, representSession(session))}
        </div>
      )}
      {mayAct(visit) && (
        <div class="buttons">
          {session && (
            <Order
              {...{ visit, id, step: 'stop', name: `stop ${session.id}`, text: `${words.stop}…`, style: 'danger' }}
              sent={{ session: session.id }}
            />
          )}
          {orders.map(
            (order) =>
              order && (
                <Order
                  {...{ visit, id, step: 'orders', name: `${order[0]} ${place}`, text: order[1] }}
                  sent={{ order: order[0], ...placeOf(connector) }}
                />
              ),
          )}
        </div>
      )}
      {mayAct(visit) && start && <StartForm visit={visit} id={id} connector={connector} online={online} />}
    </div>
  )
}

interface OrderProps {
  readonly visit: Visit
  readonly id: string
  readonly step: string
  readonly name: string
  readonly text: string
  readonly sent: Sent
  readonly style?: 'main' | 'danger' | undefined
}

type Sent = Readonly<Record<string, string>>

const Order: FC<OrderProps> = ({ visit, id, step, name, text, sent, style }) => (
  <Action
    {...{ text, style, to: `${chargePointPath(visit.frame, id)}/${step}`, csrf: visit.csrf(actionOn(id)) }}
    sent={{ once: visit.nameOnce(name), ...sent }}
  />
)

function placeOf({ evseId, connectorId }: ConnectorView): Sent {
  return { ...(evseId !== undefined && { evseId: String(evseId) }), connectorId: String(connectorId) }
}

export const START_WAITS = [30, 60]

type StartFormProps = { visit: Visit; id: string; connector: ConnectorView; online: boolean }

const StartForm: FC<StartFormProps> = ({ visit, id, connector, online }) => {
  const words = wordsIn('chargePoints', visit.frame)
  const limits = wordsIn('chargeLimits', visit.frame)
  const amounts = (['energyKwh', 'cost', 'minutes'] as const).map(
    (name) => [name, limits[name], 20, 'decimal'] as const,
  )
  const fields = [['idToken', words.card, 36], ['externalReference', words.reference, 255], ...amounts] as const
  return (
    <details>
      <summary>{words.start}</summary>
      <form method="post" action={`${chargePointPath(visit.frame, id)}/start`}>
        <Sealed csrf={visit.csrf(actionOn(id))} once={visit.nameOnce(`start ${shownPlace(connector)}`)} />
        {Object.entries(placeOf(connector)).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {fields.map(([name, label, maxlength, inputmode]) => (
          <label class="field">
            <span>{label}</span>
            <input {...{ name, maxlength, inputmode }} autocomplete="off" autocapitalize="none" />
          </label>
        ))}
        {!online && <WaitChoice words={words} waits={START_WAITS} />}
        <div class="field">
          <button class="main" type="submit">
            {words.start}
          </button>
        </div>
      </form>
      <p class="soft">
        {words.startLead} {limits.limitsLead} {limits.costHint} {!online && words.waitHint}
      </p>
    </details>
  )
}

export const WaitChoice: FC<{ words: PageTexts<'chargePoints'>; waits: readonly number[] }> = ({ words, waits }) => (
  <label class="field">
    <span>{words.wait}</span>
    <select name="ttl">
      {waits.map((count) => (
        <option value={count}>{words.seconds(count)}</option>
      ))}
    </select>
  </label>
)

/** Asks for confirmation before it is sent (CONSOLE-A12). */
export const MainOrder: FC<Omit<Props, 'open'>> = ({ visit, chargePoint }) => {
  const words = wordsIn('chargePoints', visit.frame)
  const protocol = protocolOf(chargePoint)
  const [kind] = protocol ? RESETS[protocol] : []
  if (kind === undefined || chargePoint.view.registrationStatus !== 'Accepted') return null
  const order = { visit, id: chargePoint.view.id, step: 'orders', name: 'main reset', text: `${words.reset}…` }
  return <Order {...order} sent={{ order: 'reset', value: kind }} style="main" />
}

export const StationOrders: FC<Omit<Props, 'open'>> = ({ visit, chargePoint }) => {
  const { frame, csrf, nameOnce } = visit
  const words = wordsIn('chargePoints', frame)
  const { id, registrationStatus } = chargePoint.view
  const path = chargePointPath(frame, id)
  const protocol = protocolOf(chargePoint)
  const order = { visit, id, step: 'orders' }
  return (
    <section class="card">
      <h2>{words.acts}</h2>
      {registrationStatus === 'Pending' && (
        <Decision frame={frame} view={chargePoint.view} csrf={csrf(DECISION)} at="its page" />
      )}
      {protocol === undefined && <p class="soft">{words.never}</p>}
      {protocol !== undefined && registrationStatus !== 'Rejected' && (
        <div class="buttons">
          {/* What a charge point is not sent while it waits for approval (SESSION-O4). */}
          {registrationStatus === 'Accepted' && (
            <>
              {RESETS[protocol].map((kind) => (
                <Order
                  {...{ ...order, name: `reset ${kind}`, sent: { order: 'reset', value: kind }, style: 'danger' }}
                  text={`${words.reset} (${words.resets[kind] ?? kind})`}
                />
              ))}
              <Order {...order} name="clear cache" text={words.clearCache} sent={{ order: 'clearCache' }} />
            </>
          )}
          <form class="inline" method="post" action={`${path}/orders`}>
            <Sealed csrf={csrf(actionOn(id))} once={nameOnce('trigger')} />
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
      <Way to={`${path}/edit`} text={words.edit} />
    </section>
  )
}
