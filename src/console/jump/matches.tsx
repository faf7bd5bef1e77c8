/** What is like a text, by group (CONSOLE-J2): each group is one bounded question. */
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { Child } from 'hono/jsx'
import { countChargePoints, findChargePoints } from '../../application/charge-points/find.ts'
import { readLabel } from '../../application/charge-points/labels.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { RESETS } from '../../ocpp/orders/usual-commands.ts'
import { NAVIGATION, OWN } from '../../web/navigation.ts'
import { textsOf } from '../../web/texts.ts'
import { shownPlace } from '../charge-points/connector.tsx'
import { legalAt, protocolOf } from '../commands/legal.ts'
import type { OperatorContext } from '../console-parts.ts'
import { refusedAs } from '../history/history.ts'
import { cardTexts, chargePointTexts, jumpTexts } from '../kit/texts.ts'
import { askOrderPath, type Narrowing, newChargePointPath, queryText } from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import type { Opened } from './recent.ts'

export interface Match {
  readonly to: string
  readonly text: string
  readonly said?: Child | undefined
}

export interface Group {
  readonly title: string
  readonly matches: readonly Match[]
  readonly all?: string | undefined
}

const MOST = 10
/** For one more, it is not said which charge point is meant. */
const MAX_ORDERED = 5

export async function matchesOf(parts: OperatorContext, visit: Visit, requested: string): Promise<readonly Group[]> {
  const { frame, site, accountId } = visit
  const { texts, root } = frame
  const words = jumpTexts(frame)
  const [stations, refused, sessions, cards, sites, labels, actions] = await Promise.all([
    stationsLike(parts, visit, requested, MOST + 1),
    refusedLike(visit, requested),
    site.reads.findSessionsNamed(accountId, requested, MOST),
    site.reads.listIdTokens(accountId, { limit: MOST + 1 }, requested),
    site.reads.listSitesLike(accountId, requested, MOST + 1),
    labelled(parts, visit, requested),
    actionsOf(parts, visit, requested),
  ])
  const query = queryText({ q: requested })
  const groups: readonly Group[] = [
    { title: words.actions, matches: actions },
    {
      title: texts.stations,
      matches: stations.slice(0, MOST).map((view) => stationMatch(visit, view)),
      all: stations.length > MOST ? `${root}/charge-points${query}` : undefined,
    },
    { title: words.refused, matches: refused },
    { title: texts.sessions, matches: sessions.map((session) => sessionMatch(visit, session)) },
    {
      title: texts.idTokens,
      matches: cards.slice(0, MOST).map((card) => cardMatch(visit, card)),
      all: cards.length > MOST ? `${root}/id-tokens${query}` : undefined,
    },
    {
      title: texts.sites,
      matches: sites.slice(0, MOST).map((one) => siteMatch(visit, one)),
      all: sites.length > MOST ? `${root}/sites${query}` : undefined,
    },
    { title: words.labels, matches: labels },
    { title: words.pages, matches: pagesOf(visit, requested) },
  ]
  return groups.filter(({ matches }) => matches.length > 0)
}

function openPath({ frame: { root } }: Visit, { kind, id }: Opened): string {
  return `${root}/jump${queryText({ [kind]: id })}`
}

export function stationMatch(visit: Visit, { id, name, status }: ChargePointView): Match {
  const said = [name, status.serialNumber].filter((one) => one !== undefined && one !== '')
  return { to: openPath(visit, { kind: 'station', id }), text: id, said: said.map(isolated) }
}

export function sessionMatch(visit: Visit, { id, chargePointId, transactionId, state }: Session): Match {
  const { frame } = visit
  const of = transactionId === undefined ? [] : [jumpTexts(frame).transaction(transactionId)]
  return {
    to: openPath(visit, { kind: 'session', id }),
    text: id,
    said: [<StateChip frame={frame} state={state} />, [chargePointId, ...of].map(isolated)],
  }
}

export function cardMatch(visit: Visit, { id, status }: IdToken): Match {
  const said = cardTexts(visit.frame).statuses[status]
  return { to: openPath(visit, { kind: 'card', id }), text: id, said }
}

export function siteMatch(visit: Visit, site: string): Match {
  return { to: openPath(visit, { kind: 'site', id: site }), text: site, said: jumpTexts(visit.frame).site }
}

const isolated = (text: string | undefined): Child => (
  <>
    {' '}
    <bdi>{text}</bdi>
  </>
)

async function stationsLike(
  { core }: OperatorContext,
  { site: { reads }, accountId }: Visit,
  q: string,
  limit: number,
): Promise<readonly ChargePointView[]> {
  const found = await findChargePoints({ reads, core }, { q }, { accountId, sort: 'id', limit })
  return found.map(({ view }) => view)
}

/** Who is refused because nobody registered it is to be found all the same, by whoever may register it. */
async function refusedLike(visit: Visit, requested: string): Promise<readonly Match[]> {
  const { site, accountId, frame } = visit
  if (!mayAct(visit)) return []
  const ids = await refusedAs(site.reads, accountId, site.now(), requested)
  const found = await Promise.all(ids.map(async (id) => ((await site.reads.findChargePoint(id)) ? [] : [id])))
  return found.flat().map((id) => ({ to: newChargePointPath(frame, id), text: id, said: jumpTexts(frame).addIt }))
}

