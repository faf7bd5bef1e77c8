/** From a name to what it names: what is exactly one thing is gone to at once, else what is like it is shown. */

import type { FC } from 'hono/jsx'
import { isSite } from '../../application/sites/sites.ts'
import { keepPreference, preferencesOf } from '../../application/users/preferences.ts'
import { type TextRule, textFault } from '../../domain/typed-text.ts'
import { Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { renderPage, seeOther } from '../../web/respond.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { Way } from '../kit/list.tsx'
import { jumpTexts } from '../kit/texts.ts'
import { cardPath, chargePointPath, sessionPath, sitePath } from '../paths.ts'
import { answering, type Visit } from '../visit.tsx'
import { cardMatch, type Group, type Match, matchesOf, sessionMatch, siteMatch, stationMatch } from './matches.tsx'
import { KINDS, type Opened, RECENT, recentOf, withOpened } from './recent.ts'

/** As long as the longest name of anything; nothing has invisible characters in it (CONSOLE-J2). */
const ASKED: TextRule = { most: 255 }

interface Found extends Opened {
  readonly path: string
  readonly match: Match
}

export function jump(parts: OperatorContext): ConsolePage {
  return answering('see', async (visit) => {
    const { searchParams } = new URL(visit.context.req.url)
    for (const kind of KINDS) {
      const id = searchParams.get(kind)
      if (id !== null) return open(visit, await find(visit, { kind, id }))
    }
    const requested = (searchParams.get('q') ?? '').trim()
    if (requested === '') return show(visit, requested, await recentGroups(visit))
    if (textFault(requested, ASKED)) return show(visit, undefined, [])
    const exact = await exactly(visit, requested)
    return exact ? open(visit, exact) : show(visit, requested, await matchesOf(parts, visit, requested))
  })
}

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
  return matches.length > 0 ? [{ title: jumpTexts(visit.frame).recent, matches }] : []
}

const JumpPage: FC<{ visit: Visit; requested: string | undefined; groups: readonly Group[] }> = ({
  visit: { frame },
  requested,
  groups,
}) => {
  const words = jumpTexts(frame)
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
