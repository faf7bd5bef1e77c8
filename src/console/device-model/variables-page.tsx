import type { FC } from 'hono/jsx'
import type { Report, StoredVariable } from '../../domain/device-model/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { Action } from '../../web/action.tsx'
import { Choice, Entry } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { StateChip, Wanted } from '../intents/wanted.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { isSettable, type VariableQuery } from './query.ts'
import { variableTexts } from './texts.ts'

export interface ShownVariable {
  readonly row: StoredVariable
  /** What is wanted of it. */
  readonly intent: Intent | undefined
}

interface Shown {
  readonly frame: Frame
  readonly id: string
}

/** The device model of one charge point, with what is wanted of it and not yet so. */
export const VariablesPage: FC<
  Shown & {
    query: VariableQuery
    rows: readonly ShownVariable[]
    next?: string
    report: Report | undefined
    /** Its model dropped its connection when it was asked for all keys (DEVICE-A6). */
    isReadInTens: boolean
    intents: readonly Intent[]
    /** Absent for who may only look. */
    csrf?: string
  }
> = ({ frame, id, query, rows, next, report, isReadInTens, intents, csrf }) => {
  const words = variableTexts(frame)
  const path = `${chargePointPath(frame, id)}/variables`
  const { q, component, which, after } = query
  const narrowing = { ...(q && { q }), ...(component && { component }), ...(which && { which }) }
  return (
    <Page frame={frame} title={`${words.variables} ${id}`} wide live>
      <h1>
        {words.variables} ·{' '}
        <a class="host" href={chargePointPath(frame, id)}>
          <bdi>{id}</bdi>
        </a>
      </h1>
      <p class="soft">{words.lead}</p>
      <div data-live="report">
        <NewestReport frame={frame} id={id} report={report} {...(csrf !== undefined && { csrf })} />
      </div>
      {isReadInTens && (
        <div class="card">
          <p>{words.readInTens}</p>
          {csrf !== undefined && (
            <Action to={`${chargePointPath(frame, id)}/read-whole`} csrf={csrf}>
              {words.readWhole}
            </Action>
          )}
        </div>
      )}
      <div data-live="wanted">
        <Wanted
          frame={frame}
          intents={intents}
          {...(csrf !== undefined && { withdraw: { to: `${chargePointPath(frame, id)}/intents/withdraw`, csrf } })}
        />
      </div>
      <Narrowing frame={frame} path={path} query={query} />
      <div data-live="values">
        {rows.length === 0 ? (
          <p class="card soft">{report || q || component || which ? words.noneFound : words.none}</p>
        ) : (
          <Values frame={frame} id={id} rows={rows} settable={csrf !== undefined} />
        )}
        <p class="filters">
          {after !== undefined && <a href={path + queryText(narrowing)}>{operatorTexts(frame).first}</a>}
          {next !== undefined && (
            <a href={path + queryText({ ...narrowing, after: next })} rel="next">
              {operatorTexts(frame).next}
            </a>
          )}
        </p>
      </div>
    </Page>
  )
}

const NewestReport: FC<Shown & { report: Report | undefined; csrf?: string | undefined }> = ({
  frame,
  id,
  report,
  csrf,
}) => {
  const words = variableTexts(frame)
  return (
    <section class="card">
      {report && (
        <p>
          {words.lastReport}: {shownTime(report.createdAt)}{' '}
          <span class={`chip ${report.state === 'complete' ? 'good' : report.state === 'running' ? 'amber' : 'bad'}`}>
            {words.reportStates[report.state]}
          </span>{' '}
          {words.reportCount(report.variableCount)} <bdi class="soft">{report.reason}</bdi>{' '}
          {report.truncated && <span class="amber">{words.truncated}</span>}
        </p>
      )}
      {csrf !== undefined && (
        <Action to={`${chargePointPath(frame, id)}/reports`} csrf={csrf}>
          {words.reportNow}
        </Action>
      )}
    </section>
  )
}

const Narrowing: FC<{ frame: Frame; path: string; query: VariableQuery }> = ({ frame, path, query }) => {
  const words = variableTexts(frame)
  const { q, component, which, isWrong } = query
  const typed = {
    form: new URLSearchParams(),
    faults: { ...(isWrong && { which: words.badChoice }) },
  }
  return (
    <form class="card narrowing" method="get" action={path}>
      <Entry label={words.search} name="q" type="search" typed={typed} value={q} />
      <Entry label={words.component} name="component" typed={typed} value={component} />
      <Choice label={words.which} name="which" typed={typed} value={which} options={words.choices} />
      {isWrong && <Warning>{words.badChoice}</Warning>}
      <button type="submit">{words.show}</button>
    </form>
  )
}

const Values: FC<Shown & { rows: readonly ShownVariable[]; settable: boolean }> = ({ frame, id, rows, settable }) => {
  const words = variableTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.variables} tabindex={0}>
      <table class="cards">
        <Headings of={[words.variable, words.value, words.mutability, words.reported, undefined]} />
        <tbody>
          {rows.map(({ row, intent }) => (
            <tr>
              <td class="host" data-label={words.variable}>
                <bdi>{nameText(row.name)}</bdi> {row.gone && <span class="chip bad">{words.gone}</span>}
              </td>
              <td class="host" data-label={words.value}>
                <bdi>{row.value}</bdi> <span class="soft">{row.characteristics.unit}</span>
              </td>
              <td data-label={words.mutability}>{mutabilityText(frame, row)}</td>
              <td class="time" data-label={words.reported}>
                {shownTime(row.updatedAt)}
              </td>
              <td>
                {intent && <StateChip frame={frame} state={intent.state} />}{' '}
                {settable && isSettable(row) && (
                  <a href={`${chargePointPath(frame, id)}/variable${queryText({ key: row.key })}`}>{words.set}</a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function mutabilityText(frame: Frame, { characteristics: { mutability } }: StoredVariable): string | undefined {
  return mutability === undefined ? undefined : (variableTexts(frame).mutabilities[mutability] ?? mutability)
}
