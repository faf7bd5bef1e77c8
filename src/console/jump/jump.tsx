/** From a name to what it names: what is exactly one thing is gone to at once, else what is like it is shown. */

import { z } from '@hono/zod-openapi'
import type { Child, FC } from 'hono/jsx'
import { countChargePoints, findChargePoints } from '../../application/charge-points/find.ts'
import { readLabel } from '../../application/charge-points/register.ts'
import { isSite } from '../../application/sites/sites.ts'
import { keepPreference, preferencesOf } from '../../application/users/preferences.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { type TextRule, textFault } from '../../domain/typed-text.ts'
import { RESETS } from '../../ocpp/orders/usual-commands.ts'
import { Page } from '../../web/entries.tsx'
import { NAVIGATION, OWN } from '../../web/navigation.ts'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { renderPage, seeOther } from '../../web/respond.tsx'
import { textsOf } from '../../web/texts.ts'
import { shownPlace } from '../charge-points/connector.tsx'
import { legalAt, protocolOf } from '../commands/command-page.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { refusedAs } from '../history/history.tsx'
import { Way } from '../kit/list.tsx'
import { wordsIn } from '../kit/parts.tsx'
import {
  askOrderPath,
  cardPath,
  chargePointPath,
  type Narrowing,
  newChargePointPath,
  queryText,
  sessionPath,
  sitePath,
} from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'
import { answering, mayAct, type Visit } from '../visit.tsx'

/** What a user opened by the jump, the latest first (CONSOLE-J4). */
export const RECENT = 'recently opened'
const KINDS = ['station', 'session', 'card', 'site'] as const
const OPENED = z.object({ kind: z.enum(KINDS), id: z.string().max(255) })
type Opened = Readonly<z.infer<typeof OPENED>>

export function recentOf(kept: unknown): readonly Opened[] {
  const opened = Array.isArray(kept) ? kept.flatMap((one) => OPENED.safeParse(one).data ?? []) : []
  return opened.slice(0, MOST)
}

export function withOpened(before: readonly Opened[], { kind, id }: Opened): readonly Opened[] {
  return [{ kind, id }, ...before.filter((one) => one.kind !== kind || one.id !== id)].slice(0, MOST)
}

const MOST = 10
/** For one more, it is not said which charge point is meant. */
const MAX_ORDERED = 5
/** As long as the longest name of anything; nothing has invisible characters in it (CONSOLE-J2). */
const ASKED: TextRule = { most: 255 }

interface Found extends Opened {
  readonly path: string
  readonly match: Match
}

export const jump: ConsolePage = answering('see', async (visit) => {
  const { searchParams } = new URL(visit.context.req.url)
  for (const kind of KINDS) {
    const id = searchParams.get(kind)
    if (id !== null) return open(visit, await find(visit, { kind, id }))
  }
  const requested = (searchParams.get('q') ?? '').trim()
  if (requested === '') return show(visit, requested, await recentGroups(visit))
  if (textFault(requested, ASKED)) return show(visit, undefined, [])
  const exact = await exactly(visit, requested)
  return exact ? open(visit, exact) : show(visit, requested, await matchesOf(visit, requested))
})

function show(visit: Visit, requested: string | undefined, groups: readonly Group[]): Response {
  const page = <JumpPage visit={visit} requested={requested} groups={groups} />
  return renderPage(visit.site, visit.context, page, { live: true })
}

/** Undefined for what is not there and for what is another account's. */
async function find(visit: Visit, { kind, id }: Opened): Promise<Found | undefined> {
  const { accountId, frame } = visit
  const { reads } = visit.site
  if (textFault(id, ASKED)) return undefined
  if (kind === 'station') {
    const view = await reads.findChargePoint(id)
    if (view?.accountId !== accountId) return undefined
    return { kind, id: view.id, path: chargePointPath(frame, view.id), match: stationMatch(visit, view) }
  }
  if (kind === 'session') {
    const session = await reads.findSession(id)
    if (session?.accountId !== accountId) return undefined
    return { kind, id: session.id, path: sessionPath(frame, session.id), match: sessionMatch(visit, session) }
  }
  if (kind === 'site') {
    const isThere = id !== '' && (await isSite(reads, accountId, id))
    return isThere ? { kind, id, path: sitePath(frame, id), match: siteMatch(visit, id) } : undefined
  }
  const card = await reads.findIdToken(accountId, id)
  return card && { kind, id: card.id, path: cardPath(frame, card.id), match: cardMatch(visit, card) }
}

