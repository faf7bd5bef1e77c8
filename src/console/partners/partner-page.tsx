/** One partner: state, last contact, endpoints, and its exchanges in words (OCPI-A8). */
import type { FC } from 'hono/jsx'
import { canReplay } from '../../application/partners/orders.ts'
import type { Partner, PartnerExchange } from '../../domain/partners/records.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { agoLink, Chip, chip, Facts, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import type { Visit } from '../visit.tsx'

export const ACTION = 'partners'

type Words = PageTexts<'partners'>
type Tested = { readonly versions: readonly string[] } | { readonly fault: string }

export function pathOf({ root }: Pick<Frame, 'root'>, { partnerId }: Pick<Partner, 'partnerId'>): string {
  return `${root}/partners/${partnerId}`
}

export function stateChip(words: Words, { state }: Partner): readonly [tone: string, text: string] {
  const tones = { invited: 'held', registered: 'ok', suspended: 'bad held', removed: '' }
  return [tones[state], words.states[state]]
}

export function partiesOf({ roles }: Partner): string {
  return roles.map(({ role, countryCode, partyId }) => `${countryCode}-${partyId} (${role})`).join(', ')
}

export function partnerOf({ site, context, accountId }: Visit): Promise<Partner | undefined> {
  return site.reads.getRecord('partners', { accountId, partnerId: context.req.param('partnerId') ?? '' })
}

export async function exchangeOf(visit: Visit) {
  const { site, context, accountId } = visit
  const partner = await partnerOf(visit)
  if (!partner) return undefined
  const key = { accountId, partnerId: partner.partnerId, exchangeId: context.req.param('exchangeId') ?? '' }
  const exchange = await site.reads.getRecord('partner_exchanges', key)
  return exchange && { partner, exchange }
}

export async function showPartner(visit: Visit, tested?: Tested) {
  const { site, context, frame, accountId } = visit
  const partner = await partnerOf(visit)
  if (!partner) return undefined
  const { partnerId, name, version, versionsUrl, hubPartyId, endpoints, lastContactAt, tokensPulledAt } = partner
  const after = context.req.query('after')?.slice(0, 100)
  const found = await site.reads.listRecords('partner_exchanges', {
    where: { accountId, partnerId },
    newestFirst: true,
    limit: rowsAsked(frame),
    after: after === undefined ? undefined : { accountId, partnerId, exchangeId: after },
  })
  const { rows, last } = pageOfRows(found, frame)
  const words = wordsIn('partners', frame)
  const path = pathOf(frame, partner)
  const [tone, state] = stateChip(words, partner)
  return (
    <Page frame={frame} title={name} wide live>
      <Title text={<bdi>{name}</bdi>} up={[[`${frame.root}/partners`, frame.texts.partners]]} />
      {tested && (
        <p class="card" role="status">
          {'fault' in tested
            ? translated(frame, tested.fault)
            : words.testDone(tested.versions.join(', ').slice(0, 500) || words.noVersions)}
        </p>
      )}
      <section class="card">
        <Facts
          live="facts"
          facts={[
            [words.state, <Chip tone={tone} text={state} />],
            [words.lastContact, lastContactAt === undefined ? frame.texts.never : shownTime(frame, lastContactAt)],
            [words.version, version],
            [words.versionsUrl, versionsUrl],
            [words.parties, partiesOf(partner)],
            [words.hub, hubPartyId],
            [words.endpoints, endpoints.map(({ identifier }) => identifier).join(', ')],
            [words.tokensPulled, tokensPulledAt !== undefined && shownTime(frame, tokensPulledAt)],
          ]}
        />
        <Orders visit={visit} partner={partner} />
      </section>
      <h2>{words.exchanges}</h2>
      <div data-live="exchanges">
        <TableCard<PartnerExchange>
          label={words.exchanges}
          oneLine
          rows={rows}
          empty={words.noExchanges}
          columns={[
            agoLink(frame, words.time, ({ exchangeId, at }) => [`${path}/exchanges/${exchangeId}`, at]),
            { title: words.what, text: (exchange) => whatOf(words, exchange) },
            chip(words.outcome, (exchange) => outcomeChip(words, exchange), { width: 136 }),
            { title: words.reason, wideOnly: true, text: (exchange) => reasonOf(frame, exchange) },
          ]}
        />
        <Paging frame={frame} path={path} later={after !== undefined} next={last?.exchangeId} newestFirst />
      </div>
    </Page>
  )
}

