import type { FC } from 'hono/jsx'
import {
  REPORT_FORMATS,
  REPORT_SCHEDULES,
  type ReportMail,
  type SentReport,
  type SessionReport,
} from '../../domain/reports/records.ts'
import type { Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago, At, shownDate } from '../../web/times.tsx'
import { ConfirmPage } from '../kit/confirm.tsx'
import { type Fields, Form } from '../kit/form.tsx'
import { reportTexts } from '../kit/texts.ts'
import { queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { labelOf } from './report-form.ts'

export const ACTION = 'reports'

export const ReportsPage: FC<{ visit: Visit; reports: readonly SessionReport[] }> = ({ visit, reports }) => {
  const { frame, administrator } = visit
  const words = reportTexts(frame)
  const mailsOf = ({ targets }: SessionReport): string => targets.map(({ mail }) => mail).join(', ')
  return (
    <Page frame={frame} title={words.title} wide>
      <Title text={words.title}>
        {administrator && (
          <a class="button main" href={`${frame.root}/reports/new`}>
            {words.newReport}
          </a>
        )}
      </Title>
      <p class="soft">{words.lead}</p>
      <TableCard<SessionReport>
        label={words.title}
        oneLine
        rows={reports}
        empty={words.noReports}
        columns={[
          {
            title: words.name,
            whole: ({ name }) => name,
            cell: ({ name }) =>
              administrator ? (
                <TextLink class="name-link" to={namedPath(frame, 'change', name)} text={name} />
              ) : (
                <bdi>{name}</bdi>
              ),
          },
          {
            title: words.groupBy,
            width: 200,
            wideOnly: true,
            whole: ({ groupBy }) => labelOf(groupBy),
            text: ({ groupBy }) => groupText(frame, groupBy),
          },
          { title: words.schedule, width: 104, cell: ({ schedule }) => words[schedule] },
          { title: words.format, width: 72, wideOnly: true, cell: ({ format }) => words[format] },
          { title: words.targets, wideOnly: true, whole: mailsOf, text: mailsOf },
          { title: words.next, kind: 'time', width: 160, cell: ({ dueAt }) => <At frame={frame} at={dueAt} /> },
        ]}
      />
    </Page>
  )
}

/** One report, or a new one: for administrators (REPORT-A4). */
export const ReportPage: FC<{
  visit: Visit
  typed: Typed
  report: SessionReport | undefined
  mails: readonly (SentReport | ReportMail)[]
  /** Of the account: its months and weeks are meant. */
  timeZone: string
}> = ({ visit, typed, report, mails, timeZone }) => {
  const { frame } = visit
  const words = reportTexts(frame)
  const title = report ? words.changeReport : words.newReport
  return (
    <Page frame={frame} title={title}>
      <Title text={title} said={report && <bdi>{report.name}</bdi>} up={[[`${frame.root}/reports`, words.title]]}>
        {report && (
          <a class="button" href={namedPath(frame, 'delete', report.name)}>
            {words.delete}…
          </a>
        )}
      </Title>
      <Form
        visit={visit}
        action={ACTION}
        to={`${frame.root}/reports/${report ? 'change' : 'new'}`}
        typed={typed}
        once
        fields={fieldsOf(frame, report !== undefined)}
        submit={report ? words.save : words.create}
        back={`${frame.root}/reports`}
      >
        {report && <input type="hidden" name="name" value={report.name} />}
      </Form>
      {report && <Mails frame={frame} mails={mails} timeZone={timeZone} />}
    </Page>
  )
}

/** What each address was sent last, and what is on its way (REPORT-A5). */
const Mails: FC<{ frame: Frame; mails: readonly (SentReport | ReportMail)[]; timeZone: string }> = ({
  frame,
  mails,
  timeZone,
}) => {
  const words = reportTexts(frame)
  return (
    <TableCard
      label={words.lastMails}
      heading={words.lastMails}
      oneLine
      rows={mails}
      empty={words.noMails}
      columns={[
        { title: words.target, whole: ({ mail }) => mail, text: ({ mail }) => mail },
        {
          title: words.period,
          wideOnly: true,
          cell: ({ periodFrom, periodBelow }) =>
            [periodFrom, periodBelow - 1].map((at) => shownDate({ ...frame, timeZone }, at)).join(' – '),
        },
        {
          title: words.sent,
          whole: (mail) => ('sentAt' in mail ? undefined : mail.failure),
          cell: (mail) =>
            'sentAt' in mail ? (
              <Ago frame={frame} at={mail.sentAt} />
            ) : mail.attempts === 0 ? (
              words.onItsWay
            ) : (
              <>
                <span class="chip warn">{words.refused(mail.attempts)}</span> <bdi class="soft">{mail.failure}</bdi>
              </>
            ),
        },
      ]}
    />
  )
}

function fieldsOf(frame: Frame, isThere: boolean): Fields {
  const words = reportTexts(frame)
  return [
    !isThere && { name: 'name', label: words.name, required: true },
    {
      name: 'groupBy',
      label: words.groupBy,
      options: { idToken: words.card, site: words.site, label: words.label },
    },
    { name: 'labelKey', label: words.labelKey, hint: words.labelHint },
    {
      name: 'schedule',
      label: words.schedule,
      hint: words.scheduleHint,
      options: Object.fromEntries(REPORT_SCHEDULES.map((schedule) => [schedule, words[schedule]])),
    },
    {
      name: 'format',
      label: words.format,
      hint: words.formatHint,
      options: Object.fromEntries(REPORT_FORMATS.map((format) => [format, words[format]])),
    },
    { name: 'mails', label: words.mails, lines: true, required: true },
  ]
}

export const DeletionPage: FC<{ visit: Visit; name: string }> = ({ visit, name }) => {
  const { frame, csrf } = visit
  const words = reportTexts(frame)
  return (
    <ConfirmPage
      {...{ visit, name }}
      title={words.deleteReport}
      lead={words.deleteAsk}
      to={`${frame.root}/reports/delete`}
      sent={[
        ['csrf', csrf(ACTION)],
        ['name', name],
      ]}
      button={words.deleteOf(name)}
      back={namedPath(frame, 'change', name)}
    />
  )
}

function namedPath({ root }: Frame, page: 'change' | 'delete', name: string): string {
  return `${root}/reports/${page}${queryText({ name })}`
}

function groupText(frame: Frame, groupBy: SessionReport['groupBy']): string {
  const words = reportTexts(frame)
  if (groupBy === 'idToken') return words.card
  return groupBy === 'site' ? words.site : `${words.label}: ${labelOf(groupBy)}`
}