/** CONSOLE-J1. A number that several sessions have names none of them. */
async function exactly(visit: Visit, requested: string): Promise<Found | undefined> {
  for (const kind of KINDS) {
    const found = await find(visit, { kind, id: requested })
    if (found) return found
  }
  const like = await visit.site.reads.findSessionsNamed(visit.accountId, requested, 2)
  const [one, another] = like.filter(({ transactionId }) => transactionId === requested)
  return one && !another ? find(visit, { kind: 'session', id: one.id }) : undefined
}

/** What cannot be kept, as on a full disk, does not bar the way (CONSOLE-J4). */
async function open({ site, context, user }: Visit, found: Found | undefined): Promise<Response | undefined> {
  if (!found) return undefined
  const before = recentOf((await preferencesOf(site.reads, user.id)).get(RECENT))
  await keepPreference(site.writes, user.id, RECENT, withOpened(before, found)).catch(() => undefined)
  return seeOther(site, context, found.path)
}

async function recentGroups(visit: Visit): Promise<readonly Group[]> {
  const kept = recentOf((await preferencesOf(visit.site.reads, visit.user.id)).get(RECENT))
  const found = await Promise.all(kept.map((one) => find(visit, one)))
  const matches = found.flatMap((one) => (one ? [one.match] : []))
  return matches.length > 0 ? [{ title: wordsIn('jump', visit.frame).recent, matches }] : []
}

type JumpPageProps = { visit: Visit; requested: string | undefined; groups: readonly Group[] }

const JumpPage: FC<JumpPageProps> = ({ visit: { frame }, requested, groups }) => {
  const words = wordsIn('jump', frame)
  return (
    <Page frame={frame} title={words.title}>
      {requested === undefined || requested === '' ? (
        <h1>{words.title}</h1>
      ) : (
        <h1>
          {words.found} <bdi class="host">{requested}</bdi>
        </h1>
      )}
      {groups.length === 0 && <p class="card">{requested === '' ? words.noneRecent : words.none}</p>}
      {groups.map(({ title, matches, all }) => (
        <TableCard
          heading={title}
          rows={matches}
          columns={[
            { heads: true, cell: ({ to, text }) => <TextLink to={to} text={text} /> },
            { cell: ({ said }) => said },
          ]}
          after={all && <Way to={all} text={words.all} />}
        />
      ))}
      <p class="soft small">{words.hint}</p>
    </Page>
  )
}

/** What is like a text, by group (CONSOLE-J2): each group is one bounded question. */
interface Match {
  readonly to: string
  readonly text: string
  readonly said?: Child | undefined
}

interface Group {
  readonly title: string
  readonly matches: readonly Match[]
  readonly all?: string | undefined
}

async function matchesOf(visit: Visit, requested: string): Promise<readonly Group[]> {
  const { frame, site, accountId } = visit
  const { texts, root } = frame
  const words = wordsIn('jump', frame)
  /** @param found one more than is shown, where the list at `path` has more */
  const groupOf = <One,>(found: readonly One[], title: string, path: string, match: (one: One) => Match): Group => ({
    title,
    matches: found.slice(0, MOST).map(match),
    all: found.length > MOST ? path + queryText({ q: requested }) : undefined,
  })
  const [stations, refused, sessions, cards, sites, labels, actions] = await Promise.all([
    stationsLike(visit, requested, MOST + 1),
    refusedLike(visit, requested),
    site.reads.findSessionsNamed(accountId, requested, MOST),
    site.reads.listIdTokens(accountId, { limit: MOST + 1 }, requested),
    site.reads.listSitesLike(accountId, requested, MOST + 1),
    labelled(visit, requested),
    actionsOf(visit, requested),
  ])
  const groups: readonly Group[] = [
    { title: words.actions, matches: actions },
    groupOf(stations, texts.stations, `${root}/charge-points`, (view) => stationMatch(visit, view)),
    { title: words.refused, matches: refused },
    { title: texts.sessions, matches: sessions.map((session) => sessionMatch(visit, session)) },
    groupOf(cards, texts.idTokens, `${root}/id-tokens`, (card) => cardMatch(visit, card)),
    groupOf(sites, texts.sites, `${root}/sites`, (one) => siteMatch(visit, one)),
    { title: words.labels, matches: labels },
    { title: words.pages, matches: pagesOf(visit, requested) },
  ]
  return groups.filter(({ matches }) => matches.length > 0)
}

