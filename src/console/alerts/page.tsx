/** `/dashboard/alerts`: who sees the console sees what is on; operators take care, administrators write the rules. */

import type { FC } from 'hono/jsx'
import { alertText, kindTitle } from '../../application/alerts/alert-words.ts'
import { acknowledge, type Noticed, noticed } from '../../application/alerts/rules.ts'
import type { TestTargets } from '../../application/alerts/target-tests.ts'
import { KINDS, suggestedBeside } from '../../domain/alerts/alert-kinds.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import { Action, Page, Sealed } from '../../web/entries.tsx'
import { type Columns, Table, TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, Chip, cutOff, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, sessionPath } from '../paths.ts'
import { selectorText } from '../selector/choosing.tsx'
import { ordering, showing, type Visit } from '../visit.tsx'
import { lasting } from './rule-form.ts'
import { ACTION, addSuggested, LIST, rulePages, suggestedName } from './rule-page.tsx'

const DAY_MS = 86_400_000
/** Of those that ended within a day. */
const MAX_RECENT_ALERTS = 200
const MAX_RULES = 100

export function alertPages(test: TestTargets): MountConsolePages {
  return (page) => {
    page(LIST, { GET: showAlerts })
    page('/alerts/suggested/:kind', { POST: addSuggested })
    rulePages(test)(page)
    page('/alerts/:alertId/acknowledge', { POST: takeCare })
  }
}