const Orders: FC<{ visit: Visit; partner: Partner }> = ({ visit, partner }) => {
  const { frame } = visit
  const { state, versionsUrl } = partner
  const words = wordsIn('partners', frame)
  const path = pathOf(frame, partner)
  const csrf = visit.csrf(ACTION)
  if (state === 'removed') return <p class="soft">{words.isRemoved}</p>
  return (
    <div class="actions row">
      {versionsUrl !== undefined && <Action to={`${path}/test`} csrf={csrf} style="main" text={words.test} />}
      {state !== 'suspended' && (
        <Action
          to={`${path}/rotate`}
          csrf={csrf}
          text={state === 'registered' ? words.rotate : versionsUrl === undefined ? words.newToken : words.goOn}
        />
      )}
      {state === 'registered' && <Action to={`${path}/suspend`} csrf={csrf} text={words.suspend} />}
      {state === 'suspended' && <Action to={`${path}/resume`} csrf={csrf} text={words.resume} />}
      <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={words.withdrawAsk} text={words.withdraw} />
    </div>
  )
}

export async function showExchange(visit: Visit) {
  const { frame } = visit
  const found = await exchangeOf(visit)
  if (!found) return undefined
  const { partner, exchange } = found
  const words = wordsIn('partners', frame)
  const what = whatOf(words, exchange)
  const path = pathOf(frame, partner)
  const { exchangeId, at, method, url, status, statusCode, durationMs, attempt, request, response } = exchange
  return (
    <Page frame={frame} title={what} wide>
      <Title text={what} up={[[path, partner.name]]}>
        {canReplay(exchange) && partner.sealedToken !== undefined && (
          <Action to={`${path}/exchanges/${exchangeId}/replay`} csrf={visit.csrf(ACTION)} text={words.sendAgain} />
        )}
      </Title>
      <section class="card">
        <Facts
          facts={[
            [words.time, shownTime(frame, at)],
            [words.request, `${method} ${url}`],
            [words.outcome, outcomeChip(words, exchange)[1]],
            [words.reason, reasonOf(frame, exchange)],
            ['HTTP', status > 0 && status],
            ['OCPI', statusCode],
            [words.duration, `${durationMs} ms`],
            [words.attempt, attempt > 1 && attempt],
          ]}
        />
        {[request, response].map((body) => body !== undefined && <pre tabindex={0}>{body}</pre>)}
      </section>
    </Page>
  )
}

// What was asked, in words, and what came of it (OCPI-A8).

const DETAILS = /\/\d+\.\d+(\.\d+)?\/?$/

function whatOf(words: Words, { direction, method, url }: PartnerExchange): string {
  const [path = ''] = url.split('?')
  const modules = Object.keys(words.modules) as (keyof Words['modules'])[]
  const named = DETAILS.test(path) ? 'details' : modules.find((name) => path.split('/').includes(name))
  const acts = direction === 'in' ? words.theyDo : words.weDo
  const act = method === 'GET' ? acts.read : method === 'DELETE' ? acts.end : acts.send
  return `${act} ${named === undefined ? path : words.modules[named]}`
}

function isAccepted({ status, statusCode = 0 }: PartnerExchange): boolean {
  return status >= 200 && status < 300 && statusCode >= 1000 && statusCode < 2000
}

function outcomeChip(words: Words, exchange: PartnerExchange): readonly [tone: string, text: string] {
  const { status, statusCode } = exchange
  if (isAccepted(exchange)) return ['ok', words.accepted]
  if (status === 0) return ['bad', words.noAnswer]
  if (status === 401) return ['bad', words.tokenRefused]
  return ['bad', status < 300 && statusCode !== undefined ? `OCPI ${statusCode}` : `HTTP ${status}`]
}

/** Of the side that refused it. */
function reasonOf(frame: Frame, exchange: PartnerExchange): string | undefined {
  const { status, response = '' } = exchange
  if (isAccepted(exchange)) return undefined
  const said = /"status_message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response)?.[1]?.replaceAll('\\"', '"')
  const reason = status === 0 ? response : said
  return reason === undefined ? undefined : translated(frame, reason)
}
