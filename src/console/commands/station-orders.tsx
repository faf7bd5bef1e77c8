import type { FC } from 'hono/jsx'
import { answerIs, isOnlyAsked, orderIs } from '../../application/audit/auditing.ts'
import { inDetail, orderWords, placeWords } from '../../application/charge-points/order-words.ts'
import { check } from '../../application/check-schema.ts'
import { ChargeLimitsSchema, readLimits } from '../../application/schemas/charge-limits.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, Command, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import { ID_TOKEN, REFERENCE, type TextRule, textFault } from '../../domain/typed-text.ts'
import { DANGEROUS, DEFAULT_ORDERS, type OrderTarget, RESETS, usualCommand } from '../../ocpp/orders/usual-commands.ts'
import { answerOutcome, answerWords, type Verdict, verdictOf } from '../../ocpp/orders/verdict.ts'
import type { OutgoingCall } from '../../ocpp/translate/payload.ts'
import { type Frame, Page, Warning } from '../../web/entries.tsx'
import { typedLimits } from '../charge-limits/charge-limits.tsx'
import { actingOnStation, actionOf, ownChargePoint, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import type { ConsolePage } from '../console-parts.ts'
import { Way } from '../kit/list.tsx'
import { Chip, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { ConfirmPage } from '../kit/rows.tsx'
import { translated } from '../kit/translated.ts'
import { chargePointPath, messagePath, sessionPath } from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'
import { type Done, type Shown, showing, type Visit } from '../visit.tsx'
import { commandPage, readRequest, requestFields, versionOf } from './command-page.tsx'
import { START_WAITS, WaitChoice } from './outlets.tsx'

/** A station answers within a second; a later answer appears on the page. */
const WAIT_MS = 3000
const MAX_TTL_SECONDS = 86_400

export const startCharge: ConsolePage = actingOnStation(async (visit, view, form) => {
  const place = placeOf(form)
  const [idToken, externalReference] = ['idToken', 'externalReference'].map((name) => (form.get(name) ?? '').trim())
  const ttl = ttlOf(form)
  const asked = typedLimits(form)
  const limits = asked && check(ChargeLimitsSchema, asked)
  const refusal = [
    place === undefined && refuseFault('/connectorId', 'invalid_value', 'must be a number of a connector'),
    unusable('idToken', idToken, ID_TOKEN),
    unusable('externalReference', externalReference, REFERENCE),
    limits && !limits.ok && refuseFaults(limits.faults),
  ].find((one) => one !== false && one !== undefined)
  if (refusal || !place) return refused(visit, view, refusal || noSuch('connector'))
  orderIs(inDetail('Start', placeWords(place.evseId, place.connectorId)))
  const session = await visit.site.core.startSession({
    accountId: visit.accountId,
    chargePointId: view.id,
    ...outletOf(place),
    ...(idToken && { idToken }),
    ...(externalReference && { externalReference }),
    ...(ttl !== undefined && { ttlMs: ttl * 1000 }),
    ...(limits?.ok && { limits: readLimits(limits.value) }),
  })
  if (!('refused' in session)) {
    answerIs(`session ${session.id}`)
    return `${pathOf(view.id)}?session=${encodeURIComponent(session.id)}#answer`
  }
  const isAway = session.code === 'charge_point_offline' && ttl === undefined
  return isAway
    ? offline(visit, view, form, { step: 'start', what: 'Start', waits: START_WAITS })
    : refused(visit, view, session)
})

/** Pressed twice or by two it is one call to the station (SESSION-S10). */
export const stopCharge: ConsolePage = actingOnStation(async (visit, view, form) => {
  const known = await visit.site.reads.findSession(form.get('session') ?? '')
  if (known?.accountId !== visit.accountId || known.chargePointId !== view.id) return noSuch('session')
  const { evseId, connectorId } = known
  if (form.get('confirmed') !== 'yes')
    return ask(visit, view, form, { step: 'stop', what: wordsIn('chargePoints', visit.frame).stop })
  orderIs(inDetail('Stop', placeWords(evseId, connectorId), `session ${known.id}`))
  const session = await visit.site.core.stopSession(visit.accountId, known.id)
  if ('refused' in session) return refused(visit, view, session)
  return `${pathOf(view.id)}?session=${encodeURIComponent(session.id)}#answer`
})

export const orderUsual: ConsolePage = actingOnStation(async (visit, view, form) => {
  const order = DEFAULT_ORDERS.find((one) => one === form.get('order'))
  const place = placeOf(form)
  if (!order) return refused(visit, view, refuseFault('/order', 'invalid_value', `must be one of ${DEFAULT_ORDERS}`))
  if (!place) return refused(visit, view, refuseFault('/connectorId', 'invalid_value', 'must be a number'))
  const found = await versionOf(visit.site, view)
  if ('refused' in found) return refused(visit, view, found)
  const call = usualCommand(found.protocol, order, place, form.get('value') ?? '')
  return send(visit, { view, online: found.online, form, step: 'orders', call })
})

/** The question that a link to an order opens: only its answer orders anything (CONSOLE-J3). */
export const askUsual: ConsolePage = showing('operate', async (visit) => {
  const { searchParams } = new URL(visit.context.req.url)
  const view = await ownChargePoint(visit)
  const order = DEFAULT_ORDERS.find((one) => one === searchParams.get('order'))
  const place = placeOf(searchParams)
  if (!view || !order || !place) return undefined
  const found = await versionOf(visit.site, view)
  if ('refused' in found) return refused(visit, view, found)
  // A link need not know the version: the gentle one is meant.
  if (order === 'reset' && !searchParams.get('value')) searchParams.set('value', RESETS[found.protocol][0] ?? '')
  const { method } = usualCommand(found.protocol, order, place, searchParams.get('value') ?? '')
  const chosen = ORDER_FIELDS.flatMap((name) =>
    searchParams.getAll(name).map((value): [string, string] => [name, value]),
  )
  const form = new URLSearchParams([['csrf', visit.csrf(actionOf(visit.context))], ...chosen])
  return questionPage(visit, view, form, { step: 'orders', what: nameOf(visit, form, method) })
})

const ORDER_FIELDS = ['order', 'value', 'evseId', 'connectorId'] as const

export const showCommand: ConsolePage = showingStation('operate', async (visit, view) =>
  commandPage(visit, view, new URL(visit.context.req.url).searchParams),
)

/** CONSOLE-A10: checked strictly before it is sent; what was typed stays. */
export const orderCommand: ConsolePage = actingOnStation(async (visit, view, form) => {
  const found = await versionOf(visit.site, view)
  if ('refused' in found) return refused(visit, view, found)
  const method = form.get('method') ?? ''
  if (!requestFields(found.protocol, method)) {
    return refused(visit, view, refuseFault('/method', 'unsupported_method', `is no command of ${found.protocol}`))
  }
  const { request, faults } = readRequest(found.protocol, method, form)
  if (faults.length > 0) return { page: await commandPage(visit, view, form, faults), status: 400 }
  return send(visit, { view, online: found.online, form, step: 'command', call: { method, request } })
})

interface Sending {
  readonly view: ChargePointView
  readonly online: boolean
  readonly form: URLSearchParams
  readonly step: 'orders' | 'command'
  readonly call: OutgoingCall
}

async function send(visit: Visit, sending: Sending): Promise<Done> {
  const { view, online, form, step, call } = sending
  const { method, request } = call
  const ttl = ttlOf(form)
  const what = nameOf(visit, form, method)
  if (!online && ttl === undefined) return offline(visit, view, form, { step, what, waits: [60, 600, 3600] })
  if (DANGEROUS.has(method) && form.get('confirmed') !== 'yes') return ask(visit, view, form, { step, what })
  orderIs(orderWords(method, request))
  const row = await visit.site.core.sendCommand({
    accountId: visit.accountId,
    chargePointId: view.id,
    method,
    request,
    waitMs: online ? WAIT_MS : 0,
    ...(ttl !== undefined && { ttlMs: ttl * 1000 }),
  })
  if ('refused' in row) return refused(visit, view, row)
  answerIs(answerWords(row), answerOutcome(row))
  return `${pathOf(view.id)}?answer=${logIdToUuid(row.id, visit.site.salt)}#answer`
}

function nameOf({ frame }: Visit, form: URLSearchParams, method: string): string {
  const words = wordsIn('chargePoints', frame)
  const order = DEFAULT_ORDERS.find((one) => one === form.get('order'))
  if (!order) return method
  const [kind = '', connector = ''] = [form.get('value') ?? '', form.get('connectorId') ?? '']
  const at = connector === '' ? '' : `${words.connectorTitle} ${connector}`
  const said = [words.resets[kind] ?? kind, at].filter(Boolean).join(', ')
  return said === '' ? words[order] : `${words[order]} (${said})`
}

interface Question {
  readonly step: string
  readonly what: string
  /** Of one that is offline: how many seconds there are to wait. */
  readonly waits?: readonly number[]
}

function offline(visit: Visit, view: ChargePointView, form: URLSearchParams, question: Question): Shown {
  isOnlyAsked()
  return { page: questionPage(visit, view, form, question), status: 409 }
}

/** CONSOLE-A12: once, and never for what harms no one. */
function ask(visit: Visit, view: ChargePointView, form: URLSearchParams, question: Question): Shown {
  isOnlyAsked()
  return { page: questionPage(visit, view, form, question), status: 200 }
}

function questionPage(visit: Visit, { id }: ChargePointView, form: URLSearchParams, { step, what, waits }: Question) {
  const words = wordsIn('chargePoints', visit.frame)
  const back = chargePointPath(visit.frame, id)
  const sent = [...[...form].filter(([name]) => name !== 'once'), ['once', visit.once()] as const]
  const question = { visit, sent, back, to: `${back}/${step}` }
  if (waits) {
    const lead = words.offlineLead(what)
    return (
      <ConfirmPage {...question} title={words.offlineTitle} lead={lead} button={words.wait} harmless>
        <WaitChoice words={words} waits={waits} />
      </ConfirmPage>
    )
  }
  return (
    <ConfirmPage
      {...question}
      title={what}
      name={id}
      lead={form.get('value') === 'OnIdle' ? words.whenIdle : words.interrupts}
      button={words.orderOf(what, id)}
      says={{ name: 'confirmed', value: 'yes' }}
    />
  )
}

function refused({ frame }: Visit, { id }: ChargePointView, { status, detail }: Refusal): Shown {
  const words = wordsIn('chargePoints', frame)
  const page = (
    <Page frame={frame} title={words.refusedBy} narrow>
      <div class="card answer bad">
        <h1>{words.notSent}</h1>
        <Warning>{translated(frame, detail)}</Warning>
        <Way to={chargePointPath(frame, id)} text={words.goOn} />
      </div>
    </Page>
  )
  return { page, status: status === 403 ? 409 : status }
}

function placeOf(form: URLSearchParams): OrderTarget | undefined {
  const place: { evseId?: number | undefined; connectorId?: number | undefined } = {}
  for (const name of ['evseId', 'connectorId'] as const) {
    const text = form.get(name) ?? ''
    if (text !== '' && !/^\d{1,9}$/.test(text)) return undefined
    if (text !== '') place[name] = Number(text)
  }
  return place
}

function outletOf({ evseId, connectorId }: OrderTarget): OrderTarget {
  if (evseId !== undefined) return { evseId }
  return connectorId === undefined || connectorId === 0 ? {} : { connectorId }
}

function ttlOf(form: URLSearchParams): number | undefined {
  const text = form.get('ttl') ?? ''
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return seconds > 0 && seconds <= MAX_TTL_SECONDS ? seconds : undefined
}

function unusable(name: string, text: string | undefined, rule: TextRule): Refusal | undefined {
  const fault = text ? textFault(text, rule) : undefined
  return fault && refuseFault(`/${name}`, fault.code, fault.message)
}

/** CONSOLE-A12: the outcome of an order, accepted green, rejected red, each with its meaning. */
export interface Ordered {
  readonly command?: Command
  readonly session?: Session
}

export const AnswerPanel: FC<{ frame: Frame; ordered: Ordered; salt: bigint }> = ({ frame, ordered, salt }) => (
  <>
    {ordered.command && <CommandAnswer frame={frame} command={ordered.command} salt={salt} />}
    {ordered.session && <SessionAnswer frame={frame} session={ordered.session} />}
  </>
)

const CommandAnswer: FC<{ frame: Frame; command: Command; salt: bigint }> = ({ frame, command, salt }) => {
  const words = wordsIn('chargePoints', frame)
  const { tone, status, said } = verdictOf(command)
  return (
    <section class={`card answer ${tone}`} id="answer" aria-label={words.answer}>
      <p role="status">
        <a href={messagePath(frame, command.chargePointId, logIdToUuid(command.id, salt))}>{command.method}</a>{' '}
        <Chip tone={tone} text={toneWord(words, tone)} /> {status !== undefined && <bdi>{status}</bdi>}
      </p>
      <p>{meaningOf(words, command, status)}</p>
      {said !== undefined && said !== '' && (
        <p class="soft">
          <bdi>{said}</bdi>
        </p>
      )}
    </section>
  )
}

function toneWord(words: PageTexts<'chargePoints'>, tone: Verdict['tone']): string {
  return { good: words.accepted, bad: words.refusedBy, '': words.waiting }[tone]
}

function meaningOf(
  { meanings }: PageTexts<'chargePoints'>,
  command: Command,
  status: string | undefined,
): string | undefined {
  if (command.status === 'error') return (status !== undefined && meanings[status]) || meanings.error
  return status === undefined ? meanings.Accepted : meanings[status]
}

const SessionAnswer: FC<{ frame: Frame; session: Session }> = ({ frame, session }) => {
  const words = wordsIn('chargePoints', frame)
  const tone = session.state === 'failed' ? 'bad' : session.state === 'pending' ? '' : 'good'
  return (
    <section class={`card answer ${tone}`} id="answer" aria-label={words.answer}>
      <p role="status">
        {session.stopRequestedAt === undefined ? words.startAsked : words.stopAsked}:{' '}
        <a href={sessionPath(frame, session.id)}>{words.session}</a> <StateChip frame={frame} state={session.state} />
      </p>
      {session.state === 'failed' && (
        <p>
          {words.meanings.failed} {session.endReason}
        </p>
      )}
    </section>
  )
}
