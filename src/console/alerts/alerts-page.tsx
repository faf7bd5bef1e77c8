import type { FC } from 'hono/jsx'
import type { Noticed } from '../../application/alerts/rules.ts'
import { KINDS } from '../../domain/alerts/alert-kinds.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { Sealed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { TextCell } from '../../web/table.tsx'
import { chargePointPath, sessionPath } from '../paths.ts'
import { alertTexts } from './texts.ts'

export interface AlertsShown {
  readonly on: readonly Noticed[]
  /** Where the next page begins. */
  readonly next?: string
  readonly over: readonly Noticed[]
  readonly rules: readonly AlertRule[]
  readonly administrator: boolean
  /** Absent for who may only look. */
  readonly care?: { readonly csrf: string }
}

/** What is on, what was over lately, and the rules (ALERT-A5, ALERT-A6). */
export const AlertsPage: FC<AlertsShown & { frame: Frame }> = ({ frame, ...shown }) => {
  const words = alertTexts(frame)
  const { on, next, over, rules, administrator, care } = shown
  const known = new Set(rules.map(({ id }) => id))
  const about = { frame, known, administrator }
  return (
    <Page frame={frame} title={words.title} wide live>
      <h1>{words.title}</h1>
      <div data-live="alerts">
        <section class="card scrolls" aria-label={words.on} tabindex={0}>
          <h2>{words.on}</h2>
          {on.length === 0 ? (
            <p class="soft">{words.nothingOn}</p>
          ) : (
            <Alerts {...about} alerts={on} {...(care && { care })} />
          )}
          {next !== undefined && (
            <p>
              <a href={`${frame.root}/alerts?${new URLSearchParams({ after: next })}`} rel="next">
                {words.more}
              </a>
            </p>
          )}
        </section>
        {over.length > 0 && (
          <details class="card">
            <summary>
              {words.overLately} ({over.length})
            </summary>
            <section class="scrolls" aria-label={words.overLately} tabindex={0}>
              <Alerts {...about} alerts={over} />
            </section>
          </details>
        )}
        <Rules frame={frame} rules={rules} administrator={administrator} />
      </div>
    </Page>
  )
}

const Alerts: FC<{
  frame: Frame
  alerts: readonly Noticed[]
  known: ReadonlySet<string>
  administrator: boolean
  care?: { readonly csrf: string }
}> = ({ frame, alerts, known, administrator, care }) => {
  const words = alertTexts(frame)
  const isOver = alerts.some(({ state }) => state === 'cleared')
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.rule}</th>
          <th scope="col">{words.since}</th>
          {isOver && <th scope="col">{words.over}</th>}
          <th scope="col">{words.care}</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <tr data-alert={alert.id}>
            <td class="name">
              <span class={`chip ${alert.state === 'raised' ? 'bad' : ''}`}>
                {KINDS[alert.kind].words[frame.language].title}
              </span>{' '}
              <Told frame={frame} alert={alert} administrator={administrator} />
            </td>
            <td class="name" data-label={words.rule}>
              {known.has(alert.ruleId) ? (
                <a href={`#rule-${alert.ruleId}`}>
                  <bdi>{alert.ruleName}</bdi>
                </a>
              ) : (
                <>
                  <bdi>{alert.ruleName}</bdi> <span class="soft">({words.ruleDeleted})</span>
                </>
              )}
            </td>
            <td class="time" data-label={words.since}>
              <time datetime={new Date(alert.since).toISOString()}>{shownTime(alert.since)}</time>
            </td>
            {isOver && (
              <td class="time" data-label={words.over}>
                {alert.clearedAt !== undefined && shownTime(alert.clearedAt)}
              </td>
            )}
            <td class="name" data-label={words.care}>
              {alert.acknowledged ? (
                <>
                  <bdi>{alert.acknowledged.by}</bdi> <span class="soft">{shownTime(alert.acknowledged.at)}</span>
                </>
              ) : (
                care && (
                  <form method="post" action={`${frame.root}/alerts/${alert.id}/acknowledge`}>
                    <Sealed csrf={care.csrf} />
                    <button type="submit">{words.takeCare}</button>
                  </form>
                )
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * What is so, and links to what it is about. Webhooks are administrators' (ADMIN-A1): others do not see their address.
 */
const Told: FC<{ frame: Frame; alert: Noticed; administrator: boolean }> = ({ frame, alert, administrator }) => {
  const { stationId, sessionId, webhookId } = alert.facts
  const facts = webhookId !== undefined && !administrator ? { ...alert.facts, url: '…' } : alert.facts
  return (
    <>
      <bdi>{KINDS[alert.kind].words[frame.language].told(facts)}</bdi>
      {stationId !== undefined && (
        <>
          {' '}
          <a href={chargePointPath(frame, stationId)}>
            <bdi>{stationId}</bdi>
          </a>
        </>
      )}
      {sessionId !== undefined && (
        <>
          {' '}
          <a href={sessionPath(frame, sessionId)}>{alertTexts(frame).session}</a>
        </>
      )}
      {webhookId !== undefined && administrator && (
        <>
          {' '}
          <a href={`${frame.root}/webhooks/${encodeURIComponent(webhookId)}`}>{alertTexts(frame).webhookLink}</a>
        </>
      )}
    </>
  )
}

const Rules: FC<{ frame: Frame; rules: readonly AlertRule[]; administrator: boolean }> = ({
  frame,
  rules,
  administrator,
}) => {
  const words = alertTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.rules} tabindex={0}>
      <div class="heading">
        <h2>{words.rules}</h2>
        {administrator && <a href={`${frame.root}/alerts/new`}>{words.newRule}</a>}
      </div>
      {rules.length === 0 ? (
        <p class="soft">{words.noRules}</p>
      ) : (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              <th scope="col">{words.kind}</th>
              <th scope="col">{words.after}</th>
              <th scope="col">{words.stations}</th>
              <th scope="col">{words.targets}</th>
              <th scope="col">{words.quiet}</th>
              {administrator && <th scope="col">{words.edit}</th>}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr id={`rule-${rule.id}`}>
                <TextCell class="name" text={rule.name} />
                <td data-label={words.kind}>{KINDS[rule.kind].words[frame.language].title}</td>
                <td data-label={words.after}>{words.seconds(rule.afterSeconds ?? KINDS[rule.kind].afterSeconds)}</td>
                <td class="name" data-label={words.stations}>
                  {KINDS[rule.kind].selects && <bdi>{selectorText(rule.selector) || words.all}</bdi>}
                </td>
                <td class="name" data-label={words.targets}>
                  <bdi>
                    {rule.targets.map((target) => ('mail' in target ? target.mail : words.webhook)).join(', ') ||
                      words.nobody}
                  </bdi>
                </td>
                <td data-label={words.quiet}>
                  {rule.quietHours && `${rule.quietHours.from}–${rule.quietHours.to} ${rule.quietHours.timeZone}`}
                </td>
                {administrator && (
                  <td>
                    <a href={`${frame.root}/alerts/rules/${rule.id}`}>{words.edit}</a>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Ids are counted where they are many. */
const IDS_SHOWN = 5

function selectorText({ ids = [], labels = {}, ...rest }: Selector = {}): string {
  const named = ids.length > IDS_SHOWN ? [...ids.slice(0, IDS_SHOWN), `… (${ids.length})`] : ids
  const texts = Object.entries({ ...labels, ...rest }).map(([name, value]) => `${name}:${value}`)
  return [...named, ...texts].join(', ')
}