function openPath({ frame: { root } }: Visit, { kind, id }: Opened): string {
  return `${root}/jump${queryText({ [kind]: id })}`
}

function stationMatch(visit: Visit, { id, name, status }: ChargePointView): Match {
  const said = [name, status.serialNumber].filter((one) => one !== undefined && one !== '')
  return { to: openPath(visit, { kind: 'station', id }), text: id, said: said.map(isolated) }
}

function sessionMatch(visit: Visit, { id, chargePointId, transactionId, state }: Session): Match {
  const { frame } = visit
  const of = transactionId === undefined ? [] : [wordsIn('jump', frame).transaction(transactionId)]
  return {
    to: openPath(visit, { kind: 'session', id }),
    text: id,
    said: [<StateChip frame={frame} state={state} />, [chargePointId, ...of].map(isolated)],
  }
}

function cardMatch(visit: Visit, { id, status }: IdToken): Match {
  const said = wordsIn('idTokens', visit.frame).statuses[status]
  return { to: openPath(visit, { kind: 'card', id }), text: id, said }
}

function siteMatch(visit: Visit, site: string): Match {
  return { to: openPath(visit, { kind: 'site', id: site }), text: site, said: wordsIn('jump', visit.frame).site }
}

const isolated = (text: string | undefined): Child => (
  <>
    {' '}
    <bdi>{text}</bdi>
  </>
)

async function stationsLike(
  { site: { reads, core }, accountId }: Visit,
  q: string,
  limit: number,
): Promise<readonly ChargePointView[]> {
  const found = await findChargePoints({ reads, core }, { q }, { accountId, sort: 'id', limit })
  return found.map(({ view }) => view)
}

/** A station that is refused as unregistered is found by users who may register it. */
async function refusedLike(visit: Visit, requested: string): Promise<readonly Match[]> {
  const { site, accountId, frame } = visit
  if (!mayAct(visit)) return []
  const ids = await refusedAs(site.reads, accountId, site.now(), requested)
  const found = await Promise.all(ids.map(async (id) => ((await site.reads.findChargePoint(id)) ? [] : [id])))
  return found.flat().map((id) => ({ to: newChargePointPath(frame, id), text: id, said: wordsIn('jump', frame).addIt }))
}

async function labelled(visit: Visit, requested: string): Promise<readonly Match[]> {
  const { accountId, frame } = visit
  const label = readLabel(requested)
  const count = label ? await countChargePoints(visit.site, accountId, { labels: [label] }) : 0
  if (count === 0) return []
  const to = `${frame.root}/charge-points${queryText({ label: requested })}`
  return [{ to, text: requested, said: wordsIn('jump', frame).labelled(count) }]
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

async function actionsOf(visit: Visit, requested: string): Promise<readonly Match[]> {
  const typed = mayAct(visit) ? readOrder(requested) : undefined
  if (!typed) return []
  const { of, number } = await ordered(visit, typed)
  const live = of.length > 0 ? await visit.site.core.connectivity(of.map(({ id }) => id)) : []
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

async function ordered(visit: Visit, { order, of }: TypedOrder): Promise<Ordered> {
  const exact = await visit.site.reads.findChargePoint(of)
  if (exact?.accountId === visit.accountId) return { of: [exact] }
  const like = await stationsLike(visit, of, MAX_ORDERED)
  const [, id, number] = /^(.*\S)\s+(\d{1,3})$/.exec(of) ?? []
  if (like.length > 0 || id === undefined || order !== 'unlock') return { of: like }
  return { of: (await ordered(visit, { order: 'reset', of: id })).of, number }
}

function offersOf(
  { frame }: Visit,
  { order }: TypedOrder,
  station: Parameters<typeof legalAt>[0],
  number: string | undefined,
): readonly Match[] {
  const { id, registrationStatus, connectors } = station.view
  const words = wordsIn('chargePoints', frame)
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
    const [names, also] = [wordsIn('chargePoints', { language }), Object.entries(wordsIn('jump', { language }).also)]
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