/** Alerts that are on, alerts that were over lately, and the rules (ALERT-A5, ALERT-A6). */
const showAlerts: ConsolePage = showing('see', async (visit) => {
  const { site, context, accountId, frame } = visit
  const { reads, now } = site
  const words = wordsIn('alerts', frame)
  const after = context.req.query('after')?.slice(0, 100)
  const lately = { accountId, clearedAt: { from: now() - DAY_MS } }
  const [found, ended, rules] = await Promise.all([
    reads.listRecords('alerts', {
      where: { accountId, state: 'raised' },
      limit: rowsAsked(frame),
      after: after === undefined ? undefined : { accountId, id: after },
    }),
    after === undefined ? reads.listRecords('alerts', { where: lately, limit: MAX_RECENT_ALERTS }) : [],
    reads.listRecords('alert_rules', { where: { accountId }, limit: MAX_RULES }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const newestFirst = ended.toSorted((one, other) => (other.clearedAt ?? 0) - (one.clearedAt ?? 0))
  const over = await noticed(site, newestFirst)
  const known = new Set(rules.map(({ id }) => id))
  const row = ({ id }: Noticed) => ({ 'data-alert': id })
  return (
    <Page frame={frame} title={words.title} wide live>
      <Title text={words.title}>
        {visit.administrator && <ButtonLink main to={`${frame.root}/alerts/new`} text={words.newRule} />}
      </Title>
      <div data-live="alerts">
        <TableCard
          heading={words.on}
          rows={await noticed(site, rows)}
          oneLine="cards"
          row={row}
          empty={words.nothingOn}
          columns={columnsOf(visit, known)}
          after={<Paging frame={frame} path={frame.root + LIST} next={last?.id} />}
        />
        {over.length > 0 && (
          <details class="card">
            <summary>
              {words.overLately} ({over.length})
            </summary>
            <section class="scrolls" aria-label={words.overLately} tabindex={0}>
              <Table oneLine rows={over} row={row} columns={columnsOf(visit, known, true)} />
            </section>
          </details>
        )}
        <Rules visit={visit} rules={rules} />
        {visit.administrator && <Suggested visit={visit} rules={rules} />}
      </div>
    </Page>
  )
})

const takeCare: ConsolePage = ordering('operate', ACTION, async ({ site, context, accountId, user }) => {
  const done = await acknowledge(site, accountId, context.req.param('alertId') ?? '', user.email)
  return 'refused' in done ? done : LIST
})

function columnsOf(visit: Visit, known: ReadonlySet<string>, areOver = false): Columns<Noticed> {
  const { frame } = visit
  const words = wordsIn('alerts', frame)
  return [
    {
      title: words.what,
      cell: (alert) => (
        <>
          <Chip tone={alert.state === 'raised' ? 'bad' : ''} text={kindTitle(alert.kind, frame)} />{' '}
          <Reported visit={visit} alert={alert} />
        </>
      ),
    },
    {
      title: words.rule,
      width: 200,
      wideOnly: true,
      whole: ({ ruleName }) => ruleName,
      cell: ({ ruleId, ruleName }) =>
        known.has(ruleId) ? (
          <TextLink to={`#rule-${ruleId}`} text={ruleName} />
        ) : (
          <>
            <bdi>{ruleName}</bdi> <span class="soft">({words.ruleDeleted})</span>
          </>
        ),
    },
    ago(frame, words.since, ({ since }) => since, { wideOnly: false, narrow: false }),
    areOver && ago(frame, words.over, ({ clearedAt }) => clearedAt),
    {
      title: words.care,
      kind: 'acts',
      width: 200,
      cell: ({ id, acknowledged, escalatedAt }) =>
        acknowledged ? (
          <>
            <bdi>{acknowledged.by}</bdi>{' '}
            <span class="soft">
              <Ago frame={frame} at={acknowledged.at} />
            </span>
          </>
        ) : (
          <>
            {escalatedAt !== undefined && (
              <span class="soft no-phone">
                {words.escalated} <Ago frame={frame} at={escalatedAt} />{' '}
              </span>
            )}
            {visit.operates && !areOver && (
              <Action to={`${frame.root}/alerts/${id}/acknowledge`} csrf={visit.csrf(ACTION)} text={words.takeCare} />
            )}
          </>
        ),
    },
  ]
}

/** Webhooks are administrators' (ADMIN-A1): others do not see their address. */
const Reported: FC<{ visit: Visit; alert: Noticed }> = ({ visit: { frame, administrator }, alert }) => {
  const words = wordsIn('alerts', frame)
  const { stationId, sessionId, webhookId } = alert.facts
  const facts = webhookId !== undefined && !administrator ? { ...alert.facts, url: '…' } : alert.facts
  const reported = alertText({ ...alert, facts }, frame)
  return (
    <>
      {stationId === undefined ? (
        <bdi>{reported}</bdi>
      ) : (
        <TextLink to={chargePointPath(frame, stationId)} text={reported} />
      )}{' '}
      {sessionId !== undefined && <a href={sessionPath(frame, sessionId)}>{words.session}</a>}{' '}
      {webhookId !== undefined && administrator && (
        <a href={`${frame.root}/webhooks/${encodeURIComponent(webhookId)}`}>{words.webhookLink}</a>
      )}
    </>
  )
}

const Rules: FC<{ visit: Visit; rules: readonly AlertRule[] }> = ({ visit: { frame, administrator }, rules }) => {
  const words = wordsIn('alerts', frame)
  const stationsOf = ({ kind, selector = {} }: AlertRule): string | undefined =>
    KINDS[kind].selects ? selectorText(frame, selector) : undefined
  const namesOf = (targets: AlertRule['targets']): string =>
    targets.map((target) => ('mail' in target ? target.mail : words.webhook)).join(', ')
  const targetsOf = ({ targets, escalation }: AlertRule): string =>
    [
      namesOf(targets) || words.noRecipient,
      ...(escalation ? [words.escalates(lasting(frame, escalation.afterSeconds), namesOf(escalation.targets))] : []),
    ].join('; ')
  const quietOf = ({ quietHours: quiet }: AlertRule): string | undefined =>
    quiet && `${quiet.from}–${quiet.to} ${quiet.timeZone}`
  return (
    <TableCard<AlertRule>
      oneLine
      heading={words.rules}
      rows={rules}
      row={({ id }) => ({ id: `rule-${id}` })}
      empty={words.noRules}
      columns={[
        {
          title: words.name,
          whole: ({ name }) => name,
          cell: ({ id, name }) =>
            administrator ? (
              <TextLink class="name-link" to={`${frame.root}/alerts/rules/${id}`} text={name} />
            ) : (
              <bdi>{name}</bdi>
            ),
        },
        {
          title: words.kind,
          width: 200,
          wideOnly: true,
          cell: ({ kind }) => kindTitle(kind, frame),
        },
        {
          title: words.after,
          width: 88,
          cell: ({ afterSeconds, kind }) => lasting(frame, afterSeconds ?? KINDS[kind].afterSeconds),
        },
        cutOff(words.stations, stationsOf),
        cutOff(words.targets, targetsOf, { wideOnly: true }),
        { title: words.quiet, width: 200, wideOnly: true, whole: quietOf, cell: quietOf },
      ]}
    />
  )
}

/** Open while no rule notifies anyone; each is one button (ALERT-A7). */
const Suggested: FC<{ visit: Visit; rules: readonly AlertRule[] }> = ({ visit, rules }) => {
  const { frame, csrf, nameOnce, user } = visit
  const words = wordsIn('alerts', frame)
  const suggested = suggestedBeside(rules)
  if (suggested.length === 0) return null
  return (
    <details class="card" open={rules.length === 0 || undefined}>
      <summary>
        {words.suggested} ({suggested.length})
      </summary>
      <p class="soft">
        {words.suggestedHint} <bdi>{user.email}</bdi>
      </p>
      <Table
        rows={suggested}
        row={({ kind }) => ({ 'data-suggested': kind })}
        columns={[
          { title: words.name, kind: 'name', text: (rule) => suggestedName(rule, frame.language) },
          {
            title: words.create,
            kind: 'acts',
            cell: ({ kind }) => (
              <form method="post" action={`${frame.root}/alerts/suggested/${kind}`}>
                <Sealed csrf={csrf(ACTION)} once={nameOnce(`suggested ${kind}`)} />
                <button type="submit" aria-label={`${words.create}: ${kindTitle(kind, frame)}`}>
                  {words.create}
                </button>
              </form>
            ),
          },
        ]}
      />
    </details>
  )
}