async function labelled({ core }: OperatorContext, visit: Visit, requested: string): Promise<readonly Match[]> {
  const { site, accountId, frame } = visit
  const label = readLabel(requested)
  const count = label ? await countChargePoints({ reads: site.reads, core }, accountId, { labels: [label] }) : 0
  if (count === 0) return []
  const to = `${frame.root}/charge-points${queryText({ label: requested })}`
  return [{ to, text: requested, said: jumpTexts(frame).labelled(count) }]
}

function pagesOf({ frame }: Visit, requested: string): readonly Match[] {
  const { visitor, root, texts } = frame
  const like = requested.toLowerCase()
  const both = [textsOf('en'), textsOf('de')]
  return [...NAVIGATION.flatMap(({ entries }) => entries), ...OWN]
    .filter(({ who, name }) => {
      const isSeen = who === 'anybody' || visitor?.[who] === true
      return isSeen && both.some((one) => one[name].toLowerCase().includes(like))
    })
    .slice(0, MOST)
    .map(({ path, name }) => ({ to: root + path || '/', text: texts[name] }))
}

async function actionsOf(parts: OperatorContext, visit: Visit, requested: string): Promise<readonly Match[]> {
  const typed = mayAct(visit) ? readOrder(requested) : undefined
  if (!typed) return []
  const { of, number } = await ordered(parts, visit, typed)
  const live = of.length > 0 ? await parts.core.connectivity(of.map(({ id }) => id)) : []
  return of
    .flatMap((view) => {
      const station = { view, live: live.find(({ chargePointId }) => chargePointId === view.id) }
      return offersOf(visit, typed, station, number)
    })
    .slice(0, MOST)
}

interface Ordered {
  readonly of: readonly ChargePointView[]
  readonly number?: string | undefined
}

async function ordered(parts: OperatorContext, visit: Visit, { order, of }: TypedOrder): Promise<Ordered> {
  const exact = await visit.site.reads.findChargePoint(of)
  if (exact?.accountId === visit.accountId) return { of: [exact] }
  const like = await stationsLike(parts, visit, of, MAX_ORDERED)
  const [, id, number] = /^(.*\S)\s+(\d{1,3})$/.exec(of) ?? []
  if (like.length > 0 || id === undefined || order !== 'unlock') return { of: like }
  return { of: (await ordered(parts, visit, { order: 'reset', of: id })).of, number }
}

function offersOf(
  { frame }: Visit,
  { order }: TypedOrder,
  station: Parameters<typeof legalAt>[0],
  number: string | undefined,
): readonly Match[] {
  const { id, registrationStatus, connectors } = station.view
  const words = chargePointTexts(frame)
  const protocol = protocolOf(station)
  if (!protocol || registrationStatus !== 'Accepted') return []
  const offer = (more: Narrowing, kind?: string): Match => ({
    to: askOrderPath(frame, id, { order, ...more }),
    text: kind === undefined ? words[order] : `${words[order]} (${kind})`,
    said: isolated(id),
  })
  if (order === 'reset') return RESETS[protocol].map((value) => offer({ value }, words.resets[value] ?? value))
  if (order !== 'unlock') return [offer({})]
  return connectors
    .filter((connector) => legalAt(station, connector, []).unlock)
    .filter(({ evseId, connectorId }) => number === undefined || String(evseId ?? connectorId) === number)
    .map((connector) => {
      const { evseId, connectorId } = connector
      const place = { ...(evseId !== undefined && { evseId: String(evseId) }), connectorId: String(connectorId) }
      return offer(place, `${words.connectorTitle} ${shownPlace(connector)}`)
    })
}

/** Orders as people type them, such as “reset EV-001” or “EV-001 neu starten” (CONSOLE-J3). */
const ORDERS = ['reset', 'unlock', 'inoperative', 'operative', 'clearCache'] as const

interface TypedOrder {
  readonly order: (typeof ORDERS)[number]
  readonly of: string
}

const VERBS: readonly (readonly [verb: string, order: TypedOrder['order']])[] = (['en', 'de'] as const).flatMap(
  (language) => {
    const [names, also] = [chargePointTexts({ language }), Object.entries(jumpTexts({ language }).also)]
    return ORDERS.flatMap((order) =>
      [names[order], ...also.filter(([of]) => of === order).map(([, verb]) => verb)].map(
        (verb) => [verb.toLowerCase(), order] as const,
      ),
    )
  },
)

export function readOrder(typed: string): TypedOrder | undefined {
  const text = typed.toLowerCase()
  for (const [verb, order] of VERBS) {
    if (text.startsWith(`${verb} `)) return { order, of: typed.slice(verb.length).trim() }
    if (text.endsWith(` ${verb}`)) return { order, of: typed.slice(0, -verb.length).trim() }
  }
  return undefined
}
